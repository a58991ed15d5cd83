"""The tables in their three forms: the same cells, exact chips, flat memory, safe in a spreadsheet."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Generator
from pathlib import Path

import pyarrow.parquet
import pytest

from bourre.extras import install_command
from bourre_referee.export.export_tables import TABLES, Cell, Work, columns_of, encoded_matches
from bourre_referee.export.export_writer import JSONL, csv_lines, export, json_lines, open_csv, open_jsonl
from bourre_referee.export.parquet import GROUP_ROWS, cells_of, open_parquet
from bourre_referee.export.result_rows import block_rows, match_row, rating_rows, seat_rows
from bourre_referee.export.table_rows import BlockRow, RatingTableRow
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import DealResult
from bourre_referee.model.stored import StoredMatch, StoredSeat
from bourre_referee.ratings import draw_share, rate
from bourre_referee.ratings.in_order import rate_in_order
from bourre_referee.storage.run.run import Run
from bourre_referee.text.amounts import in_840, in_chips
from tests.long_tests import mostly_long
from tests.referee import contests, talking_rooms
from tests.referee.command import Bourre, said_by
from tests.referee.in_process import run_in_process
from tests.referee.tampering import Tamperer

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished run, with every kind of mistake in it."""
    place = tmp_path_factory.mktemp("kept")
    return run_in_process(contests.small_contest(place / "contest"), place / "run", talking_rooms.plainly)


def lines(path: Path) -> list[dict[str, Cell]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def as_csv(cell: Cell) -> str:
    """A cell as CSV writes it."""
    if cell is None or isinstance(cell, bool):
        return "" if cell is None else str(cell).lower()
    return str(cell).removesuffix(".0")


@pytest.fixture(scope="module")
def forms(kept: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an export of the run in every form, named after it."""
    place = tmp_path_factory.mktemp("forms")
    for form in ("csv", "jsonl", "parquet"):
        export(kept, form, place / form)
    return place


@pytest.mark.parametrize("table", [table for table in TABLES if table != "calls"])  # no model played here
def test_every_form_has_the_same_cells(forms: Path, table: str) -> None:
    rows = lines(forms / "jsonl" / "tables" / f"{table}.jsonl")
    arrow = pyarrow.parquet.read_table(forms / "parquet" / f"{table}.parquet")
    sheet = list(csv.DictReader((forms / "csv" / f"{table}.csv").read_text().splitlines()))
    assert (
        list(rows[0]) == list(sheet[0]) == arrow.column_names == [column.name for column in columns_of(TABLES[table])]
    )
    assert arrow.to_pylist() == rows
    assert sheet == [{name: as_csv(cell) for name, cell in row.items()} for row in rows]


def test_only_the_tables_asked_for_are_written(bourre: Bourre, kept: Run, tmp_path: Path) -> None:
    words = ("export", kept.path, "--format", "csv", "--table", "seats", "--table", "ratings")
    assert bourre(*words, "--out", tmp_path / "out").code == 0
    names = ["README.txt", "ratings.csv", "seats.csv", "standings.csv"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert "decisions" not in (tmp_path / "out" / "README.txt").read_text()
    done = bourre(*words, "--table", "games", "--out", tmp_path / "other")
    assert done.code == 2
    assert "Unknown table 'games'. Tables: matches, seats, blocks, deals, decisions, notes, calls, usage" in done.err


def test_the_tables_of_a_run_agree_with_each_other(forms: Path) -> None:
    rows = {name: lines(forms / "jsonl" / "tables" / f"{name}.jsonl") for name in TABLES}
    assert len(rows["seats"]) == 30
    for seat in rows["seats"]:
        own = [row for row in rows["deals"] if (row["match"], row["bot"]) == (seat["match"], seat["bot"])]
        assert len(own) == 4
        assert sum(int(row["chips_840"] or 0) for row in own) == seat["chips_840"]
        for one, all_ in (("won", "wins"), ("bourred", "bourres"), ("reneges", "reneges"), ("faults", "faults")):
            assert sum(int(row[one] or 0) for row in own) == seat[all_]
        assert seat["reneges"] == sum(int(n or 0) for key, n in seat.items() if key.startswith("reneges_"))
        assert seat["faults"] == sum(int(n or 0) for key, n in seat.items() if key.startswith("faults_"))
    assert sum(int(row["reneges"] or 0) for row in rows["seats"]) > 0
    assert [(row["match"], row["bot"], row["chips"]) for row in rows["blocks"]] == [
        (row["match"], row["bot"], row["chips"]) for row in rows["seats"]
    ]


def test_the_ratings_are_those_of_the_standings_and_of_one_pass(kept: Run) -> None:
    results = kept.results()
    rows = list(rating_rows(results, kept.bots))
    batch = {row.bot: (row.number, row.mu, row.sigma, row.score) for row in rows if row.way == "batch"}
    assert batch == {bot: (10, one.mu, one.sigma, one.score) for bot, one in rate(results, kept.bots).items()}
    passing = [row for row in rows if row.way == "one_pass"]
    assert [row.number for row in passing] == [number for number in range(1, 11) for _ in range(3)]
    last = {row.bot: (row.mu, row.sigma) for row in passing}
    assert last == {bot: (one.mu, one.sigma) for bot, one in rate_in_order(results, kept.bots).items()}
    first = rate_in_order(results[:1], kept.bots, draw_probability=draw_share(results))
    rated = [row for row in passing if row.number == 1]
    assert [(row.mu, row.sigma) for row in rated] == [(first[row.bot].mu, first[row.bot].sigma) for row in rated]


def test_one_match_is_in_memory_at_a_time(kept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    every = Run.stored_matches

    def watched(folder: Run) -> Generator[StoredMatch, None, None]:
        for match in every(folder):
            read.append(match.match)
            yield match

    monkeypatch.setattr(Run, "stored_matches", watched)
    for match, encoded in encoded_matches(kept, ["matches", "deals"], JSONL, Work(jobs=1)):
        assert match.match == read[-1]
        for lines_of in encoded.values():
            assert {json.loads(line)["match"] for line in lines_of.splitlines()} == {match.match}
    assert len(read) == 10


def add_a_match(kept: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the run have one match more, whose record no rule allows."""
    every = Run.stored_matches

    def more(folder: Run) -> Generator[StoredMatch, None, None]:
        yield from every(folder)
        yield duplicate_match()

    monkeypatch.setattr(Run, "stored_matches", more)


@pytest.mark.parametrize("form", mostly_long({form: form for form in ("csv", "jsonl", "parquet")}, ["parquet"]))
def test_files_do_not_depend_on_the_number_of_processes(kept: Run, tmp_path: Path, form: str) -> None:
    told: list[tuple[str, int, int]] = []
    for jobs in (1, 2):
        export(kept, form, tmp_path / f"{jobs}", work=Work(jobs, lambda *step: told.append(step)))
    assert told == [("tables", number, 10) for number in range(10)] * 2
    files = [path.relative_to(tmp_path / "1") for path in (tmp_path / "1").rglob("*") if path.is_file()]
    assert len(files) > len(TABLES)
    for file in files:
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes(), file


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_record_against_the_rules_leaves_no_folder(
    kept: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    add_a_match(kept, monkeypatch)
    with pytest.raises(ContestError, match=r"run: m0001: .*\.\nhint: run bourre verify for details"):
        export(kept, "csv", tmp_path / "out", work=Work(jobs))
    assert list(tmp_path.iterdir()) == []


def test_rows_wait_in_memory_for_one_group_only(tmp_path: Path) -> None:
    row = RatingTableRow("batch", 1, None, "ada", 25.0, 8.0, 1.0)
    with open_parquet(tmp_path / "ratings.parquet", RatingTableRow) as groups:
        groups.write(cells_of(RatingTableRow, [row] * (GROUP_ROWS - 1)))
        groups.write(cells_of(RatingTableRow, [row] * 2))
    file = pyarrow.parquet.ParquetFile(tmp_path / "ratings.parquet")
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [GROUP_ROWS, 1]


def duplicate_match(chips: tuple[int, ...] = (840, -280, -560), bots: tuple[str, ...] = ("a", "b", "c")) -> StoredMatch:
    """A match of two deals with known luck."""
    seats = tuple(
        StoredSeat(bot, 2 * parts, rank, 0, 0, 0, 0, 0, (), ())
        for rank, (bot, parts) in enumerate(zip(bots, chips, strict=True), start=1)
    )
    blocks = (DealResult(chips, (26880, -13440, -13440)), DealResult(chips, (0, 1, -1)))
    return StoredMatch(1, "m0001", 2, 1, "none", seats, "", b"\0" * 32, 840, blocks)


def test_chips_of_a_duplicate_match_are_exact(tmp_path: Path) -> None:
    match = duplicate_match()
    assert [(row.chips, row.chips_840) for row in seat_rows(match)] == [(2.0, 1680), (-2 / 3, -560), (-4 / 3, -1120)]
    blocks = list(block_rows(match))
    assert [(row.deal, row.bot, row.playings, row.chips_840) for row in blocks[:4]] == [
        *((1, "a", 3, 840), (1, "b", 3, -280), (1, "c", 3, -560), (2, "a", 3, 840))
    ]
    assert [(row.luck, row.luck_26880) for row in blocks[:3]] == [(1.0, 26880), (-0.5, -13440), (-0.5, -13440)]
    assert match_row(match, "duplicate").playings == 6
    with open_csv(tmp_path / "blocks.csv", BlockRow) as sheet:
        sheet.write(csv_lines(BlockRow, [blocks[1]]))
    assert (tmp_path / "blocks.csv").read_text().splitlines()[1] == "m0001,1,b,3,-0.3333333333333333,-280,-0.5,-13440"


def test_chips_beyond_any_number_stay_exact_in_text_and_are_empty_in_parquet(tmp_path: Path) -> None:
    vast = 10**400
    assert (in_chips(vast, 1), in_chips(-vast * 840, 840)) == (1e300, -1e300)
    assert in_840(vast, 1) == 840 * vast
    rows = list(block_rows(duplicate_match((2 * vast, -vast, -vast))))
    with open_parquet(tmp_path / "blocks.parquet", BlockRow) as groups, open_jsonl(tmp_path / "l", BlockRow) as text:
        groups.write(cells_of(BlockRow, rows))
        text.write(json_lines(BlockRow, rows))
    (first, *_) = pyarrow.parquet.read_table(tmp_path / "blocks.parquet").to_pylist()
    assert (first["chips"], first["chips_840"]) == (1e300, None)
    assert json.loads((tmp_path / "l").read_text().splitlines()[0])["chips_840"] == 2 * vast


def test_a_name_is_no_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    with open_csv(tmp_path / "seats.csv", TABLES["seats"]) as sheet:
        sheet.write(csv_lines(TABLES["seats"], seat_rows(duplicate_match(bots=("=1+1", "@x", "ok")))))
    names = [line.split(",")[2] for line in (tmp_path / "seats.csv").read_text().splitlines()[1:]]
    assert names == ["'=1+1", "'@x", "ok"]


def test_without_the_extra_parquet_is_refused_in_words(
    bourre: Bourre, kept: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "bourre_referee.export.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = bourre("export", kept.path, "--format", "parquet", "--out", tmp_path / "out")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"bourre: This command needs more packages.\nhint: {install_command('export')}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_result_that_cannot_be_ends_the_export_in_words(
    kept: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(_: Run) -> Generator[StoredMatch, None, None]:
        yield duplicate_match((3, 3, 3))

    monkeypatch.setattr(Run, "stored_matches", changed)
    with pytest.raises(ContestError, match=r"do not add up to 0|add up to 18, not to 0.*\.\nhint: run bourre verify"):
        export(kept, "parquet", tmp_path / "out", ["ratings"])


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    with open_parquet(tmp_path / "blocks.parquet", BlockRow):
        pass
    table = pyarrow.parquet.read_table(tmp_path / "blocks.parquet")
    assert (table.num_rows, table.column_names) == (0, [column.name for column in columns_of(BlockRow)])


def test_a_damaged_record_is_named_and_nothing_is_written(kept: Run, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(kept.path, tmp_path / "run"))
    Tamperer(folder).execute("UPDATE \"match\" SET record = x'00' WHERE match = 'm0003'")
    err = said_by(2, "export", folder, "--format", "csv", "--out", tmp_path / "out")
    assert err.startswith(f"bourre: {folder}: the record of m0003 is damaged.\n")
    assert not (tmp_path / "out").exists()
