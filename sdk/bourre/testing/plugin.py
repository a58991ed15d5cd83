"""The pytest plugin of this package: `pytest --bot FILE`, the fixture `bot`, and readable cards.

Every run of pytest on this Python loads it, so it imports other modules only when needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bourre.bot import Bot


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--bot`."""
    parser.getgroup("bourre").addoption(
        "--bot",
        metavar="FILE",
        help="test a bot's file (bot.py or bot.py:Class): legal and repeatable with every preset, fast with limit",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Adds the bot's file to the places where pytest collects tests."""
    if named := config.getoption("--bot"):
        path = _file(config, named)
        if not path.is_file():
            raise pytest.UsageError(f"--bot {named}: No file {str(path)!r}.\nhint: pass the path of a bot's file")
        config.args.append(str(path))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects the ready-made tests for the bot's file."""
    named = parent.config.getoption("--bot")
    if not named or file_path != _file(parent.config, named):
        return None
    from bourre.testing.conformance import BotTests

    return BotTests.from_parent(parent, path=file_path)


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Shows cards as texts, and the differing fields of views."""
    if not any(_is_ours(value) for value in (left, right)):
        return None
    from bourre.testing.assertions import explain

    return explain(op, left, right)


@pytest.fixture
def bot(request: pytest.FixtureRequest) -> Bot:
    """Makes a new bot from the file of `--bot`."""
    if not request.config.getoption("--bot"):
        pytest.fail("The fixture `bot` needs a bot's file.\nhint: run `pytest --bot FILE`", pytrace=False)
    from bourre.testing.conformance import load_bot

    return load_bot(request.config)()


def _file(config: pytest.Config, named: str) -> Path:
    return (config.invocation_params.dir / named.partition(":")[0]).resolve()


def _is_ours(value: object) -> bool:
    """Returns whether a value, or the first element of a list, has a class of this package."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return type(first).__module__.startswith("bourre.rules.")
