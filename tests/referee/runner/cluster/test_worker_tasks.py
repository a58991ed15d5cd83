"""What a worker does when it is asked: only in the process that was examined, only with sound files."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from distributed import Worker

from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotEntry, BotSpec, Clock, Isolation, Level, OwnIsolation, RoomSpec
from bourre_referee.runner.cluster import worker_tasks as tasks
from bourre_referee.runner.cluster.bot_files import FetchedFiles, PackedBot, pack
from bourre_referee.runner.cluster.room_processes import RoomProcesses, WorkerRoomAnswer
from bourre_referee.runner.cluster.worker_tasks import Unfit, find_unfitness, own_installation, reference_room
from bourre_referee.runner.worker import Failed, Played
from bourre_referee.server.host_check import last_words
from tests.referee.rooms import Rooms, played

PLAIN = Isolation()
ADA = BotSpec("ada", ("python", "ada.py"), files=("ada.py",))


def reason(*bots: BotSpec, place: Path, isolation: Isolation = PLAIN) -> str | None:
    """Why a site in this folder cannot start these bots."""
    found = find_unfitness(bots, isolation, Site(place, place / "logs"))
    return found.reason if found else None


@pytest.mark.parametrize("part", ["bourre", "protocol", "build"])
def test_another_installation_is_told_by_what_differs(part: str) -> None:
    own = own_installation()
    assert own.difference(asdict(own)) is None
    found = own.difference({**asdict(own), part: "9.9"})
    assert found is not None
    assert f"{part} is 9.9 there, and {asdict(own)[part]} here" in found.reason
    missing = own.difference({})
    assert missing is not None
    assert "bourre is unknown there" in missing.reason


def test_a_program_a_venv_or_a_variable_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.py").touch()
    assert reason(ADA, place=tmp_path) is None
    assert reason(replace(ADA, command=("no-such-program", "ada.py")), place=tmp_path) == (
        "bot ada: no no-such-program there.\nhint: install it, or play without this machine"
    )
    assert reason(replace(ADA, venv="env"), place=tmp_path) == (
        f"bot ada: no {tmp_path / 'env'} there.\nhint: install it, or play without this machine"
    )
    monkeypatch.delenv("BOT_KEY", raising=False)
    needy = replace(ADA, environment=("BOT_KEY",))
    assert "BOT_KEY" in (reason(needy, place=tmp_path) or "")
    monkeypatch.setenv("BOT_KEY", "secret")
    assert reason(needy, place=tmp_path) is None


def test_each_isolation_is_tried_with_the_bots_that_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[Level, list[str]]] = []

    def probe(isolation: Isolation, entries: list[BotEntry]) -> str | None:
        tried.append((isolation.level, [entry.name for entry in entries]))
        return "no box" if isolation.level is Level.BWRAP else None

    monkeypatch.setattr(tasks, "unavailable_reason", probe)
    boxed = replace(ADA, name="bob", isolation=OwnIsolation(Level.BWRAP))
    assert reason(ADA, boxed, place=tmp_path) == 'isolation level = "bwrap" is not available there: no box'
    assert tried == [(Level.NONE, ["ada"]), (Level.BWRAP, ["bob"])]


def test_the_last_line_of_a_reference_bot_says_why() -> None:
    assert last_words("one\ntwo\n\n") == "two"
    assert last_words("") == "they printed nothing"


def test_a_folder_that_every_box_shows_is_no_place_for_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "find_exposing_folder", lambda isolation, folder: folder.parent)
    (tmp_path / "ada.py").touch()
    assert reason(ADA, place=tmp_path) == (
        f"every bot could read {tmp_path / 'logs'}, because sandboxes contain {tmp_path}.\n"
        "hint: set TMPDIR to another folder"
    )


def test_reference_bots_have_ample_time_to_start_and_no_fault_to_spare() -> None:
    boxed = Isolation(Level.BWRAP)
    room = reference_room(boxed, Clock(start_ms=1, decision_ms=1, bank_ms=1))
    assert room.clock == Clock()
    assert reference_room(boxed, Clock(start_ms=60_000)).clock == Clock(start_ms=60_000)
    assert (room.isolation, room.max_faults, room.tables, room.matches[0].deals) == (boxed, 1, 1, 1)
    assert [bot.name for bot in room.entries] == list(room.matches[0].line_up) == ["own1", "own2"]


PROCESS = "Worker-1"


class FakeCrew(RoomProcesses):
    """Plays a room as the test says."""

    def __init__(self, folder: Path, play: Callable[[RoomSpec], WorkerRoomAnswer]) -> None:
        self.files = FetchedFiles(folder / "bots")
        self._play = play
        self.rooms: list[RoomSpec] = []
        self._folder = folder
        self._place = Site(folder / "bots", folder / "logs", is_fetched=True)

    @property
    def temp(self) -> Path:
        return Path("/tmp")  # a socket fits in it, however deep the folder of this test is

    @property
    def site(self) -> Site:
        return self._place

    def play(self, room: RoomSpec, is_wanted: Callable[[], bool] = lambda: True) -> WorkerRoomAnswer:
        assert is_wanted()
        self.rooms.append(room)
        return self._play(room)


def good(room: RoomSpec) -> WorkerRoomAnswer:
    return WorkerRoomAnswer(Played(tuple(map(played, room.matches))), {}, 1.0)


@pytest.fixture
def packed(rooms: Rooms, tmp_path: Path) -> list[PackedBot]:
    """The bots of the first room."""
    return [pack(bot, tmp_path / "contest") for bot in rooms[0].entries]


@pytest.fixture
def hire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[RoomSpec], WorkerRoomAnswer]], FakeCrew]:
    """Makes this process a Dask worker with such a crew."""

    def hire(play: Callable[[RoomSpec], WorkerRoomAnswer]) -> FakeCrew:
        crew = FakeCrew(tmp_path / "there", play)
        worker = worker_with(state="executing")
        worker.extensions = {"bourre": crew}
        monkeypatch.setattr(tasks, "get_worker", lambda: worker)
        return crew

    return hire


def worker_with(state: str | None) -> SimpleNamespace:
    """A Dask worker in whose task this is called."""
    known = {"key": SimpleNamespace(state=state)} if state else {}
    return SimpleNamespace(
        id=PROCESS, extensions={}, state=SimpleNamespace(tasks=known), get_current_task=lambda: "key"
    )


Hire = Callable[[Callable[[RoomSpec], WorkerRoomAnswer]], FakeCrew]


def test_what_was_meant_for_another_process_is_not_done(rooms: Rooms, hire: Hire) -> None:
    hire(good)
    with pytest.raises(tasks.AnotherProcess, match="Worker-0 is gone"):
        tasks.play("Worker-0", rooms[0], [])
    assert isinstance(tasks.play(PROCESS, rooms[0], []), WorkerRoomAnswer)


@pytest.mark.parametrize(("state", "wanted"), [("executing", True), ("cancelled", False), (None, False)])
def test_a_room_is_wanted_as_long_as_its_task_executes(state: str | None, wanted: bool) -> None:
    assert tasks._is_wanted(cast("Worker", worker_with(state)), "key") == wanted


def test_a_bot_that_changes_while_it_plays_makes_its_worker_unfit(
    rooms: Rooms, packed: list[PackedBot], hire: Hire, tmp_path: Path
) -> None:
    bundles = [bot.bundle for bot in packed]

    def change(room: RoomSpec) -> WorkerRoomAnswer:
        (file,) = bundles[0].files
        (tmp_path / "there/bots" / bundles[0].sha256 / file.path).write_text("print('changed')\n")
        return good(room)

    hire(change)
    assert tasks.find_missing(PROCESS, bundles) == [bundle.sha256 for bundle in bundles]
    for bot in packed:
        tasks.unpack(PROCESS, bot.bundle, bot.contents())
    assert tasks.find_missing(PROCESS, bundles) == []
    answer = tasks.play(PROCESS, rooms[0], bundles)
    assert isinstance(answer, Unfit)
    assert "was changed here" in answer.reason


def test_a_bot_that_was_changed_before_is_not_played_nor_examined(
    rooms: Rooms, packed: list[PackedBot], hire: Hire, tmp_path: Path
) -> None:
    crew, bundles = hire(good), [bot.bundle for bot in packed]
    for bot in packed:
        tasks.unpack(PROCESS, bot.bundle, bot.contents())
    (file,) = bundles[-1].files
    (tmp_path / "there/bots" / bundles[-1].sha256 / file.path).write_text("print('changed')\n")
    for answer in (
        tasks.play(PROCESS, rooms[0], bundles),
        tasks.examine(PROCESS, [bot.bot for bot in packed], bundles, Isolation(), Clock()),
    ):
        assert isinstance(answer, Unfit)
        assert "was changed here" in answer.reason
    assert crew.rooms == []


def examined(packed: list[PackedBot]) -> str | None:
    for bot in packed:
        tasks.unpack(PROCESS, bot.bundle, bot.contents())
    found = tasks.examine(PROCESS, [bot.bot for bot in packed], [bot.bundle for bot in packed], Isolation(), Clock())
    return found.reason if found else None


def test_a_worker_where_a_reference_bot_cannot_play_is_unfit(packed: list[PackedBot], hire: Hire) -> None:
    hire(lambda room: WorkerRoomAnswer(Failed("no memory"), {}, 1.0))
    assert examined(packed) == "a reference bot cannot play there: no memory"
    # The fake bots of these rooms commit faults.
    hire(lambda room: WorkerRoomAnswer(good(room).answer, {"own1": b"No module named 'bourre'\n"}, 1.0))
    assert (examined(packed) or "").startswith(
        "a reference bot cannot play there (No module named 'bourre').\nhint: install bourre for "
    )


def test_a_reference_bot_plays_at_each_isolation(
    packed: list[PackedBot], hire: Hire, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[list[str], Isolation, Site]] = []

    def find_nothing(bots: Sequence[BotSpec], isolation: Isolation, site: Site) -> None:
        asked.append(([bot.name for bot in bots], isolation, site))

    def without_faults(room: RoomSpec) -> WorkerRoomAnswer:
        outcomes = (replace(played(match), faults=()) for match in room.matches)
        return WorkerRoomAnswer(Played(tuple(outcomes)), {}, 1.0)

    monkeypatch.setattr(tasks, "find_unfitness", find_nothing)
    crew, boxed = hire(without_faults), Isolation(Level.BWRAP)
    first, *others = packed
    clock = Clock(start_ms=70_000)
    bots = [replace(first.bot, isolation=OwnIsolation(Level.BWRAP)), *(other.bot for other in others)]
    assert tasks.examine(PROCESS, bots, [], Isolation(), clock) is None
    assert crew.rooms == [reference_room(isolation, clock) for isolation in (Isolation(), boxed)]
    assert asked == [([bot.name for bot in bots], Isolation(), crew.site)]
    monkeypatch.setattr(tasks, "socket_problem", lambda folder: f"{folder}: too long")
    assert tasks.examine(PROCESS, bots, [], Isolation(), clock) == Unfit(f"{crew.temp}: too long")


def test_a_worker_has_one_crew_as_long_as_it_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    worker = worker_with("executing")
    monkeypatch.setattr(tasks, "get_worker", lambda: worker)
    assert tasks.introduce()["process"] == PROCESS
    for _ in range(2):
        assert tasks.find_missing(PROCESS, []) == []
    (crew,) = worker.extensions.values()
    assert len(list(tmp_path.iterdir())) == 1
    crew.close()
