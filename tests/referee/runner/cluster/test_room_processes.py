"""A Dask worker's crew: its folder, the bots' files that reach it, and the processes that play its rooms."""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Clock, Isolation, RoomSpec
from bourre_referee.runner.cluster import bot_files, room_processes
from bourre_referee.runner.cluster.bot_files import FetchedFiles, pack
from bourre_referee.runner.cluster.room_processes import RoomProcesses, make_folder
from bourre_referee.runner.cluster.worker_tasks import reference_room
from bourre_referee.runner.worker import Alive, Failed, Played
from tests.end_to_end.processes import no_child_left
from tests.referee.scripted_workers import DEATH, ScriptedWorker


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
        hands = RoomProcesses()
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
        monkeypatch.setattr(room_processes, "Worker", self._hire)
        monkeypatch.setattr(room_processes, "LOOK_S", 0)
        self.crew = RoomProcesses()

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
    monkeypatch.setattr(room_processes, "_LONGEST_LOG", 5)
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
    assert hands.crew.play(reference, lambda: next(wanted)).answer == Failed("this room is no longer wanted")

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


ADA = BotSpec("ada", ("python", "bots/ada.py"), files=("bots",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with a bot of two files."""
    (tmp_path / "contest/bots/__pycache__").mkdir(parents=True)
    (tmp_path / "contest/bots/ada.py").write_text("print(1)\n")
    (tmp_path / "contest/bots/run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "contest/bots/run.sh").chmod(0o755)
    (tmp_path / "contest/bots/__pycache__/ada.pyc").write_text("stale")
    return tmp_path / "contest"


def test_a_fetched_bot_is_the_same_as_at_home_however_often_it_is_fetched(folder: Path, tmp_path: Path) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    assert packed.bot == replace(ADA, sha256=packed.bundle.sha256)
    assert there.lacks(packed.bundle)
    there.unpack(packed.bundle, packed.contents())
    assert not there.lacks(packed.bundle)
    assert there.problem(packed.bundle) is None
    entry = Site(tmp_path / "there", tmp_path, "python3", is_fetched=True).entry(packed.bot)
    assert (entry.command, entry.own_folder) == (("python3", "ada.py"), "bots")
    assert [path.name for path in sorted((entry.folder / "bots").iterdir())] == ["ada.py", "run.sh"]
    assert (entry.folder / "bots/ada.py").read_text() == "print(1)\n"
    assert os.access(entry.folder / "bots/run.sh", os.X_OK)
    for _ in range(2):
        there.unpack(packed.bundle, packed.contents())
    assert [path.name for path in (tmp_path / "there").iterdir()] == [packed.bundle.sha256]


@pytest.mark.parametrize("content", [b"print(2)\n", None])
def test_a_changed_byte_or_a_missing_file_is_found_later_too(
    folder: Path, tmp_path: Path, content: bytes | None
) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    there.unpack(packed.bundle, packed.contents())
    assert there.problem(packed.bundle) is None
    place = tmp_path / "there" / packed.bundle.sha256 / "bots/ada.py"
    place.unlink()
    if content:
        place.write_bytes(content)
    problem = there.problem(packed.bundle)
    assert problem is not None
    assert problem.startswith(f"{place}{' was changed here' if content else ': No such file'}")


def test_a_bundle_is_named_by_names_contents_and_what_may_run(folder: Path) -> None:
    names = {pack(ADA, folder).bundle.sha256}
    (folder / "bots/ada.py").chmod(0o755)
    names.add(pack(ADA, folder).bundle.sha256)
    (folder / "bots/ada.py").write_text("print(2)\n")
    names.add(pack(ADA, folder).bundle.sha256)
    (folder / "bots/ada.py").rename(folder / "bots/eve.py")
    names.add(pack(ADA, folder).bundle.sha256)
    assert len(names) == 4


def test_a_file_elsewhere_gets_a_name_inside(folder: Path, tmp_path: Path) -> None:
    place = str(folder / "bots/ada.py")
    (tmp_path / "other").mkdir()
    packed = pack(BotSpec("ada", ("python", place, "--level"), files=(place, "../contest/bots")), tmp_path / "other")
    assert packed.bot.command == ("python", "elsewhere0/ada.py", "--level")
    assert packed.bot.files == ("elsewhere0/ada.py", "elsewhere1/bots")
    names = [file.path for file in packed.bundle.files]
    assert names == ["elsewhere0/ada.py", "elsewhere1/bots/ada.py", "elsewhere1/bots/run.sh"]


def test_an_absolute_path_inside_keeps_its_own_name(folder: Path) -> None:
    packed = pack(replace(ADA, files=(str(folder / "bots"),)), folder)
    assert (packed.bot.command, packed.bot.files) == (("python", "bots/ada.py"), ("bots",))
    roundabout = replace(ADA, command=("python", "./bots/../bots/ada.py"), files=("./bots/",))
    assert [file.path for file in pack(roundabout, folder).bundle.files] == ["bots/ada.py", "bots/run.sh"]


def test_a_command_whose_file_would_stay_behind_is_refused(folder: Path) -> None:
    for files in ((), ("bots/run.sh",)):
        with pytest.raises(ContestError, match=r"names 'bots/ada.py', which is not in `files`"):
            pack(replace(ADA, files=files), folder)


def test_what_cannot_travel_is_refused_in_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        ContestError, match=r"^bot ada: .*gone.py: No such file or directory\.\nhint: correct its files"
    ):
        pack(replace(ADA, files=("bots", "gone.py")), folder)
    packed = pack(ADA, folder)
    monkeypatch.setattr(bot_files, "LARGEST", 10)
    with pytest.raises(ContestError, match="bot ada: its files are larger than"):
        packed.contents()
    (folder / "bots/ada.py").write_text("print(2)\n")
    with pytest.raises(ContestError, match=r"ada\.py was changed a moment ago"):
        packed.contents()


def test_a_bundle_that_is_not_whole_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    packed, there = pack(ADA, folder), FetchedFiles(tmp_path / "there")
    contents = packed.contents()
    del contents[packed.bundle.files[-1].sha256]
    with pytest.raises(KeyError):
        there.unpack(packed.bundle, contents)
    assert there.lacks(packed.bundle)
    assert list((tmp_path / "there").iterdir()) == []
