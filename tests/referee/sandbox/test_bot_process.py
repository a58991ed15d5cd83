"""A bot as a process: what it gets, and how it ends."""

from __future__ import annotations

import asyncio
import os
import threading
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch, own_variables
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


def test_a_bot_gets_what_it_needs_and_its_own_variables_alone_in_one_language_on_every_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SECRET", "KEY", "BOURRE_TOKEN", "TMPDIR", "LC_ALL", "LANG"):
        monkeypatch.setenv(name, f"the host's {name}")
    credentials = Credentials(tmp_path / "socket", "token", "seed")
    entry = Entry("ada", ("python",), tmp_path, environment=("KEY", "BOURRE_TOKEN"))
    found = PlainLauncher(tmp_path / "copies").launch(entry, credentials, InheritedFiles()).environment
    own = {"BOURRE_ADDRESS": f"unix:{tmp_path / 'socket'}", "BOURRE_TOKEN": "token", "BOURRE_SEED": "seed"}
    python = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1", "GRPC_VERBOSITY": "ERROR"}
    passed_on = {"KEY": "the host's KEY", "TMPDIR": "the host's TMPDIR", "LANG": "C.UTF-8"}
    assert {name: value for name, value in found.items() if name not in ("PATH", "HOME")} == own | python | passed_on
    monkeypatch.delenv("KEY")
    with pytest.raises(OSError, match="ada: its variable KEY is not set in the environment of the referee"):
        own_variables(entry)


def test_what_a_process_inherits_is_read_from_its_start_and_closed_with_the_rest() -> None:
    inherited = InheritedFiles()
    content, sign = inherited.add(b"secret"), inherited.add_sign()
    assert (inherited.files, os.read(content, 9)) == ((content, sign), b"secret")
    taken = inherited.take_sign()
    assert taken is not None
    with taken:
        assert taken.read(1) is None  # it waits for nothing
        os.write(sign, b"+")
        inherited.close()
        assert (taken.read(1), inherited.take_sign(), inherited.files) == (b"+", None, ())
    for file in (content, sign):
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(file)


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
