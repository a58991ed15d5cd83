"""`bourre export`: everything is in it, byte for byte, and reading it back gives the same."""

import csv
import json
import os
import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from bourre_referee.export import export_reader
from bourre_referee.export.export_reader import ExportFolder
from bourre_referee.export.export_tables import TABLES
from bourre_referee.export.export_writer import export
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.command import Bourre, called_in, said_by
from tests.referee.in_process import finished_run, leave_at
from tests.referee.tampering import Tamperer

pytestmark = pytest.mark.xdist_group("processes")

SECRET = contests.FILE.replace("seed = 7\n", "")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    return finished_run(tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a secret seed, and four of its ten matches."""
    place = tmp_path_factory.mktemp("half")
    leave_at(4, contests.small_contest(place / "contest", SECRET), place / "run")
    return place / "run"


@pytest.fixture
def out(kept: Path, tmp_path: Path) -> Path:
    """An export of it without tables, which the test may damage."""
    export(Run.open(kept), "jsonl", tmp_path / "out", tables=())
    return tmp_path / "out"


def test_an_export_holds_everything_in_files_of_its_own(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = bourre("export", kept, "--format", "jsonl", "--out", out)
    assert (done.code, done.out) == (0, "")
    assert f"Written to {out}. Its README.txt explains the files." in done.err
    names = [
        "README.txt",
        "manifest.json",
        "matches.jsonl",
        "records",
        "standings.json",
        "tables",
        "timings.jsonl",
        "voids.jsonl",
    ]
    assert sorted(path.name for path in out.iterdir()) == names
    assert all(name in (out / "README.txt").read_text() for name in names[1:])
    for name in ("manifest.json", "standings.json"):
        assert (out / name).read_bytes() == (kept / name).read_bytes()
    known = Run.open(kept)
    lines = [json.loads(line) for line in (out / "matches.jsonl").read_text().splitlines()]
    assert [line["match"] for line in lines] == list(known.matches())
    for line, result in zip(lines, known.results(), strict=True):
        record = (out / "records" / f"{line['match']}.jsonl").read_bytes()
        assert record.decode() == known.record(line["match"])
        assert line["sha256"] == sha256(record).hexdigest()
        assert [(seat["bot"], seat["chips"]) for seat in line["seats"]] == [(s.bot, s.chips) for s in result.seats]
        assert "total_ms" not in str(line)
    assert len((out / "timings.jsonl").read_text().splitlines()) == 10


def test_what_is_read_back_is_what_was_kept(kept: Path, out: Path) -> None:
    for match, known in zip(ExportFolder(out).matches(), Run.open(kept).stored_matches(), strict=True):
        assert match == replace(known, timings=(), remarks=())


def test_a_spreadsheet_gets_matches_seats_and_standings(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    assert bourre("export", kept, "--format", "csv", "--out", tmp_path / "out").code == 0
    sheets = {
        path.stem: list(csv.DictReader(path.read_text().splitlines())) for path in (tmp_path / "out").glob("*.csv")
    }
    assert set(sheets) == {*TABLES, "standings"}
    numbers = {"matches": 10, "seats": 30, "blocks": 30, "deals": 120, "ratings": 35, "standings": 5}
    assert {name: len(sheets[name]) for name in numbers} == numbers
    seats = [(match.match, seat) for match in Run.open(kept).results() for seat in match.seats]
    assert [(row["match"], row["bot"], row["chips"], row["reneges"]) for row in sheets["seats"]] == [
        (match, seat.bot, str(seat.chips), str(seat.reneges)) for match, seat in seats
    ]


def test_an_unfinished_run_is_verified_as_far_as_it_goes(bourre: Bourre, half: Path, tmp_path: Path) -> None:
    assert bourre("export", half, "--format", "jsonl", "--out", tmp_path / "out").code == 0
    assert not (tmp_path / "out" / "standings.json").exists()
    done = bourre("verify", half)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "small: 4 of 10 matches checked"
    assert lines[-3:] == [
        "unchecked  schedule and cards: they follow from the committed seed, which is secret until the end",
        "unchecked  standings: digest and standings are written when all matches are finished",
        "verified   the run without schedule and cards, standings: no difference in the rest",
    ]
    assert not any(line.startswith(("seed", "schedule", "digest")) for line in lines)
    assert bourre("verify", tmp_path / "out") == done
    assert len(json.loads(bourre("verify", half, "--json").out)["unchecked"]) == 2


def test_an_unfinished_run_with_a_lie_in_it_is_found_out(half: Path, tmp_path: Path) -> None:
    export(Run.open(half), "jsonl", tmp_path / "out", tables=())
    path = tmp_path / "out" / "records" / "m0002.jsonl"
    header, first, *rest = path.read_text().splitlines(keepends=True)
    deal = json.loads(first)
    deal["dealt"].reverse()
    path.write_text("".join([header, json.dumps(deal, separators=(",", ":")), "\n", *rest]))
    assert said_by(4, "verify", tmp_path / "out").startswith("difference: match m0002, deal 1: dealt is ")


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("finished", 5, "manifest.json: it counts 5 finished matches, but 4 are stored"),
        ("finished", -1, "manifest.json: finished: Input should be greater than or equal to 0"),
        ("chain", "ab" * 32, f"manifest.json: the chain is '{'ab' * 32}', should be "),
    ],
)
def test_an_unfinished_run_that_claims_what_it_has_not_is_found_out(
    half: Path, tmp_path: Path, key: str, value: object, says: str
) -> None:
    folder = Path(shutil.copytree(half, tmp_path / "run"))
    Tamperer(folder).change_json("manifest.json", lambda values: values.update({key: value}))
    assert said_by(4, "verify", folder).startswith(f"difference: {says}")


def test_a_run_of_which_only_the_manifest_is_there_is_not_finished(half: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(half, tmp_path / "run"))
    (folder / "run.db").unlink()
    assert said_by(4, "verify", folder).startswith(
        "difference: manifest.json: it counts 4 finished matches, but 0 are stored"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["site", "--table", "seats"], "The format 'site' has no tables to choose from.\nhint: remove --table"),
        (["xml"], "Unknown format 'xml'. Formats: jsonl, csv, parquet, site, plots.\nhint: use one of them"),
        (["cvs"], "Unknown format 'cvs'. Did you mean 'csv'?"),
        (["csv", "--table", "seat"], "Unknown table 'seat'. Did you mean 'seats'?"),
    ],
)
def test_other_forms_are_refused_in_words(kept: Path, tmp_path: Path, words: list[str], says: str) -> None:
    assert says in said_by(2, "export", kept, "--out", tmp_path / "out", "--format", *words)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("all my work")
    done = bourre("export", kept, "--format", "jsonl", "--out", tmp_path / "thesis")
    assert done.code == 2
    assert "thesis already exists.\nhint: remove it, or use a new folder with --out" in done.err
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "all my work"


def test_an_empty_folder_is_taken_and_one_beside_it_is_left_alone(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    for name in ("out", "out.new"):
        (tmp_path / name).mkdir()
    (tmp_path / "out.new" / "chapter.txt").write_text("all my work")
    rights = (tmp_path / "out").stat().st_mode
    words = ("export", kept, "--format", "csv", "--table", "matches", "--out", tmp_path / "out")
    assert bourre(*words).code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.new"]
    assert (tmp_path / "out" / "matches.csv").exists()
    assert (tmp_path / "out").stat().st_mode == rights
    assert (tmp_path / "out.new" / "chapter.txt").read_text() == "all my work"


@pytest.mark.parametrize(
    ("here", "words", "name"),
    [
        ("run", ("export", ".", "--format", "csv", "--table", "matches"), "run-csv"),
        ("run/within", ("export", "..", "--format", "csv", "--table", "matches"), "run-csv"),
        ("run", ("export", "--format", "plots", "."), "run-plots"),
    ],
)
def test_a_run_named_from_within_is_written_beside_it(
    kept: Path, tmp_path: Path, here: str, words: tuple[str, ...], name: str
) -> None:
    Path(shutil.copytree(kept, tmp_path / "run"), "within").mkdir()
    assert called_in(tmp_path / here, *words).err.startswith(f"bourre: Written to {tmp_path / name}")
    assert sorted(os.listdir(tmp_path)) == ["run", name]


def test_an_export_that_fails_leaves_nothing(kept: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(kept, tmp_path / "run"))
    (folder / "standings.json").unlink()
    with pytest.raises(ContestError, match=r"run: standings\.json is missing or damaged\.\nhint: restore"):
        export(Run.open(folder), "jsonl", tmp_path / "out")
    assert os.listdir(tmp_path) == ["run"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("matches.jsonl", "rubbish", "matches.jsonl:1: the line: Invalid JSON"),
        ("matches.jsonl", "{}", "matches.jsonl:1: number: Field required."),
        ("matches.jsonl", '{"number":"x"}', "matches.jsonl:1: match: Field required."),
        ("voids.jsonl", '{"match":1}', "voids.jsonl:1: attempt: Field required."),
        ("manifest.json", "{}", "manifest.json: contest: Field required"),
    ],
)
def test_an_export_that_cannot_be_read_ends_with_2(out: Path, name: str, text: str, says: str) -> None:
    (out / name).write_text(text)
    assert says in said_by(2, "verify", out)


@pytest.mark.parametrize(
    ("name", "value", "code", "says"),
    [
        ("match", "../../../etc/passwd", 4, "matches.jsonl:1: match: '../../../etc/passwd' is no id of a match"),
        ("sha256", "none", 4, "difference: matches.jsonl:1: sha256: 'none' is no number of 64 hexadecimal digits"),
        ("deals", "five", 4, "difference: matches.jsonl:1: deals: Input should be a valid integer"),
        ("seats", [{}], 2, "matches.jsonl:1: seats.0.bot: Field required."),
        ("seats", "all", 4, "difference: matches.jsonl:1: seats: Input should be a valid array"),
        ("colour", "red", 2, "matches.jsonl:1: colour: Extra inputs are not permitted."),
        ("number", 2, 4, "m0001: it is missing, but the manifest says that all are finished"),
        ("match", "m0007", 4, "the match in place 1 of the schedule is 'm0007', should be 'm0001'"),
        ("deals", 5, 4, "m0001: the stored number of deals is 5, should be 4"),
    ],
)
def test_a_line_that_was_changed_is_found(
    bourre: Bourre, out: Path, name: str, value: object, code: int, says: str
) -> None:
    path = out / "matches.jsonl"
    first, *others = path.read_text().splitlines(keepends=True)
    path.write_text("".join([json.dumps(json.loads(first) | {name: value}), "\n", *others]))
    done = bourre("verify", out)
    assert done.code == code
    assert says in done.out + done.err


def test_a_void_with_a_value_that_is_none_of_ours_is_a_difference(out: Path) -> None:
    void = {"match": "m0001", "attempt": "first", "by": "host", "reason": "", "at": "", "revealed": False}
    (out / "voids.jsonl").write_text(json.dumps(void))
    assert said_by(4, "verify", out).startswith("difference: voids.jsonl:1: attempt: Input should be a valid integer")


def test_a_record_that_is_missing_is_found(out: Path) -> None:
    (out / "records" / "m0005.jsonl").unlink()
    assert said_by(4, "verify", out).startswith("difference: match m0005: its record is ")


def test_the_records_of_void_matches_may_be_no_longer_together_than_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "records").mkdir()
    void = {
        "match": "m0001",
        "by": "organiser",
        "reason": "smoke",
        "at": "2026-01-02T12:00:00+00:00",
        "revealed": False,
    }
    lines = [json.dumps({**void, "attempt": attempt}) for attempt in (1, 2)]
    (tmp_path / "voids.jsonl").write_text("\n".join(lines))
    for attempt in (1, 2):
        (tmp_path / "records" / f"m0001.void{attempt}.jsonl").write_text("x" * 30)
    monkeypatch.setattr(export_reader, "LONGEST_RECORD", 60)
    assert [(found.attempt, found.record) for found in ExportFolder(tmp_path).voids()] == [(1, "x" * 30), (2, "x" * 30)]
    monkeypatch.setattr(export_reader, "LONGEST_RECORD", 59)
    with pytest.raises(ContestError, match="its records are larger than 59 bytes in total"):
        ExportFolder(tmp_path).voids()
