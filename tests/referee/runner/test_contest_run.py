"""Runs: the same digest whatever happens on the way, and a folder that describes its content."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.model.errors import ContestError, ContestFailed, Interrupted
from bourre_referee.model.site import Site
from bourre_referee.model.spec import MatchOutcome, RoomFailed, RoomSpec
from bourre_referee.ratings.batch import rate
from bourre_referee.runner import contest_run
from bourre_referee.runner.contest_run import GOODBYE, run
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.progress import Progress, Watch
from bourre_referee.runner.progress_reporter import LEADERS
from bourre_referee.runner.remote_worker import Close
from bourre_referee.runner.room_reports import RemotePresence, Report, RoomPlayed, WorkerNews
from bourre_referee.runner.worker import PlayRoom
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.rooms_file import read_rooms
from bourre_referee.storage.run.run import Run
from tests.end_to_end.processes import no_child_left
from tests.referee import contests, rooms
from tests.referee.in_process import run_in_process, stop_at
from tests.referee.matches import standings
from tests.referee.remote_desk import RemoteDesk, remote_contest
from tests.referee.rooms import play_room
from tests.referee.scripted_rooms import ScriptedRooms


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    """Ten matches in ten rooms."""
    return contests.small_contest(tmp_path / "contest")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "small"


@pytest.fixture
def outcomes(contest: Contest) -> list[MatchOutcome]:
    """The expected outcomes of the contest, in schedule order."""
    return [rooms.played(match) for match in matches_of(contest, master_seed(7))]


@pytest.fixture
def digest(outcomes: list[MatchOutcome]) -> str:
    """The digest that is expected at the end."""
    return hashlib.sha256("".join(outcome.record for outcome in outcomes).encode()).hexdigest()


@pytest.fixture(autouse=True)
def no_worker_left() -> Iterator[None]:
    with no_child_left():
        yield


def run_here(contest: Contest, folder: Path, play_room: PlayRoom, watch: Watch = lambda progress: None) -> Run:
    """Plays a run in this process, where rooms may fail."""
    return run(contest, folder, executor=ScriptedRooms(play_room).make, watch=watch)


def play_half(contest: Contest, folder: Path) -> None:
    """Leaves a run with five of its ten matches finished."""
    with pytest.raises(Interrupted) as caught:
        run_in_process(contest, folder, rooms.played, watch=stop_at(5))
    assert (caught.value.done, caught.value.total, str(caught.value.place)) == (5, 10, str(folder))


async def play_to_the_fifth(spec: RoomSpec) -> list[MatchOutcome]:
    """Plays five rooms, then fails like a host that breaks down."""
    return await (rooms.play_and_fail if spec.room > "m0005" else play_room)(spec)


def test_a_run_leaves_everything_in_its_folder(
    contest: Contest, folder: Path, outcomes: list[MatchOutcome], digest: str
) -> None:
    finished = run(contest, folder, jobs=2, play_room=play_room)
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "run.db", "run.lock", "standings.json"]
    assert finished.results() == [outcome.result for outcome in outcomes]
    assert [finished.record(match) for match in finished.matches()] == [outcome.record for outcome in outcomes]
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "run.db", "run.lock", "standings.json"]
    table = standings("small", "session", digest, finished.results(), contests.BOTS)
    assert standings_of(finished) == table
    assert (folder / "standings.json").read_text() == f"{table.to_json()}\n"


def test_the_manifest_says_what_was_played_and_proves_it(
    contest: Contest, folder: Path, outcomes: list[MatchOutcome], digest: str
) -> None:
    manifest = run_in_process(contest, folder, rooms.played).manifest
    assert (manifest.contest, manifest.matches, manifest.finished) == ("small", 10, 10)
    assert manifest.terms == terms_of(contest)
    assert manifest.terms.bots[0].files[0].sha256 == hashlib.sha256(b"print('ada')\n").hexdigest()
    assert manifest.digest == digest
    assert manifest.seed.commitment == hashlib.sha256(master_seed(7)).hexdigest()
    link = bytes.fromhex(manifest.terms_hash)
    for outcome in outcomes:
        link = hashlib.sha256(link + hashlib.sha256(outcome.record.encode()).digest()).digest()
    assert manifest.chain == link.hex()


def test_kept_processes_give_the_same_digest_even_if_bots_fail_and_the_run_is_interrupted(
    contest: Contest, folder: Path, digest: str
) -> None:
    kept = replace(contest, fresh=False)
    with pytest.raises(Interrupted):
        run_here(kept, folder, rooms.play_one_and_restart, stop_at(5))
    with pytest.raises(ContestError, match=r"\[table\] fresh was false, is true"):
        run(contest, folder, play_room=play_room)
    finished = run_here(kept, folder, rooms.play_one_and_restart)
    assert finished.manifest.digest == digest
    assert finished.manifest.terms.fresh is False


def test_finishing_order_changes_nothing(contest: Contest, folder: Path, digest: str) -> None:
    order = []

    def watch(progress: Progress) -> None:
        order.extend([progress.latest.match] if progress.latest else [])

    finished = run(contest, folder, executor=ScriptedRooms(last_first=True).make, watch=watch)
    assert order == [f"m{number:04d}" for number in range(10, 0, -1)]
    assert finished.manifest.digest == digest
    assert finished.matches() == tuple(reversed(order))


def test_what_an_executor_must_know_and_what_becomes_of_its_news(contest: Contest, folder: Path) -> None:
    heard: list[Progress] = []
    in_play: list[tuple[str, ...]] = []

    def watch(progress: Progress) -> None:
        heard.append(progress)
        in_play.extend([tuple(room.room for room in read_rooms(folder / "run.rooms"))] if progress.latest else [])

    async def play(spec: RoomSpec) -> list[MatchOutcome]:
        return [replace(outcome, notices=("no log",)) for outcome in await play_room(spec)]

    there = RemotePresence(("ada", "bob"), frozenset({"ada"}), "ada is here")
    news: dict[str, list[Report]] = {"m0002": [there], "m0003": [WorkerNews("a worker is new")]}
    hands = ScriptedRooms(play, news=news, summary=("alpha played all",))
    with Stop() as stop:
        run(contest, folder, executor=hands.make, watch=watch, stop=stop)
    (place,) = hands.places
    temporary = Path(place.environment["TMPDIR"])
    assert place.environment == {"TMPDIR": str(temporary)}
    assert place.site == Site(contest.folder, folder / "logs", copies=temporary / "bots")
    assert (place.stop, place.remote, temporary.exists()) == (stop, None, False)
    assert [progress.presence for progress in heard[:5]] == [*[None] * 3, there, replace(there, change="")]
    quiet = [(progress.done, progress.notices) for progress in heard if not progress.latest]
    assert quiet == [(0, ()), (0, ("no log",)), (1, ()), (2, ("a worker is new",)), (10, ("alpha played all",))]
    assert in_play == [(), *((f"m{number:04d}",) for number in range(2, 11))]
    assert not any(progress.room_failed for progress in heard)


def test_remote_bots_get_a_listener_and_a_goodbye_once_all_is_over(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, contest, hands = RemoteDesk(monkeypatch), remote_contest(tmp_path / "contest"), ScriptedRooms()
    heard: list[Progress] = []
    with pytest.raises(Interrupted):
        run(contest, folder, executor=hands.make, watch=stop_at(5))
    assert desk.workers[0].given == [], "they wait for what is left"
    run(contest, folder, executor=hands.make, watch=heard.append)
    assert desk.workers[1].given == [Close(GOODBYE)]
    assert [worker.ended for worker in desk.workers] == [["released", "stopped"]] * 2
    (told,) = (progress for progress in heard if progress.invitations)
    assert [(invitation.bot, invitation.token) for invitation in told.invitations] == [("ada", "")]
    assert (told.done, told.presence, heard[-1].presence) == (5, RemotePresence(("ada",)), RemotePresence(("ada",)))
    assert hands.places[1].remote is not None
    assert desk.environments[1]["TMPDIR"] == hands.places[1].environment["TMPDIR"]


class Late:
    """Collects matches as if their luck was not computed before the next room is played."""

    def __init__(self, *_: object, **__: object) -> None:
        self._late: list[MatchOutcome] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""

    def collect(self, report: RoomPlayed) -> Iterator[MatchOutcome]:
        self._late += report.outcomes
        return iter(())

    def finished(self) -> Iterator[MatchOutcome]:
        ready, self._late = self._late[:-1], self._late[-1:]
        return iter(ready)

    def wait(self) -> Iterator[MatchOutcome]:
        return iter(self._late)


def test_what_is_still_computed_when_a_run_is_stopped_is_stored(
    contest: Contest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(progress: Progress) -> None:
        if progress.latest and progress.done == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(contest_run, "BoardCollector", Late)
    with pytest.raises(Interrupted) as caught:
        run_here(contest, folder, play_room, stop)
    assert (caught.value.done, Run.open(folder).manifest.finished) == (5, 5)


def test_a_lost_room_changes_nothing_but_is_told_and_counted_for_ever(
    contest: Contest, folder: Path, digest: str
) -> None:
    heard: list[Progress] = []
    reasons = ["Traceback:\n  File\nKeyError: 'a mistake'\n", "killed by SIGKILL"]

    async def play(spec: RoomSpec) -> list[MatchOutcome]:
        if spec.room == "m0004" and reasons:
            raise RoomFailed(reasons.pop(0))
        return await play_room(spec)

    finished = run_here(contest, folder, play, heard.append)
    assert finished.manifest.digest == digest
    assert {match.match: match.attempt for match in finished.stored_matches() if match.attempt > 1} == {"m0004": 3}
    assert [(void.match, void.attempt, void.reason) for void in finished.voids()] == [
        ("m0004", 1, "KeyError: 'a mistake'"),
        ("m0004", 2, "killed by SIGKILL"),
    ]
    assert [progress.notices for progress in heard if progress.room_failed] == [
        ("room m0004 is void (attempt 1 of 3): Traceback:\n  File\nKeyError: 'a mistake'\n",),
        ("room m0004 is void (attempt 2 of 3): killed by SIGKILL",),
    ]


def test_a_lost_room_of_boards_voids_its_match_once(tmp_path: Path, folder: Path) -> None:
    text = contests.FILE.replace("deals = 4", 'deals = 4\nformat = "duplicate"')
    with pytest.raises(ContestFailed, match=r"room m0001.* failed 3 times"):
        run_here(contests.small_contest(tmp_path / "contest", text), folder, rooms.play_and_fail)
    assert [(void.match, void.attempt) for void in Run.open(folder).voids()] == [
        ("m0001", attempt) for attempt in (1, 2, 3)
    ]


def test_what_was_finished_before_the_host_gave_out_is_kept(contest: Contest, folder: Path, digest: str) -> None:
    with pytest.raises(ContestFailed, match="room m0006 failed 3 times"):
        run_here(contest, folder, play_to_the_fifth)
    assert Run.open(folder).manifest.finished == 5
    again = run_in_process(contest, folder, rooms.played)
    assert again.manifest.digest == digest
    assert [match.attempt for match in again.stored_matches()] == [1, 1, 1, 1, 1, 4, 1, 1, 1, 1]


def test_a_bot_that_never_plays_is_no_leader_even_when_the_run_goes_on(contest: Contest, folder: Path) -> None:
    heard: list[tuple[str, ...]] = []
    with pytest.raises(Interrupted):
        run_in_process(contest, folder, rooms.played_for_ada, watch=stop_at(5))
    finished = run_in_process(contest, folder, rooms.played_for_ada, watch=lambda told: heard.append(told.leaders()))
    assert "ada" in {seat.bot for result in finished.results()[:5] for seat in result.seats}
    assert [("ada" in leaders, len(leaders)) for leaders in heard] == [(False, LEADERS)] * 6


def test_tables_change_nothing(tmp_path: Path) -> None:
    text = contests.FILE.replace("seats = 3", "seats = 5").replace("rounds = 2", "rounds = 4")
    digests = {
        run_in_process(
            contests.small_contest(tmp_path / f"contest{tables}", text.replace("deals", f"tables = {tables}\ndeals")),
            tmp_path / f"run{tables}",
            rooms.played,
        ).manifest.digest
        for tables in (1, 2, 16)
    }
    assert len(digests) == 1


def test_progress_comes_before_the_first_card_and_after_every_match(contest: Contest, folder: Path) -> None:
    heard: list[Progress] = []
    finished = run_in_process(contest, folder, rooms.played, watch=heard.append)
    assert [(progress.done, progress.total, progress.resumed, progress.deals) for progress in heard] == [
        (done, 10, 0, 4 * done) for done in range(11)
    ]
    assert [progress.latest for progress in heard] == [None, *finished.results()]
    rated = rate(finished.results(), finished.bots)
    assert heard[-1].leaders() == tuple(sorted(rated, key=lambda bot: (-rated[bot].score, bot))[:LEADERS])
    assert [progress.announcement for progress in heard[1:]] == [None] * 10
    assert heard[0].announcement is not None
    assert heard[0].announcement.seed == finished.manifest.seed
    assert heard[0].announcement.seed.note == "practice seed, not secret"


def test_a_bots_first_fault_is_noticed_and_no_other(contest: Contest, folder: Path) -> None:
    heard: list[Progress] = []
    finished = run_in_process(contest, folder, rooms.played, watch=heard.append)
    expected, known = [], set()
    for result in finished.results():
        for bot, did in [(result.seats[0].bot, "was at fault"), (result.seats[1].bot, "reneged")]:
            if (bot, did) not in known:
                expected.append(f"{bot} {did} for the first time in {result.match}")
            known.add((bot, did))
    assert [notice for progress in heard for notice in progress.notices] == expected
    assert len(expected) == 10


def test_a_run_goes_on_where_it_was(contest: Contest, folder: Path, digest: str) -> None:
    play_half(contest, folder)
    half = Run.open(folder)
    assert (half.manifest.finished, half.manifest.digest, standings_of(half).matches) == (5, None, 5)
    assert standings_of(half).digest == ""
    assert not (folder / "standings.json").exists()
    heard: list[Progress] = []
    assert run_here(contest, folder, play_room, heard.append).manifest.digest == digest
    assert [(progress.done, progress.resumed) for progress in heard] == [(done, 5) for done in range(5, 11)]
    assert len(heard[0].leaders()) == LEADERS


def test_a_finished_run_is_left_as_it_is(contest: Contest, folder: Path) -> None:
    finished = run_in_process(contest, folder, rooms.played)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.suffix == ".json"}
    heard: list[Progress] = []
    assert run(contest, folder, jobs=2, play_room=rooms.play_and_fail, watch=heard.append) == finished
    assert [(progress.done, progress.total, progress.resumed) for progress in heard] == [(10, 10, 10)]
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.suffix == ".json"} == before


def test_a_run_killed_just_before_its_end_is_brought_to_it(contest: Contest, folder: Path) -> None:
    finished = run_in_process(contest, folder, rooms.played).manifest
    unfinished = finished.model_copy(update={"digest": None, "log": finished.log[:1]})
    (folder / "manifest.json").write_text(unfinished.model_dump_json())
    (folder / "standings.json").unlink()
    again = run(contest, folder, jobs=2, play_room=rooms.play_and_fail).manifest
    assert contests.but_for_its_log(again) == contests.but_for_its_log(finished)
    assert [entry.event for entry in again.log] == ["begun", "continued", "finished"]
    assert (folder / "standings.json").exists()
