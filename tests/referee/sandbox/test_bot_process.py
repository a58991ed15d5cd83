"""A bot as a process: how it ends."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch
from bourre_referee.sandbox.levels import PlainLauncher


@dataclass
class SlowHold:
    """Is released only while the referee goes on."""

    gone_on: threading.Event = field(default_factory=threading.Event)
    released: bool = False

    def went_over(self) -> bool:
        """False: nothing is counted."""
        return False

    def release(self) -> None:
        """Waits until the referee has done something else."""
        self.released = self.gone_on.wait(20)


@dataclass(frozen=True)
class Holding:
    """Starts bots with this hold."""

    hold: SlowHold

    def launch(self, entry: Entry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns how to start this bot."""
        return replace(PlainLauncher(credentials.socket.parent).launch(entry, credentials, inherited), hold=self.hold)


def test_a_bot_speaks_the_same_language_on_every_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ru_RU.KOI8-R")
    monkeypatch.setenv("LANG", "ru_RU.KOI8-R")
    entry, credentials = Entry("ada", ("python",), tmp_path), Credentials(tmp_path / "socket", "token")
    environment = PlainLauncher(tmp_path / "copies").launch(entry, credentials, InheritedFiles()).environment
    assert {name: text for name, text in environment.items() if name.startswith("L")} == {"LANG": "C.UTF-8"}


def test_the_referee_goes_on_while_the_kernel_clears_up_after_a_bot(tmp_path: Path) -> None:
    async def end() -> SlowHold:
        hold = SlowHold()
        entry = Entry("tested", ("true",), tmp_path)
        process = await BotProcess.start(
            entry, Credentials(tmp_path / "seat", "token"), tmp_path / "log", Holding(hold)
        )
        ending = asyncio.create_task(process.end(0.0))
        await process.ended
        asyncio.get_running_loop().call_later(0.0, hold.gone_on.set)
        await ending
        return hold

    assert asyncio.run(end()).released
