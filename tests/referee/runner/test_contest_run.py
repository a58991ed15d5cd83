"""Runs: the same digest whatever happens on the way, and a folder that describes its content."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bourre.rules.deck import master_seed
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.model.errors import ContestError, ContestFailed, Interrupted
from bourre_referee.model.spec import MatchOutcome, RoomSpec
from bourre_referee.ratings.in_order import rate_in_order
from bourre_referee.runner.contest_run import LEADERS, run
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.room_reports import PlayRoom
from bourre_referee.statistics.ranking import standings
from bourre_referee.storage.contest_terms import terms_of
from bourre_referee.storage.run_folder import RunFolder
from tests.end_to_end.processes import no_child_left
from tests.referee import contests, rooms
from tests.referee.in_process import run_in_process
from tests.referee.rooms import play_room

pytestmark = pytest.mark.xdist_group("processes")


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


def play_half(contest: Contest, folder: Path) -> None:
    """Leaves a run with five of its ten matches finished."""

    def stop(progress: Progress) -> None:
        if progress.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        run_in_process(contest, folder, rooms.played, watch=stop)
    assert (caught.value.done, caught.value.total, str(caught.value.place)) == (5, 10, str(folder))


async def play_to_the_fifth(spec: RoomSpec) -> list[MatchOutcome]:
    """Plays five rooms, then fails like a host that breaks down."""
    return await (rooms.play_and_fail if spec.room > "m0005" else play_room)(spec)


@pytest.mark.parametrize("play_room", [play_room, rooms.play_one_and_restart])
def test_kept_processes_give_the_same_digest_even_if_bots_fail_and_the_run_is_interrupted(
    contest: Contest, folder: Path, digest: str, play_room: PlayRoom
) -> None:
    def stop(progress: Progress) -> None:
        if progress.done >= 5:
            raise KeyboardInterrupt

    kept = replace(contest, fresh=False)
    with pytest.raises(Interrupted):
        run(kept, folder, jobs=2, play_room=play_room, watch=stop)
    with pytest.raises(ContestError, match=r"\[table\] fresh was false, is true"):
        run(contest, folder, play_room=play_room)
    finished = run(kept, folder, jobs=2, play_room=play_room)
    assert finished.manifest.digest == digest
    assert finished.manifest.terms.fresh is False


def test_a_run_leaves_everything_in_its_folder(
    contest: Contest, folder: Path, outcomes: list[MatchOutcome], digest: str
) -> None:
    finished = run(contest, folder, jobs=2, play_room=play_room)
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "run.db", "run.lock", "standings.json"]
    assert finished.results() == [outcome.result for outcome in outcomes]
    assert [finished.record(match) for match in finished.matches()] == [outcome.record for outcome in outcomes]
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.json", "run.db", "run.lock", "standings.json"]
    table = standings("small", "session", digest, finished.results(), contests.BOTS)
    assert finished.standings() == table
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


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_workers_changes_nothing(contest: Contest, folder: Path, digest: str, jobs: int) -> None:
    assert run(contest, folder, jobs=jobs, play_room=play_room).manifest.digest == digest


def test_finishing_order_changes_nothing(contest: Contest, folder: Path, digest: str, tmp_path: Path) -> None:
    line = tmp_path / "line"
    os.mkfifo(line)
    order = []

    def release_the_first_at_the_end(progress: Progress) -> None:
        order.extend([progress.latest.match] if progress.latest else [])
        if progress.done == 9:
            line.write_text("go on")

    late = partial(rooms.play_when_told, line, "m0001")
    finished = run(contest, folder, jobs=2, play_room=late, watch=release_the_first_at_the_end)
    assert order[-1] == "m0001"
    assert finished.manifest.digest == digest
    assert finished.matches() == tuple(f"m{number:04d}" for number in range(1, 11))


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
    live = rate_in_order(finished.results(), finished.bots)
    best = sorted(live, key=lambda bot: (-live[bot].score, bot))
    assert (heard[0].leaders, heard[-1].leaders) == ((), tuple(best[:LEADERS]))
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


def test_a_worker_that_is_killed_changes_nothing_but_is_told(
    contest: Contest, folder: Path, digest: str, tmp_path: Path
) -> None:
    heard: list[Progress] = []
    dying = partial(rooms.play_or_die, tmp_path, "m0004")
    finished = run(contest, folder, jobs=2, play_room=dying, watch=heard.append)
    assert finished.manifest.digest == digest
    assert [match.match for match in finished.stored_matches() if match.attempt == 2] == ["m0004"]
    lost = "room m0004 is void (attempt 1 of 3): the worker process was killed by SIGKILL"
    assert [progress.notices for progress in heard if progress.room_failed] == [(lost,)]


def test_what_was_finished_before_the_host_gave_out_is_kept(contest: Contest, folder: Path, digest: str) -> None:
    with pytest.raises(ContestFailed, match="room m0006 failed 3 times"):
        run(contest, folder, jobs=1, play_room=play_to_the_fifth)
    assert RunFolder.open(folder).manifest.finished == 5
    assert run_in_process(contest, folder, rooms.played).manifest.digest == digest


def test_a_run_goes_on_where_it_was(contest: Contest, folder: Path, digest: str) -> None:
    play_half(contest, folder)
    half = RunFolder.open(folder)
    assert (half.manifest.finished, half.manifest.digest, half.standings().matches) == (5, None, 5)
    assert half.standings().digest == ""
    assert not (folder / "standings.json").exists()
    heard: list[Progress] = []
    assert run(contest, folder, jobs=2, play_room=play_room, watch=heard.append).manifest.digest == digest
    assert [(progress.done, progress.resumed) for progress in heard] == [(done, 5) for done in range(5, 11)]
    assert len(heard[0].leaders) == LEADERS


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


def test_an_unknown_match_is_refused_with_those_there_are(contest: Contest, folder: Path) -> None:
    play_half(contest, folder)
    with pytest.raises(ContestError) as caught:
        RunFolder.open(folder).record("m0006")
    assert str(caught.value) == f"{folder}: there is no finished match 'm0006'; finished: m0001 to m0005, 5 in all"
