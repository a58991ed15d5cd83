"""The folder of a Dask worker's crew, and the processes that play its rooms."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bourre_referee.model.site import Site
from bourre_referee.model.spec import Clock, Isolation, RoomSpec
from bourre_referee.runner.cluster import crew
from bourre_referee.runner.cluster.crew import Crew, make_folder
from bourre_referee.runner.cluster.worker_tasks import reference_room
from bourre_referee.runner.worker import Alive, Failed, Played
from tests.end_to_end.processes import no_child_left
from tests.referee.scripted_workers import DEATH, ScriptedWorker

pytestmark = pytest.mark.xdist_group("processes")


def age(folder: Path) -> None:
    os.utime(folder, (0, 0))


def test_folders_of_crews_that_were_killed_are_removed_and_others_are_not(tmp_path: Path) -> None:
    left, held, new, other = (tmp_path / name for name in ("bourre-worker-left", "x", "bourre-worker-new", "other"))
    for folder in (left, new, other):
        folder.mkdir()
    held = make_folder(tmp_path)
    for folder in (left, held, other):
        age(folder)
    made = make_folder(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {held.name, made.name, new.name, other.name}


@pytest.fixture
def reference() -> RoomSpec:
    return reference_room(Isolation(), Clock(start_ms=60_000, decision_ms=20_000))


def test_a_crew_plays_with_one_process_again_and_again_and_leaves_nothing(
    reference: RoomSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    with no_child_left(), TemporaryDirectory(prefix="crew-") as folder:  # short, as sockets are in it
        monkeypatch.setattr(tempfile, "tempdir", folder)
        hands = Crew()
        answers = [hands.play(reference) for _ in range(2)]
        assert all(isinstance(answer.answer, Played) for answer in answers)
        assert [list(answer.logs) for answer in answers] == [["own1", "own2"]] * 2
        assert len(hands._idle) == 1
        hands.close()
        assert list(Path(folder).iterdir()) == []


class Hands:
    """A crew whose processes do what the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.workers: list[ScriptedWorker] = []
        self.sites: list[Site] = []
        self.environments: list[Mapping[str, str]] = []
        self.act: Callable[[RoomSpec, Site], object] = lambda room, site: Played(())
        """What a process does that gets a room at its site; what this returns is its answer."""
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        monkeypatch.setattr(crew, "Worker", self._hire)
        monkeypatch.setattr(crew, "LOOK_S", 0)
        self.crew = Crew()

    def _hire(self, work: partial[None], environment: Mapping[str, str]) -> ScriptedWorker:
        site: Site = work.keywords["play_room"].keywords["site"]
        self.sites.append(site)
        self.environments.append(environment)
        self.workers.append(ScriptedWorker(lambda room: self._do(room, site)))
        return self.workers[-1]

    def _do(self, room: object, site: Site) -> object:
        assert isinstance(room, RoomSpec)
        return self.act(room, site)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    made = Hands(monkeypatch, tmp_path)
    yield made
    made.crew.close()


def print_loudly(room: RoomSpec, site: Site) -> Played:
    log = site.logs / "own1" / f"{room.room}.log"
    log.parent.mkdir(parents=True)
    log.write_bytes(b"a" * 100)
    return Played(())


def test_logs_are_sent_home_once_and_bounded(
    reference: RoomSpec, hands: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(crew, "_LONGEST_LOG", 5)
    hands.act = print_loudly
    assert [hands.crew.play(reference).logs for _ in range(2)] == [{"own1": b"aaaaa"}] * 2
    hands.act = lambda room, site: Played(())
    assert hands.crew.play(reference).logs == {}, "what was printed in an earlier attempt is gone"
    (folder,) = tmp_path.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "t", folder / "bots")]
    assert modes == [0o711, 0o711, 0o755], "bots that run as another user pass through"
    assert hands.environments == [{"TMPDIR": str(folder / "t")}]
    assert hands.sites == [Site(folder / "bots", folder / "logs" / "1", copies=folder / "copies", is_fetched=True)]
    assert hands.crew.site == Site(folder / "bots", folder / "logs", copies=folder / "copies", is_fetched=True)
    hands.crew.close()
    assert hands.workers[0].ended == ["released", "stopped"]
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_failed_is_not_trusted_with_another_room(reference: RoomSpec, hands: Hands) -> None:
    wanted = iter([True, True, False])

    hands.act = lambda room, site: Failed("no memory")
    assert hands.crew.play(reference).answer == Failed("no memory")
    hands.act = lambda room, site: DEATH
    assert hands.crew.play(reference).answer == Failed("the worker process was killed by SIGKILL")
    hands.act = lambda room, site: None
    assert hands.crew.play(reference, lambda: next(wanted)).answer == Failed("nobody wants this room any more")

    def hang(room: RoomSpec, site: Site) -> object:
        hands.workers[-1].hung = True
        return Alive()

    hands.act = hang
    assert hands.crew.play(reference).answer == Failed("the process of the room hung")
    assert [worker.ended[-2:] for worker in hands.workers] == [["released", "stopped"]] * 4
    assert hands.workers[3].ended[0] == "killed"
    assert [site.logs.name for site in hands.sites] == ["1", "2", "3", "4"]
    hands.act = lambda room, site: Played(())
    for _ in range(2):
        assert hands.crew.play(reference).answer == Played(())
    assert len(hands.workers) == 5


def test_rooms_that_are_played_at_once_have_processes_and_logs_of_their_own(reference: RoomSpec, hands: Hands) -> None:
    inner: list[Mapping[str, bytes]] = []

    def play_another(room: RoomSpec, site: Site) -> Played:
        hands.act = print_loudly
        inner.append(hands.crew.play(reference).logs)
        return Played(())

    hands.act = play_another
    assert hands.crew.play(reference).logs == {}
    assert [list(logs) for logs in inner] == [["own1"]]
    assert len(hands.workers) == 2
