"""Ready-made tests of a bot's file, for `pytest --bot FILE`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bourre.bot import Bot
from bourre.bot_code.bot_file import BotFileError, load
from bourre.practice.session import BotMaker
from bourre.rules.house import PRESETS
from bourre.testing.assertions import assert_fast, assert_legal, assert_repeats

DEALS = 100
SPEED_MS = 100.0


class BotTests(pytest.File):
    """The tests of one file: legal with every preset, fast, and repeatable."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yields one test for each preset, one of speed, and one of repetition."""
        for preset in PRESETS:
            yield BotTest.from_parent(self, name=f"legal[{preset}]", check=_legal(preset))
        yield BotTest.from_parent(self, name="fast", check=_fast)
        yield BotTest.from_parent(self, name="repeats", check=_repeats)


class BotTest(pytest.Item):
    """One test of the bot."""

    def __init__(self, name: str, parent: pytest.Collector, check: Callable[[BotMaker], None]) -> None:
        super().__init__(name, parent)
        self._check = check

    def runtest(self) -> None:
        """Loads the bot and runs the check."""
        self._check(load_bot(self.config))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """Shows only the message, because the frames of this package do not help the bot's author."""
        if not isinstance(excinfo.value, AssertionError | BotFileError):
            return str(super().repr_failure(excinfo))
        cause = excinfo.value.__cause__
        if cause is None:
            return str(excinfo.value)
        return f"{excinfo.value}\n{pytest.ExceptionInfo.from_exception(cause).getrepr(style='short')}"

    def reportinfo(self) -> tuple[Path, None, str]:
        """Returns the place of the test, for the heading of a failure."""
        return self.path, None, f"{self.path.name}: {self.name}"


def load_bot(config: pytest.Config) -> type[Bot]:
    """Loads the bot of `--bot`; raises BotFileError."""
    path: str = config.getoption("--bot")
    return load(str(config.invocation_params.dir / path))


def _legal(preset: str) -> Callable[[BotMaker], None]:
    return lambda bot: assert_legal(bot, deals=DEALS, presets=[preset])


def _fast(bot: BotMaker) -> None:
    assert_fast(bot, ms=SPEED_MS)


def _repeats(bot: BotMaker) -> None:
    assert_repeats(bot, deals=DEALS)
