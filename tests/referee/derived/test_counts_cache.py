"""What is kept of the records of a large run: the statistics are the same with it, without it, and if it is damaged."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.derived import counts_cache, run_analysis
from bourre_referee.derived.counts_cache import KIND, counted_matches
from bourre_referee.derived.ratings_cache import RatedRun, rated_run, store_rated
from bourre_referee.derived.result_cache import NOTHING_KEPT, ResultCache
from bourre_referee.derived.run_analysis import analyse_run
from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.analysis import analysis_json
from bourre_referee.statistics.match_counts import MatchCounts, count_record
from bourre_referee.storage.database.packed_records import PackedRecord
from bourre_referee.storage.run.run import Run
from tests.referee.derived.kept_files import kept_file, rewrite
from tests.referee.in_process import finished_run
from tests.referee.tampering import Tamperer
from tests.referee.web.runs import duplicate_run
from tests.referee.web.serving import void_match

OTHER_SEATS = "SELECT bot FROM seat AS other WHERE other.number = 3 AND other.seat = seat.seat"


def play_as_the_third(folder: Path, number: int, *, seats: bool = True) -> None:
    """Puts the record of the third match in the place of another, and its bots in their seats."""
    tamperer, (match, third) = Tamperer(folder), (f"m{number:04}", "m0003")
    header, *deals = tamperer.record(third)
    tamperer.write_record(match, [{**header, "match": match}, *deals])
    if seats:
        tamperer.execute(f"UPDATE seat SET bot = ({OTHER_SEATS}) WHERE number = ?", number)


BOTH = pytest.mark.parametrize("finished", [finished_run, duplicate_run], indirect=True)


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches whose records have been replayed."""
    names: list[str] = []

    def count(record: PackedRecord) -> MatchCounts:
        names.append(record.match)
        return count_record(record.text())

    monkeypatch.setattr(counts_cache, "_count_packed", count)
    return names


@pytest.fixture(autouse=True)
def _no_kept_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every analysis is made from the counts."""
    monkeypatch.setattr(run_analysis, "load_analysis", lambda *_: None)


def stats(run: Run, cache: ResultCache) -> str:
    return analysis_json(*analyse_run(run, cache, jobs=1))


def change_lines(cache: ResultCache, change: Callable[[list[bytes]], object]) -> None:
    """Changes the lines that the only file holds."""

    def changed(content: bytes) -> bytes:
        lines = gzip.decompress(content).splitlines(keepends=True)
        change(lines)
        return gzip.compress(b"".join(lines))

    rewrite(cache, KIND, changed)


@BOTH
def test_what_was_kept_gives_the_same_statistics_without_a_replay(
    run: Run, cache: ResultCache, replayed: list[str]
) -> None:
    expected = stats(run, NOTHING_KEPT)
    assert stats(run, cache) == expected
    assert replayed == [*run.matches()] * 2
    assert stats(run, cache) == expected
    assert len(replayed) == 2 * len(run.matches())


@BOTH
def test_kept_counts_are_exact(run: Run, cache: ResultCache) -> None:
    numbers = [match.stored.number for match in run.new_matches(()) or []]
    made = list(counted_matches(run, numbers, cache, jobs=1))
    assert list(counted_matches(run, numbers, cache, jobs=1)) == made


def test_only_new_matches_of_a_grown_run_are_replayed(run: Run, cache: ResultCache, replayed: list[str]) -> None:
    expected = stats(run, NOTHING_KEPT)
    numbers = [match.stored.number for match in run.new_matches(()) or []]
    for part in (numbers[:2], numbers[3:5]):
        assert [counted.number for counted in counted_matches(run, part, cache, jobs=1)] == part
    replayed.clear()
    assert stats(run, cache) == expected
    matches = run.matches()
    assert replayed == [matches[2], *matches[5:]]
    assert stats(run, cache) == expected


@BOTH
def test_a_voided_match_no_longer_counts(run: Run, cache: ResultCache, replayed: list[str]) -> None:
    before = stats(run, cache)
    void_match(run.path, "m0002")
    replayed.clear()
    after = stats(run, cache)
    assert replayed == []
    assert before != after == stats(run, NOTHING_KEPT)


@BOTH
def test_a_match_that_was_replaced_is_replayed_and_the_older_line_dropped(
    run: Run, cache: ResultCache, replayed: list[str]
) -> None:
    numbers = [match.stored.number for match in run.new_matches(()) or []]
    made = {counted.number: counted for counted in counted_matches(run, numbers, cache, jobs=1)}
    others = {number: each.counts for number, each in made.items() if number != 2}
    play_as_the_third(run.path, 2)
    replayed.clear()
    for _ in range(2):
        again = {counted.number: counted for counted in counted_matches(run, numbers, cache, jobs=1)}
        assert {number: each.counts for number, each in again.items() if number != 2} == others
        assert again[2].counts == made[3].counts
        assert replayed == ["m0002"]
    assert len(gzip.decompress(kept_file(cache, KIND).read_bytes().partition(b"\n")[2]).splitlines()) == 1 + len(
        numbers
    )


@pytest.mark.parametrize("named", ["another match", "other bots"])
def test_a_record_that_is_not_of_its_seats_is_not_counted(run: Run, cache: ResultCache, named: str) -> None:
    if named == "other bots":
        play_as_the_third(run.path, 2, seats=False)
    else:
        Tamperer(run.path).change("m0002", 0, lambda header: header.update(match="m0003"))
    with pytest.raises(ContestError, match=rf"match m0002: its record is damaged \(it [a-z ]+ {named}"):
        list(counted_matches(run, [1, 2, 3], cache, jobs=1))
    with pytest.raises(ContestError, match="m0002"):
        run.record("m0002")


def _repeat_first(lines: list[bytes]) -> None:
    lines.append(lines[1])


def _forget_a_bot(lines: list[bytes]) -> None:
    lines[1] = lines[1].replace(b'"bots":["', b'"bots":["nobody ', 1)


def _drop_a_row(lines: list[bytes]) -> None:
    lines[2] = lines[2].replace(b'"chips":[[', b'"chips":[[1.0],[', 1)


def _swap_hashes(lines: list[bytes]) -> None:
    (one, first, *_), (two, second, *_) = lines[1].split(b" ", 2), lines[2].split(b" ", 2)
    lines[1:3] = [lines[1].replace(first, second, 1), lines[2].replace(second, first, 1)]
    assert one != two


@pytest.mark.parametrize(
    "change",
    [
        _repeat_first,
        _forget_a_bot,
        _drop_a_row,
        _swap_hashes,
        lambda lines: lines.__setitem__(0, b"bourre 0.0.1\n"),
        lambda lines: lines.__setitem__(1, b"1\n"),
        lambda lines: lines.__setitem__(1, b"\xb2 x {}\n"),
        lambda lines: lines.__setitem__(1, lines[1][:60] + b"\xff" + lines[1][61:]),
        lambda lines: lines.__setitem__(2, lines[2].replace(b'"unit":', b'"unit":1e', 1)),
        lambda lines: lines.__setitem__(2, lines[2].replace(b'"deals":', b'"strange":', 1)),
        lambda lines: lines.reverse(),
        lambda lines: lines.clear(),
    ],
)
def test_strange_lines_are_counted_anew(
    run: Run, cache: ResultCache, change: Callable[[list[bytes]], object], replayed: list[str]
) -> None:
    expected = stats(run, cache)
    change_lines(cache, change)
    assert stats(run, cache) == expected
    replayed.clear()
    assert stats(run, cache) == expected
    assert replayed == []


@pytest.mark.parametrize("content", [b"", b"no file of ours", gzip.compress(b"1 2 3\n", mtime=0)[:-9]])
def test_a_file_that_is_no_list_of_counts_is_as_good_as_none(run: Run, cache: ResultCache, content: bytes) -> None:
    expected = stats(run, cache)
    rewrite(cache, KIND, lambda _: content)
    assert stats(run, cache) == expected


def test_a_file_that_breaks_off_is_used_up_to_there(run: Run, cache: ResultCache, replayed: list[str]) -> None:
    expected = stats(run, cache)
    rewrite(cache, KIND, lambda content: content[:-9])
    assert stats(run, cache) == expected
    replayed.clear()
    assert stats(run, cache) == expected
    assert replayed == []


@BOTH
def test_a_file_of_another_run_is_of_no_use(run: Run, cache: ResultCache, tmp_path: Path) -> None:
    other = Run.open(Path(copytree(run.path, tmp_path / "other")))
    numbers = [match.stored.number for match in other.new_matches(()) or []]
    for number in numbers:
        play_as_the_third(other.path, number)
    expected = stats(run, NOTHING_KEPT)
    assert len(list(counted_matches(other, numbers, cache, jobs=1))) == len(numbers)
    kept_file(cache, KIND)
    assert stats(run, cache) == expected


def test_what_was_counted_before_an_error_is_kept(run: Run, cache: ResultCache, replayed: list[str]) -> None:
    sound = (run.path / "run.db").read_bytes()
    with closing(sqlite3.connect(run.path / "run.db")) as database, database:
        database.execute("UPDATE match SET record = x'00' WHERE number = 3")
    with pytest.raises(ContestError, match=r"^match m0003: its record is damaged .*\nhint: run bourre verify$"):
        stats(run, cache)
    (run.path / "run.db").write_bytes(sound)
    replayed.clear()
    assert stats(run, cache) == stats(run, NOTHING_KEPT)
    matches = run.matches()
    assert replayed == [*matches[2:], *matches]


def test_a_match_that_is_gone_is_told_in_words(run: Run, cache: ResultCache) -> None:
    with pytest.raises(ContestError, match="a match was annulled during the count"):
        list(counted_matches(run, [1, 10**6], cache, jobs=1))


@BOTH
def test_the_ratings_that_were_kept_are_used_only_for_these_matches(run: Run, cache: ResultCache) -> None:
    expected = stats(run, NOTHING_KEPT)
    made = rated_run(run, cache)
    for _ in range(2):
        assert stats(run, cache) == expected
        fewer = dict(list(made.facts.items())[:-1])
        store_rated(cache, run, RatedRun(fewer, made.tally, made.ratings, made.rated - 1))


def test_where_nothing_is_kept_every_record_is_read_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Sequence[int]] = []
    read = Run.packed_records

    def count(run: Run, numbers: Sequence[int]) -> Generator[PackedRecord, None, None]:
        reads.append(numbers)
        return read(run, numbers)

    monkeypatch.setattr(Run, "packed_records", count)
    assert [counted.number for counted in counted_matches(run, [1, 2], NOTHING_KEPT, jobs=1)] == [1, 2]
    assert reads == [[1, 2]]


@pytest.mark.parametrize(("digits", "replays"), [(400, 0), (5_000, 1)])
def test_chips_without_a_limit_are_exact_and_numbers_of_thousands_of_digits_not_kept(
    run: Run, cache: ResultCache, digits: int, replays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replays_of: list[str] = []

    def count(record: PackedRecord) -> MatchCounts:
        replays_of.append(record.match)
        counts = count_record(record.text())
        return replace(counts, seats=replace(counts.seats, unit=10**digits))

    monkeypatch.setattr(counts_cache, "_count_packed", count)
    made = list(counted_matches(run, [1], cache, jobs=1))
    assert list(counted_matches(run, [1], cache, jobs=1)) == made
    assert len(replays_of) == 1 + replays


def test_a_name_that_is_no_unicode_is_not_kept(run: Run, cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(record: PackedRecord) -> MatchCounts:
        counts = count_record(record.text())
        return replace(counts, flows=[replace(flow, bots=("\ud800", *flow.bots[1:])) for flow in counts.flows])

    monkeypatch.setattr(counts_cache, "_count_packed", count)
    for _ in range(2):
        (counted,) = counted_matches(run, [1], cache, jobs=1)
        assert counted.counts.flows[0].bots[0] == "\ud800"
