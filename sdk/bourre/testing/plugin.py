"""A plugin for pytest, which finds it by itself: `pytest --bot FILE`, the fixture `bot`, cards that read well.

It is loaded in every run of pytest where this package is installed: what it needs is imported when it is used.
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
        help="a bot's file, as bot.py or bot.py:Class: test it (legal and repeatable by every preset, fast by limit)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The file of the bot is one more place to collect tests from."""
    if named := config.getoption("--bot"):
        path = _file(config, named)
        if not path.is_file():
            raise pytest.UsageError(f"--bot {named}: there is no file {path}")
        config.args.append(str(path))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The ready-made tests of the bot's file."""
    named = parent.config.getoption("--bot")
    if not named or file_path != _file(parent.config, named):
        return None
    from bourre.testing.conformance import BotTests

    return BotTests.from_parent(parent, path=file_path)


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Cards as they are written, views by the fields that differ."""
    if not any(_is_ours(value) for value in (left, right)):
        return None
    from bourre.testing.comparison import explained

    return explained(op, left, right)


@pytest.fixture
def bot(request: pytest.FixtureRequest) -> Bot:
    """A new bot from the file that `--bot` names."""
    if not request.config.getoption("--bot"):
        pytest.fail("the fixture `bot` is the one of `pytest --bot FILE`: name the file", pytrace=False)
    from bourre.testing.conformance import loaded

    return loaded(request.config)()


def _file(config: pytest.Config, named: str) -> Path:
    return (config.invocation_params.dir / named.partition(":")[0]).resolve()


def _is_ours(value: object) -> bool:
    """Whether it is of this package, or a list whose first element is."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return type(first).__module__.startswith("bourre.rules.")
