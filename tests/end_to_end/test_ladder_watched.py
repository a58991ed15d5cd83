"""A real ladder as its host and its owners see it from outside: through an outage of its database, and a broken bot."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.notices.contacts import Contact, set_contact
from tests.end_to_end.example_ladders import example_ladder
from tests.postgres_server import PostgresServer
from tests.referee.ladder.notices.test_notice_sender import Hook, served

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.long]


@pytest.fixture
def ladder(stoppable: PostgresServer, tmp_path: Path) -> LadderFolder:
    """A ladder in a database, with a bot that never starts."""
    ladder = example_ladder(tmp_path, rooms=100, name=f"l{uuid4().hex[:12]}", database=stoppable.url)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/bot.py").write_text("raise SystemExit('no')\n")
    add_hosted(ladder, Newcomer("broken", owner="Ann"), ("python", "bot.py"), (), tmp_path / "broken")
    return ladder


class Watched:
    """A ladder that is served, and its log."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._url = str(self.log("Monitor: ")).partition("Monitor: ")[2].removesuffix("metrics")

    def log(self, text: str) -> str:
        """Reads the log until a message with this text, and returns it."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            logged = json.loads(line)
            assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", logged["time"])
            if text in logged["text"]:
                return str(logged["text"])
        raise AssertionError(f"it ended before it said {text!r}")

    def ask(self, path: str, until: str) -> str:
        """Asks the monitor again and again until its answer has this text."""
        with httpx.Client(trust_env=False, timeout=60) as client:
            while until not in (answer := client.get(f"{self._url}{path}").text):
                assert self.process.poll() is None
        return answer


@contextmanager
def watched(ladder: LadderFolder) -> Iterator[Watched]:
    words = ("--no-pages", "--jobs", "1", "--monitor-port", "0", "--log-format", "json")
    command = [sys.executable, "-m", "bourre_referee", "ladder", "start", str(ladder.path), *words]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield Watched(process)
        finally:
            process.kill()


@pytest.mark.timeout(300)
def test_an_outage_is_seen_from_outside_and_an_owner_is_told_of_a_broken_bot(
    ladder: LadderFolder, stoppable: PostgresServer
) -> None:
    hook = Hook()
    set_contact(ladder.contacts, "Ann", Contact(webhook=hook.url, internal=True))
    with served(hook), watched(ladder) as ladder_seen:
        ladder_seen.log("Serving")
        assert ladder_seen.ask("ready", "ok") == "ok\n"
        _, body = hook.got.get(timeout=120)
        assert json.loads(body)["text"].startswith("broken.1 failed to start: in room ")
        ladder_seen.ask("metrics", 'bourre_faults_total{kind="start_failure"}')
        stoppable.stop("immediate")
        assert "gone" in ladder_seen.ask("ready", "gone")
        assert "bourre_database_up 0.0" in ladder_seen.ask("metrics", "")
        assert ladder_seen.ask("health", "") == "ok\n"
        ladder_seen.log("gone")
        stoppable.start()
        ladder_seen.log("back")
        ladder_seen.ask("ready", "ok")
        ladder_seen.process.send_signal(signal.SIGINT)
        ladder_seen.log("The same command continues")
        assert ladder_seen.process.wait() == 0
