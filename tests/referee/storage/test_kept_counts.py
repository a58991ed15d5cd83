"""What is kept of the records of a large run: the statistics are the same with it, without it, and if it is damaged."""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from shutil import copytree

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.statistics.analysis import analysis_json
from bourre_referee.statistics.match_counts import MatchCounts, count_record
from bourre_referee.storage import kept_counts, kept_ratings, user_cache
from bourre_referee.storage.kept_counts import NO_COUNTS_KEPT, CountsCache, counted_matches, open_counts_cache
from bourre_referee.storage.kept_ratings import NOTHING_KEPT, RatedRun, RatingsCache, rated_run
from bourre_referee.storage.packed_records import PackedRecord
from bourre_referee.storage.run import Run
from bourre_referee.storage.run_analysis import analyse_run
from tests.referee.tampering import Tamperer
from tests.referee.web.runs import duplicate_run
from tests.referee.web.serving import finished_run, void_match

OTHER_SEATS = "SELECT bot FROM seat AS other WHERE other.number = 3 AND other.seat = seat.seat"


def play_as_the_third(folder: Path, number: int, *, seats: bool = True) -> None:
    """Puts the record of the third match in the place of another, and its bots in their seats."""
    tamperer, (match, third) = Tamperer(folder), (f"m{number:04}", "m0003")
    header, *deals = tamperer.record(third)
    tamperer.write_record(match, [{**header, "match": match}, *deals])
    if seats:
        tamperer.execute(f"UPDATE seat SET bot = ({OTHER_SEATS}) WHERE number = ?", number)


BOTH = pytest.mark.parametrize("finished", [finished_run, duplicate_run], indirect=True)


@pytest.fixture(scope="module")
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run; of format `session`, unless the test says otherwise."""
    play: Callable[[Path], Path] = getattr(request, "param", finished_run)
    return play(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def run(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    for kept in (kept_counts, kept_ratings):
        monkeypatch.setattr(kept, "WORTH_KEEPING", 1)
    return Run.open(Path(copytree(finished, tmp_path / "run")))


@pytest.fixture
def cache(tmp_path: Path) -> CountsCache:
    return CountsCache(tmp_path / "cache")


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches whose records have been replayed."""
    names: list[str] = []

    def count(record: PackedRecord) -> MatchCounts:
        names.append(record.match)
        return count_record(record.text())

    monkeypatch.setattr(kept_counts, "_count_packed", count)
    return names


def stats(run: Run, cache: CountsCache) -> str:
    return analysis_json(*analyse_run(run, NOTHING_KEPT, cache, jobs=1))


def kept_file(cache: CountsCache) -> Path:
    assert cache.folder is not None
    (file,) = cache.folder.iterdir()
    return file


def rewrite(file: Path, change: Callable[[list[bytes]], object]) -> None:
    """Change the lines that a file holds, with the right hash."""
    lines = gzip.decompress(file.read_bytes().partition(b"\n")[2]).splitlines(keepends=True)
    change(lines)
    content = gzip.compress(b"".join(lines))
    file.write_bytes(sha256(content).hexdigest().encode() + b"\n" + content)


@BOTH
def test_what_was_kept_gives_the_same_statistics_without_a_replay(
    run: Run, cache: CountsCache, replayed: list[str]
) -> None:
    expected = stats(run, NO_COUNTS_KEPT)
    assert stats(run, cache) == expected
    assert replayed == [*run.matches()] * 2
    assert stats(run, cache) == expected
    assert len(replayed) == 2 * len(run.matches())


@BOTH
def test_kept_counts_are_exact(run: Run, cache: CountsCache) -> None:
    numbers = [match.stored.number for match in run.new_matches(()) or []]
    made = list(counted_matches(run, numbers, cache, jobs=1))
    assert list(counted_matches(run, numbers, cache, jobs=1)) == made


def test_only_new_matches_of_a_grown_run_are_replayed(run: Run, cache: CountsCache, replayed: list[str]) -> None:
    expected = stats(run, NO_COUNTS_KEPT)
    numbers = [match.stored.number for match in run.new_matches(()) or []]
    for part in (numbers[:2], numbers[3:5]):
        assert [counted.number for counted in counted_matches(run, part, cache, jobs=1)] == part
    replayed.clear()
    assert stats(run, cache) == expected
    matches = run.matches()
    assert replayed == [matches[2], *matches[5:]]
    assert stats(run, cache) == expected


@BOTH
def test_a_voided_match_no_longer_counts(run: Run, cache: CountsCache, replayed: list[str]) -> None:
    before = stats(run, cache)
    void_match(run.path, "m0002")
    replayed.clear()
    after = stats(run, cache)
    assert replayed == []
    assert before != after == stats(run, NO_COUNTS_KEPT)


@BOTH
def test_a_match_that_was_replaced_is_replayed_and_the_older_line_dropped(
    run: Run, cache: CountsCache, replayed: list[str]
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
    assert len(gzip.decompress(kept_file(cache).read_bytes().partition(b"\n")[2]).splitlines()) == 1 + len(numbers)


@pytest.mark.parametrize("named", ["another match", "other bots"])
def test_a_record_that_is_not_of_its_seats_is_not_counted(run: Run, cache: CountsCache, named: str) -> None:
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
    run: Run, cache: CountsCache, change: Callable[[list[bytes]], object], replayed: list[str]
) -> None:
    expected = stats(run, cache)
    rewrite(kept_file(cache), change)
    assert stats(run, cache) == expected
    replayed.clear()
    assert stats(run, cache) == expected
    assert replayed == []


@pytest.mark.parametrize("content", [b"", b"no file of ours", gzip.compress(b"1 2 3\n", mtime=0)[:-9]])
@pytest.mark.parametrize("hashed", [True, False])
def test_a_damaged_file_is_as_good_as_none(run: Run, cache: CountsCache, content: bytes, hashed: bool) -> None:
    expected = stats(run, cache)
    kept_file(cache).write_bytes((sha256(content).hexdigest().encode() + b"\n" if hashed else b"") + content)
    assert stats(run, cache) == expected


def test_a_file_that_breaks_off_is_used_up_to_there(run: Run, cache: CountsCache, replayed: list[str]) -> None:
    expected = stats(run, cache)
    content = kept_file(cache).read_bytes().partition(b"\n")[2][:-9]
    kept_file(cache).write_bytes(sha256(content).hexdigest().encode() + b"\n" + content)
    assert stats(run, cache) == expected
    replayed.clear()
    assert stats(run, cache) == expected
    assert replayed == []


@BOTH
def test_a_file_of_another_run_is_of_no_use(run: Run, cache: CountsCache, tmp_path: Path) -> None:
    other = Run.open(Path(copytree(run.path, tmp_path / "other")))
    numbers = [match.stored.number for match in other.new_matches(()) or []]
    for number in numbers:
        play_as_the_third(other.path, number)
    expected = stats(run, NO_COUNTS_KEPT)
    assert len(list(counted_matches(other, numbers, cache, jobs=1))) == len(numbers)
    kept_file(cache)
    assert stats(run, cache) == expected


def test_what_was_counted_before_an_error_is_kept(run: Run, cache: CountsCache, replayed: list[str]) -> None:
    sound = (run.path / "run.db").read_bytes()
    with closing(sqlite3.connect(run.path / "run.db")) as database, database:
        database.execute("UPDATE match SET record = x'00' WHERE number = 3")
    with pytest.raises(ContestError, match=r"^match m0003: its record is damaged .*; see `bourre verify`$"):
        stats(run, cache)
    (run.path / "run.db").write_bytes(sound)
    replayed.clear()
    assert stats(run, cache) == stats(run, NO_COUNTS_KEPT)
    matches = run.matches()
    assert replayed == [*matches[2:], *matches]


def test_a_match_that_is_gone_is_told_in_words(run: Run, cache: CountsCache) -> None:
    with pytest.raises(ContestError, match="a match was voided while its record was to be counted"):
        list(counted_matches(run, [1, 10**6], cache, jobs=1))


@BOTH
def test_the_ratings_that_were_kept_are_used_only_for_these_matches(run: Run, tmp_path: Path) -> None:
    ratings = RatingsCache(tmp_path / "ratings")
    expected = stats(run, NO_COUNTS_KEPT)
    made = rated_run(run, ratings)
    for _ in range(2):
        assert analysis_json(*analyse_run(run, ratings, NO_COUNTS_KEPT, jobs=1)) == expected
        fewer = dict(list(made.facts.items())[:-1])
        ratings.store(run, RatedRun(fewer, made.tally, made.ratings, made.rated - 1))


def test_no_folder_or_one_that_cannot_be_written_costs_only_time(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert stats(run, CountsCache(tmp_path / "file")) == stats(run, NO_COUNTS_KEPT)


def test_where_nothing_is_kept_every_record_is_read_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Sequence[int]] = []
    read = Run.packed_records

    def count(run: Run, numbers: Sequence[int]) -> Generator[PackedRecord, None, None]:
        reads.append(numbers)
        return read(run, numbers)

    monkeypatch.setattr(Run, "packed_records", count)
    assert [counted.number for counted in counted_matches(run, [1, 2], NO_COUNTS_KEPT, jobs=1)] == [1, 2]
    assert reads == [[1, 2]]


def test_a_small_run_is_not_kept(run: Run, cache: CountsCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_counts, "WORTH_KEEPING", 1_000)
    stats(run, cache)
    assert cache.folder is not None
    assert not cache.folder.exists()


@pytest.mark.parametrize(("digits", "replays"), [(400, 0), (5_000, 1)])
def test_chips_without_a_limit_are_exact_and_numbers_of_thousands_of_digits_not_kept(
    run: Run, cache: CountsCache, digits: int, replays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replays_of: list[str] = []

    def count(record: PackedRecord) -> MatchCounts:
        replays_of.append(record.match)
        counts = count_record(record.text())
        return replace(counts, seats=replace(counts.seats, unit=10**digits))

    monkeypatch.setattr(kept_counts, "_count_packed", count)
    made = list(counted_matches(run, [1], cache, jobs=1))
    assert list(counted_matches(run, [1], cache, jobs=1)) == made
    assert len(replays_of) == 1 + replays


def test_a_name_that_is_no_unicode_is_not_kept(run: Run, cache: CountsCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(record: PackedRecord) -> MatchCounts:
        counts = count_record(record.text())
        return replace(counts, flows=[replace(flow, bots=("\ud800", *flow.bots[1:])) for flow in counts.flows])

    monkeypatch.setattr(kept_counts, "_count_packed", count)
    for _ in range(2):
        (counted,) = counted_matches(run, [1], cache, jobs=1)
        assert counted.counts.flows[0].bots[0] == "\ud800"


def test_the_oldest_files_go_first(tmp_path: Path) -> None:
    for age, name in enumerate(("c", "a", "b")):
        (tmp_path / name).write_bytes(bytes(10))
        os.utime(tmp_path / name, ns=(0, age))
    user_cache.drop_oldest(tmp_path, 30)
    assert len(list(tmp_path.iterdir())) == 3
    user_cache.drop_oldest(tmp_path, 29)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "b"]
    user_cache.drop_oldest(tmp_path, 9)
    assert list(tmp_path.iterdir()) == []


def test_the_cache_is_in_the_users_folder() -> None:
    assert open_counts_cache({"XDG_CACHE_HOME": "/cache"}).folder == Path("/cache/bourre/counts-2")
    assert open_counts_cache({}) == NO_COUNTS_KEPT
