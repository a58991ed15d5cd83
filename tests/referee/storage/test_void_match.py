"""`bourre annul`: a voided match stays stored, is reported, and is played again with the same cards."""

import json
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre_referee.export.export_writer import export
from bourre_referee.model.errors import ContestError, ContestFailed
from bourre_referee.model.stored import HOST, ORGANISER, DiscardedMatch
from bourre_referee.runner.contest_run import run
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.run.folder_location import hold_lock
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_writer import RunWriter, with_matches
from bourre_referee.storage.run.void_match import replayed_lines, void
from tests.referee import contests, rooms
from tests.referee.command import Bourre, called, said_by
from tests.referee.in_process import finished_run, rooms_in_process, run_in_process
from tests.referee.tampering import Tamperer

SECRET = contests.FILE.replace("seed = 7\n", "")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture(scope="module", params=[contests.FILE, SECRET], ids=["public", "secret"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest and its finished run."""
    place = tmp_path_factory.mktemp("kept")
    finished_run(place, request.param)
    return place


@pytest.fixture
def place(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / "place"))


@pytest.fixture
def folder(place: Path) -> Path:
    return place / "run"


@pytest.fixture
def bourre() -> Iterator[Bourre]:
    with rooms_in_process():
        yield called


def is_secret(folder: Path) -> bool:
    return Run.open(folder).manifest.terms.seed is None


def test_a_match_is_taken_back_whole_and_kept(bourre: Bourre, folder: Path) -> None:
    before = Run.open(folder)
    record, results = before.record("m0003"), before.results()
    done = bourre("annul", folder, "3", "--reason", "the lights went out")
    assert (done.code, done.out) == (0, "m0003 is void: attempt 1, the lights went out\n")
    assert f"bourre run CONTEST --out {folder}\n" in done.err
    assert ("The seed was revealed" in done.err) == is_secret(folder)
    after = Run.open(folder)
    assert after.results() == [result for result in results if result.match != "m0003"]
    assert (after.manifest.finished, after.manifest.digest) == (9, None)
    assert not (folder / "standings.json").exists()
    (taken,) = after.voids()
    assert (taken.match, taken.attempt, taken.by, taken.reason) == ("m0003", 1, "organiser", "the lights went out")
    assert (taken.record, taken.revealed) == (record, is_secret(folder))
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith("run.db")) == ["run.db"]
    for table in ("seat", "renege", "fault", "remark"):
        assert Tamperer(folder).execute(f"SELECT count(*) FROM {table} WHERE number = 3") == [(0,)]


def test_the_next_run_plays_it_again_with_the_same_cards(bourre: Bourre, place: Path, folder: Path) -> None:
    first = Run.open(folder).manifest
    for attempt in (1, 2):
        void(folder, "m0003", "once more", NOON)
        assert bourre("verify", folder).code == 0
        done = bourre("run", place / "contest" / "contest.toml", "--out", folder, "--jobs", 1)
        assert done.code == 0
        assert "resumed: 9 of 10 matches were finished before\n" in done.err
        assert Tamperer(folder).execute("SELECT attempt FROM \"match\" WHERE match = 'm0003'") == [(attempt + 1,)]
    again = Run.open(folder)
    assert contests.but_for_its_log(again.manifest) == contests.but_for_its_log(first)
    events = [entry.event for entry in again.manifest.log]
    assert events == ["begun", "finished", *["voided", "continued", "finished"] * 2]
    assert [taken.record for taken in again.voids()] == [again.record("m0003")] * 2
    verified = bourre("verify", folder)
    assert verified.code == 0
    known = ", when the seed was public" if is_secret(folder) else ""
    assert f"void       m0003, attempt 2: voided by the organiser{known} (once more)" in verified.out


def test_the_standings_tell_of_it(bourre: Bourre, place: Path, folder: Path) -> None:
    plain = json.loads(bourre("standings", folder, "--json").out)
    assert "voids" not in plain
    assert ("commitment" in plain) == is_secret(folder)
    void(folder, "m0003", "smoke", NOON)
    assert "1 match was voided and not all replayed yet: m0003 (smoke)\n" in bourre("standings", folder).out
    bourre("run", place / "contest" / "contest.toml", "--out", folder, "--jobs", 1)
    table = bourre("standings", folder)
    assert "1 match was voided and replayed: m0003 (smoke)\n" in table.out
    assert ("the seed was public by then" in table.out) == is_secret(folder)
    document = json.loads(bourre("standings", folder, "--json").out)
    assert document.pop("voids") == [{"match": "m0003", "attempt": 1, "reason": "smoke"}]
    assert document == plain


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_run_killed_while_a_match_was_taken_back_takes_it_back_and_goes_on(
    place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Run.open(folder).manifest
    with monkeypatch.context() as patch:
        patch.setattr(Store, "void", killed)
        with pytest.raises(KeyboardInterrupt):
            void(folder, "m0003", "smoke", NOON)
    assert not Run.open(folder).manifest.complete
    text = SECRET if is_secret(folder) else contests.FILE
    contest = contests.small_contest(place / "contest", text)
    again = run_in_process(contest, folder)
    assert contests.but_for_its_log(again.manifest) == contests.but_for_its_log(whole)
    (taken,) = again.voids()
    assert (taken.match, taken.attempt, taken.reason, taken.at) == ("m0003", 1, "smoke", NOON.isoformat())
    assert taken.revealed == is_secret(folder)


def test_a_run_that_cannot_take_a_match_back_either_closes_its_database(
    place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = contests.small_contest(place / "contest", SECRET if is_secret(folder) else contests.FILE)
    monkeypatch.setattr(Store, "void", killed)
    with pytest.raises(KeyboardInterrupt):
        void(folder, "m0003", "smoke", NOON)
    closed: list[Store] = []
    close = Store.close

    def close_and_tell(store: Store) -> None:
        closed.append(store)
        close(store)

    monkeypatch.setattr(Store, "close", close_and_tell)
    with pytest.raises(KeyboardInterrupt):
        run_in_process(contest, folder)
    assert len(closed) == 1


def test_a_reason_is_a_line_of_text_and_the_match_is_known(bourre: Bourre, folder: Path) -> None:
    of_text = "the reason must be one line of printable text of at most 500 characters"
    reasons = ("", "  ", "two\nlines", "a \x1b[31mcolour", "x" * 501)
    for match, reason, said in (
        *(("m0003", reason, of_text) for reason in reasons),
        *((match, "smoke", ". Finished: m0001 to m0010, 10 in all") for match in ("m0011", "11", "first")),
    ):
        done = bourre("annul", folder, match, "--reason", reason)
        assert (done.code, done.out) == (2, "")
        assert said in done.err
    assert Run.open(folder).manifest.complete


def test_a_run_that_is_being_played_is_left_alone(folder: Path) -> None:
    with hold_lock(folder / "run.lock"), pytest.raises(ContestError, match="is playing this contest"):
        void(folder, "m0003", "smoke", NOON)
    assert Run.open(folder).voids() == []


def test_who_comes_second_is_told_that_the_match_is_gone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def first(path: Path) -> AbstractContextManager[None]:
        monkeypatch.undo()
        void(folder, "m0003", "smoke", NOON)
        return hold_lock(path)

    monkeypatch.setattr("bourre_referee.storage.run.folder_location.hold_lock", first)
    with pytest.raises(ContestError, match="m0003 was annulled a moment ago"):
        void(folder, "m0003", "fire", NOON)
    assert [taken.reason for taken in Run.open(folder).voids()] == ["smoke"]


def test_what_the_host_failed_is_kept_and_counted_across_runs(tmp_path: Path) -> None:
    contest = contests.small_contest(tmp_path / "contest")
    folder = tmp_path / "run"
    for _ in range(2):
        with pytest.raises(ContestFailed, match="room m0001 failed 3 times"):
            run(contest, folder, jobs=1, play_room=rooms.play_and_fail)
    assert [(lost.match, lost.attempt, lost.by) for lost in Run.open(folder).voids()] == [
        ("m0001", attempt, "host") for attempt in range(1, 7)
    ]
    finished = run_in_process(contest, folder)
    assert {lost.reason for lost in finished.voids()} == {"no sandbox for m0001"}
    assert Tamperer(folder).execute("SELECT attempt FROM \"match\" WHERE match = 'm0001'") == [(7,)]
    done = called("verify", folder)
    export(finished, "jsonl", tmp_path / "out", tables=())
    assert called("verify", tmp_path / "out") == done
    assert len((tmp_path / "out" / "voids.jsonl").read_text().splitlines()) == 6
    assert len(list((tmp_path / "out" / "records").iterdir())) == 10  # void matches have none
    assert done.code == 0
    assert "void       m0001, attempt 6: lost without a bot's fault (no sandbox for m0001)" in done.out
    assert "voids" not in json.loads(called("standings", folder, "--json").out)
    assert "1 match was lost without a bot's fault and replayed: m0001 (no sandbox" in called("standings", folder).out


def test_what_bourre_would_not_write_of_a_void_playing_is_found(folder: Path) -> None:
    void(folder, "m0003", "smoke", NOON)
    for at, reason, says in (
        ("yesterday", "smoke", "time 'yesterday', which is not ISO 8601 in UTC"),
        ("2026-01-02T13:00:00+01:00", "smoke", "time '2026-01-02T13"),
        ("2026-01-02", "smoke", "time '2026-01-02', which is"),
        (5, "smoke", "time "),
        (NOON.isoformat(), "", "reason '', which `bourre annul` refuses"),
        (NOON.isoformat(), "\x1b", "reason '\\x1b', which"),
    ):
        Tamperer(folder).execute("UPDATE void SET at = ?, reason = ?", at, reason)
        found = said_by(4, "verify", folder)
        assert found.startswith(f"difference: match m0003: the discarded attempt 1 has the {says}")


def test_whether_the_seed_was_revealed_is_yes_or_no_and_of_a_public_seed_no(bourre: Bourre, folder: Path) -> None:
    void(folder, "m0003", "smoke", NOON)
    Tamperer(folder).execute("UPDATE void SET revealed = revealed + 1")
    done = bourre("verify", folder)
    says = "match m0003: whether a secret seed was revealed before attempt 1 was discarded is True, should be False"
    if is_secret(folder):
        says = (
            "run.db: table void, match 'm0003', attempt 1: revealed holds an integer other than 0 and 1, "
            "should hold integer"
        )
    assert (done.code, done.err) == (4, "")
    assert done.out == f"difference: {says}\n"


def test_another_playing_cannot_be_put_in_the_place_of_a_void_one(bourre: Bourre, place: Path, folder: Path) -> None:
    void(folder, "m0003", "smoke", NOON)
    hand = Tamperer(folder)
    hand.execute("UPDATE void SET record = (SELECT record FROM \"match\" WHERE match = 'm0004')")
    done = bourre("verify", folder)
    assert done.code == 4
    assert "difference: match m0003: the record's match is 'm0004', should be 'm0003'" in done.out
    hand.execute("DELETE FROM void")
    gone = bourre("verify", folder)
    assert (gone.code, "match m0003: attempt 1 is voided in the log of manifest.json" in gone.out) == (4, True)
    bourre("run", place / "contest" / "contest.toml", "--out", folder, "--jobs", 1)
    hand.execute("UPDATE \"match\" SET attempt = 2 WHERE match = 'm0003'")
    hidden = bourre("verify", folder)
    assert hidden.code == 4
    assert "match m0003: its attempt, one more than the discarded ones, is 2, should be 1" in hidden.out


def test_several_matches_are_voided_in_any_order(folder: Path) -> None:
    run = Run.open(folder)
    with run.place.open_to_write(run.manifest.seed.commitment) as store:
        writer = RunWriter(run.place, store, run.manifest)
        for match in ("m0005", "m0002"):
            writer.void(match, "smoke", NOON)
        assert writer.manifest == with_matches(writer.manifest, store.record_hashes()) == Run.open(folder).manifest
        assert [void.match for void in store.voids()] == ["m0002", "m0005"]


def test_matches_that_share_a_reason_are_told_together() -> None:
    def gone(match: str, attempt: int, by: str, reason: str, revealed: bool = False) -> DiscardedMatch:
        return DiscardedMatch(match, attempt, by, reason, "", revealed, None)

    lost = [gone("m0001", 1, HOST, "no disk"), gone("m0001", 2, HOST, "no disk"), gone("m0002", 1, HOST, "no disk")]
    voided = [gone("m0004", 1, ORGANISER, "smoke"), gone("m0005", 1, ORGANISER, "smoke", revealed=True)]
    told = list(replayed_lines([*lost, gone("m0003", 1, HOST, "fire"), *voided], [f"m000{n}" for n in (1, 2, 3, 4)]))
    assert told == [
        "2 matches were voided and not all replayed yet: m0004, m0005 (smoke)",
        "3 matches were lost without a bot's fault and replayed: m0001, m0002 (no disk); m0003 (fire)",
        "the seed was public by then: whoever replayed them could know the cards",
    ]
