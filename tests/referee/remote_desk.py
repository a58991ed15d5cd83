"""A listener whose process the test plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.model.listener_spec import Listen, ListenerSpec
from bourre_referee.model.site import Site
from bourre_referee.model.spec import Clock
from bourre_referee.runner import remote_process
from bourre_referee.runner.remote_process import ListenerProcess
from bourre_referee.runner.remote_worker import Close, Opened, RoomCall
from tests.referee import contests
from tests.referee.scripted_workers import DEATH, ScriptedWorker

SITE = Site(Path("bots"), Path("logs"))
LADDER = ListenerSpec("ladder", (), Clock(), Listen("localhost:0"), Path("tokens.json"), most_bots=9, versioned=True)


class RemoteDesk:
    """Starts the processes of listeners, and says for each of them what the test wants."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, opens: Callable[[ListenerSpec], object] = lambda spec: Opened(4000)
    ) -> None:
        """`opens` says how a process answers that is to open such a listener."""
        self.workers: list[ScriptedWorker] = []
        self.specs: list[ListenerSpec] = []
        self.environments: list[Mapping[str, str]] = []
        self._opens = opens
        monkeypatch.setattr(remote_process, "Worker", self._hire)

    def _hire(self, work: partial[None], environment: Mapping[str, str]) -> ScriptedWorker:
        self.specs.append(work.keywords["spec"])
        self.environments.append(environment)
        self.workers.append(ScriptedWorker(lambda told: DEATH if isinstance(told, Close) else None))
        self.says(self._opens(self.specs[-1]))
        return self.workers[-1]

    def opened(self, spec: ListenerSpec = LADDER) -> ListenerProcess:
        """Opens a listener."""
        return ListenerProcess(spec, {"TMPDIR": "short"})

    def says(self, *messages: object) -> None:
        """Says this as the listener that was opened last."""
        self.workers[-1].says(*messages)

    def calls(self) -> list[RoomCall]:
        """The rooms that the listener was handed that was opened last."""
        return [told for told in self.workers[-1].given if isinstance(told, RoomCall)]


def remote_contest(folder: Path) -> Contest:
    """The small contest, to which its bot ada comes by itself."""
    file = contests.write_contest(folder)
    file.write_text(file.read_text().replace('command = ["python", "ada.py"]', "connect = true"))
    return load(file)
