"""`bourre verify`: rows, ratings, counts, the schedule and the seed are checked as closely as the records."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.rules.deck import derive, master_seed
from bourre_referee.export.export_writer import export
from bourre_referee.ratings.batch import METHOD, VERSION
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.run_source import RunSource
from bourre_referee.verify.totals_check import CheckedRounds
from bourre_referee.verify.verify import verify
from bourre_referee.verify.verify_text import lines
from tests.referee import contests
from tests.referee.command import Bourre, said_by
from tests.referee.in_process import run_in_process
from tests.referee.tampering import Tamperer, Values

SEATS = "seat WHERE number = (SELECT number FROM \"match\" WHERE match = 'm0003')"


NAMED = ("number", "match")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ten matches in which everything happens."""
    place = tmp_path_factory.mktemp("kept")
    contest = contests.small_contest(place / "contest", contests.FILE.replace("deals = 4", "deals = 6"))
    run_in_process(contest, place / "run")
    return place / "run"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_honest_run_is_verified_and_says_what_was_checked(bourre: Bourre, kept: Path, jobs: int) -> None:
    done = bourre("verify", kept, "--jobs", jobs)
    lines = done.out.splitlines()
    manifest = Run.open(kept).manifest
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "small: 10 of 10 matches verified, no difference"
    assert lines[1].endswith(f"practice seed, not secret; its SHA-256 is the commitment {manifest.seed.commitment}")
    assert lines[3].split()[:2] == ["cards", "60"]
    assert lines[-4:-2] == [f"chain      {manifest.chain}", f"digest     {manifest.digest}"]
    assert lines[-1] == "verified   all of the run: no difference"


def test_what_was_checked_as_json(bourre: Bourre, kept: Path) -> None:
    document = json.loads(bourre("verify", kept, "--json").out)
    assert (document["verified"], document["difference"]) == (True, None)
    assert (document["matches"], document["deals"]) == (10, 60)
    assert document["decisions"] == decisions_in(kept)
    assert document["digest"] == Run.open(kept).manifest.digest
    assert min(document["reneges"], document["faults"], document["chips"]) > 0


def decisions_in(folder: Path) -> int:
    """Counts the decisions without the package: every action except unasked ones."""
    deals = [line for number in range(1, 11) for line in Tamperer(folder).record(f"m{number:04d}")[1:-1]]
    words = [action.split()[1] for deal in deals for action in deal["actions"]]
    return sum(word != "house" and not word.startswith("!") for word in words)


def test_a_level_that_was_not_asked_for_is_found(tamperer: Tamperer) -> None:
    tamperer.execute("UPDATE match SET isolation = 'bwrap' WHERE number = 2")
    assert "match m0002: its isolation is 'bwrap', should be 'none'" in said_by(4, "verify", tamperer.folder)


def test_an_export_is_verified_like_the_run(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    export(Run.open(kept), "jsonl", tmp_path / "out", tables=())
    assert bourre("verify", tmp_path / "out") == bourre("verify", kept)


ROWS: list[tuple[str, str]] = [
    ("wins = wins + 1", "wins is "),
    ("bourres = bourres + 1", "bourres is "),
    ("reneges = reneges + 1", "reneges is "),
    ("faults = faults + 1", "faults is "),
    ("house_deals = house_deals + 1", "house_deals is "),
    ("rank = 4 - rank", "rank is "),
    ("chips = '1000'", "chips is 1000, should be "),
    ("bot = bot || 'x'", "bot is "),
]


@pytest.mark.parametrize("exported", [False, True], ids=["run", "export"])
@pytest.mark.parametrize(("change", "says"), ROWS, ids=[change.split()[0] for change, _ in ROWS])
def test_a_changed_result_is_found(bourre: Bourre, tamperer: Tamperer, change: str, says: str, exported: bool) -> None:
    tamperer.execute(f"UPDATE seat SET {change} WHERE number = 3")
    folder = tamperer.folder
    if exported:
        export(Run.open(folder), "jsonl", folder.with_name("out"), tables=())
        folder = folder.with_name("out")
    done = bourre("verify", folder)
    assert done.code == 4
    assert done.out.startswith("difference: match m0003: the result of seat ")
    assert says in done.out


NONE_OF_OURS: list[tuple[str, str]] = [
    (
        "UPDATE seat SET chips = 'many' WHERE number = 4",
        "match m0004: run.db: the chips of a seat are 'many', which is",
    ),
    ("UPDATE seat SET rank = 'best' WHERE number = 4 AND seat = 1", "match m0004: the result of seat 1 "),
    (
        "UPDATE seat SET cpu_ms = 'few' WHERE number = 4 AND seat = 1",
        "run.db: table seat, number 4, seat 1: cpu_ms holds text, should hold real",
    ),
    ("UPDATE \"match\" SET blocks = 'x' WHERE number = 4", "match m0004: run.db: the results of its deals are damaged"),
    ("UPDATE \"match\" SET deals = 'six' WHERE number = 4", "match m0004: the stored number of deals is 'six', sh"),
    (
        "INSERT INTO void VALUES (1, 'm0002', 1, 'host', x'00', '2026-01-02T12:00:00+00:00', 0, NULL)",
        "run.db: table void, match 'm0002', attempt 1: reason holds blob, should hold text",
    ),
    ("UPDATE contest SET name = x'00'", "run.db: the contest that it belongs to is 00, should be 'small'"),
    ("DELETE FROM contest", "run.db: its table contest has 0 rows, should have 1"),
    ("INSERT INTO fault VALUES (1, 99, 0, 'late', 1)", "run.db: table fault has a row of no match"),
    (
        "INSERT INTO fault VALUES (1, 1, 9, 'late', 100)",
        "run.db: table fault, number 1: there is no seat 9 in that match",
    ),
    (
        "INSERT INTO renege VALUES (1, 1, 9, 'R5.3', 1)",
        "run.db: table renege, number 1: there is no seat 9 in that match",
    ),
    *(
        (
            f"UPDATE seat SET chips = '{chips}' WHERE number = 4",
            f"match m0004: run.db: the chips of a seat are '{chips}', sh",
        )
        for chips in ("0_4", " +4 ", "-0", "007", "\N{ARABIC-INDIC DIGIT THREE}")
    ),
]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize(("statement", "says"), NONE_OF_OURS, ids=[statement for statement, _ in NONE_OF_OURS])
def test_a_value_that_can_be_none_of_ours_is_a_difference(
    tamperer: Tamperer, statement: str, says: str, jobs: int
) -> None:
    tamperer.execute(statement)
    assert said_by(4, "verify", tamperer.folder, "--jobs", jobs).startswith(f"difference: {says}")


def test_seats_that_are_not_numbered_from_0_are_found(tamperer: Tamperer) -> None:
    for table in ("seat", "renege", "fault"):
        tamperer.execute(f"UPDATE {table} SET seat = seat + 10 WHERE number = 4")
    assert (
        said_by(4, "verify", tamperer.folder)
        == "difference: run.db: table seat, number 4: its 3 seats are not numbered from 0\n"
    )


@pytest.mark.parametrize(
    "change", [str.upper, lambda sha256: f" {sha256}", lambda sha256: f"{sha256[:8]} {sha256[8:]}"]
)
def test_a_hash_is_written_in_one_way_only(kept: Path, tmp_path: Path, change: Callable[[str], str]) -> None:
    export(Run.open(kept), "jsonl", tmp_path / "out", tables=())
    path = tmp_path / "out" / "matches.jsonl"
    first, *rest = path.read_text().splitlines(keepends=True)
    true = json.loads(first)["sha256"]
    path.write_text("".join([first.replace(true, change(true)), *rest]))
    assert f"sha256: {change(true)!r} is no number of 64 hexadecimal digits" in said_by(4, "verify", tmp_path / "out")


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "UPDATE seat SET rank = 'best' WHERE number = 4",
            "run.db: table seat, number 4, seat 0: rank holds text, shou",
        ),
        ("DELETE FROM contest", "run.db: its table contest has 0 rows, should have 1: restore a copy of the database"),
        ("DELETE FROM seat WHERE number = 4", "run.db: match m0004 needs two or more bots, each in one seat, not: "),
        (
            "UPDATE seat SET bot = 'nobody' WHERE number = 4 AND seat = 1",
            "'nobody' played match m0004, and manifest.json does",
        ),
        (
            "UPDATE \"match\" SET match = CAST(x'1b5b33316dff' AS TEXT) WHERE number = 4",
            "run.db: Could not decode to UTF-8 column 'match'; it contains invalid UTF-8: restore a copy",
        ),
        ("DROP TABLE seat", "run.db: no such table: seat; its tables are not those of a run: restore a copy"),
    ],
)
def test_standings_name_the_place_of_a_damaged_value(tamperer: Tamperer, statement: str, says: str) -> None:
    tamperer.execute(statement)
    assert says in said_by(2, "standings", tamperer.folder)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE renege SET times = times + 1", "reneges_by_rule is "),
        ("DELETE FROM renege", "reneges_by_rule is nothing, should be"),
        ("UPDATE fault SET times = times + 1", "faults_by_kind is "),
        ("DELETE FROM fault", "faults_by_kind is nothing, should be"),
        ("DELETE FROM seat WHERE seat = 2", "match m0001: the stored number of seats is 2, should be 3"),
        ("UPDATE \"match\" SET sha256 = x'00'", "match m0001: the stored SHA-256 of its record is 00, should"),
        ("UPDATE \"match\" SET record = x'00'", "match m0001: its record is missing or damaged: it cannot be read"),
        ('UPDATE "match" SET deals = 7', "match m0001: the stored number of deals is 7, should be 6"),
        ('UPDATE "match" SET attempt = 2', "m0001: its attempt, one more than the discarded ones, is 2, should be 1"),
        ("UPDATE \"match\" SET isolation = 'moat'", "match m0001: its isolation is 'moat', not one of none, bwr"),
        ("UPDATE contest SET name = 'large'", "run.db: the contest that it belongs to is 'large', should be 'small'"),
        (
            "INSERT INTO void VALUES (1, 'm0099', 1, 'host', '', '', 0, NULL)",
            "an attempt at 'm0099' was discarded, but",
        ),
        (
            "INSERT INTO void VALUES (1, 'm0002', 2, 'host', '', '', 0, NULL)",
            "number of a discarded attempt is 2, shou",
        ),
        (
            "INSERT INTO void VALUES (1, 'm0002', 1, 'me', '', '', 0, NULL)",
            "table void, match 'm0002', attempt 1: by: 'me' is no one who can void a match",
        ),
        (
            "INSERT INTO void VALUES (1, 'm0002', 1, 'organiser', '', '', 0, NULL)",
            "the record of attempt 1, which the organiser voided, is missing or damaged",
        ),
    ],
)
def test_a_changed_table_is_found(tamperer: Tamperer, statement: str, says: str) -> None:
    tamperer.execute(statement)
    assert says in said_by(4, "verify", tamperer.folder)


def test_a_changed_rating_is_found_and_both_numbers_are_told(bourre: Bourre, tamperer: Tamperer) -> None:
    true = json.loads((tamperer.folder / "standings.json").read_text())["standings"][2]["mu"]
    tamperer.change_json("standings.json", lambda values: values["standings"][2].update(mu=true + 1))
    done = bourre("verify", tamperer.folder, "--json")
    assert done.code == 4
    assert json.loads(done.out) == {
        "verified": False,
        "difference": {
            "match": None,
            "deal": None,
            "text": f"standings.json: standings[2].mu is {true + 1}, should be {true}",
        },
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "standings.json is missing"),
        ("[", "it is not JSON"),
        ("[]", "the document is [], should be {"),
        (f"[{' ' * 100_000}]", "it has 100,002 characters, should have about "),
    ],
)
def test_other_standings_are_found(tamperer: Tamperer, text: str | None, says: str) -> None:
    path = tamperer.folder / "standings.json"
    path.unlink()
    if text is not None:
        path.write_text(text)
    assert says in said_by(4, "verify", tamperer.folder)


def test_standings_in_another_format_are_found(bourre: Bourre, tamperer: Tamperer) -> None:
    path = tamperer.folder / "standings.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    assert "its numbers are right, but it is formatted otherwise" in bourre("verify", tamperer.folder).out


def test_swapped_matches_are_found(bourre: Bourre, tamperer: Tamperer) -> None:
    second, third = tamperer.record("m0002"), tamperer.record("m0003")
    tamperer.write_record("m0002", third)
    tamperer.write_record("m0003", second)
    tamperer.make_it_fit()
    assert "match m0002: the record's match is 'm0003', should be 'm0002'" in bourre("verify", tamperer.folder).out
    tamperer.change("m0002", 0, lambda line: line.update(match="m0002"))
    tamperer.change("m0003", 0, lambda line: line.update(match="m0003"))
    tamperer.make_it_fit()
    assert said_by(4, "verify", tamperer.folder).startswith("difference: match m0002: ")


def test_swapped_rows_are_found(tamperer: Tamperer) -> None:
    for here, there in (("m0002", "x"), ("m0003", "m0002"), ("x", "m0003")):
        tamperer.execute('UPDATE "match" SET match = ? WHERE match = ?', there, here)
    assert "match m0002: the match in place 2 of the schedule is 'm0003', should be 'm0002'" in said_by(
        4, "verify", tamperer.folder
    )


@pytest.mark.parametrize("match", ["m0001", "m0004", "m0010"])
def test_a_dropped_match_is_found(bourre: Bourre, tamperer: Tamperer, match: str) -> None:
    drop(tamperer, match)
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert done.out == f"difference: match {match}: it is missing, but the manifest says that all are finished\n"
    tamperer.make_it_fit()
    tamperer.change_json("manifest.json", lambda values: values.update(matches=9))
    said = "difference: manifest.json: the number of matches is 9, should be 10\n"
    assert bourre("verify", tamperer.folder) == type(done)(4, said, "")


def drop(tamperer: Tamperer, match: str) -> None:
    for table in ("seat", "renege", "fault"):
        tamperer.execute(f'DELETE FROM {table} WHERE number = (SELECT number FROM "match" WHERE match = ?)', match)
    tamperer.execute('DELETE FROM "match" WHERE match = ?', match)


def test_a_match_too_many_is_found(tamperer: Tamperer) -> None:
    others = ", ".join(name for _, name, *_ in tamperer.execute('PRAGMA table_info("match")') if name not in NAMED)
    tamperer.execute(
        f'INSERT INTO "match" (number, match, {others}) SELECT 11, \'m0011\', {others} FROM "match" LIMIT 1'
    )
    assert (
        said_by(4, "verify", tamperer.folder)
        == "difference: 'm0011' is stored in place 11, but the schedule has no such match there\n"
    )


def test_another_seed_is_found(bourre: Bourre, tamperer: Tamperer) -> None:
    def revealed(values: Values, master: bytes) -> None:
        values["seed"] |= {"revealed": master.hex(), "commitment": hashlib.sha256(master).hexdigest()}

    tamperer.change_json("manifest.json", lambda values: values["seed"].update(revealed=master_seed(8).hex()))
    assert "the revealed form of the public seed 7 is" in bourre("verify", tamperer.folder).out
    tamperer.change_json("manifest.json", lambda values: values["terms"].update(seed=8))
    assert "the SHA-256 of the revealed seed, the commitment, is" in bourre("verify", tamperer.folder).out
    tamperer.change_json("manifest.json", lambda values: revealed(values, master_seed(8)))
    assert "run.db: the commitment is" in bourre("verify", tamperer.folder).out
    tamperer.execute("UPDATE contest SET commitment = ?", hashlib.sha256(master_seed(8)).hexdigest())
    tamperer.make_it_fit()
    assert said_by(4, "verify", tamperer.folder).startswith(
        "difference: match m0001: the line-up, which follows from the seed, is "
    )
    assert derive(master_seed(8), "match 1").hex() != tamperer.record("m0001")[0]["seed"]


SEEDS: list[tuple[Values, str]] = [
    ({"revealed": None}, "the seed is not revealed, but it should be by now"),
    ({"revealed": "seven"}, "seed.revealed: 'seven' is no number of 64 hexadecimal digits"),
    ({"revealed": "AB" * 32}, f"seed.revealed: '{'AB' * 32}' is no number of 64 hexadecimal digits"),
    ({"commitment": "ab"}, "seed.commitment: 'ab' is no number of 64 hexadecimal digits"),
]


@pytest.mark.parametrize(("news", "says"), SEEDS, ids=[str(news)[:24] for news, _ in SEEDS])
def test_a_seed_that_can_be_none_is_found(tamperer: Tamperer, news: Values, says: str) -> None:
    tamperer.change_json("manifest.json", lambda values: values["seed"].update(news))
    if "commitment" in news:
        tamperer.execute("UPDATE contest SET commitment = ?", news["commitment"])
    assert said_by(4, "verify", tamperer.folder) == f"difference: manifest.json: {says}\n"


COUNTS: list[tuple[str, object, str]] = [
    ("finished", 9, "manifest.json: the number of finished matches is 9, should be 10"),
    ("matches", 11, "manifest.json: the number of matches is 11, should be 10"),
    ("chain", "ab" * 32, f"manifest.json: the chain is '{'ab' * 32}', should be "),
    ("digest", "ab" * 32, f"manifest.json: the digest is '{'ab' * 32}', should be "),
    ("contest", "large", "run.db: the contest that it belongs to is 'small', should be 'large'"),
]


@pytest.mark.parametrize(("key", "value", "says"), COUNTS, ids=[key for key, _, _ in COUNTS])
def test_a_changed_manifest_is_found(tamperer: Tamperer, key: str, value: object, says: str) -> None:
    tamperer.change_json("manifest.json", lambda values: values.update({key: value}))
    assert said_by(4, "verify", tamperer.folder).startswith(f"difference: {says}")


TERMS: list[tuple[Values, str]] = [
    ({"schedule": {"rounds": 1}}, "the number of matches is 10, should be 5"),
    ({"schedule": {"rounds": 10**9}}, "the terms are impossible: 1000000000 rounds of 6 deals"),
    ({"seats": 9}, "the terms are impossible: 9 seats cannot play"),
    ({"seats": 6}, "the terms are impossible: 5 bots at tables of 6"),
    ({"deals": 7}, "match m0001: its number of deals is 6, should be 7"),
]


@pytest.mark.parametrize(("news", "says"), TERMS, ids=[str(news) for news, _ in TERMS])
def test_changed_terms_are_found(tamperer: Tamperer, news: Values, says: str) -> None:
    tamperer.change_json("manifest.json", lambda values: values["terms"].update(news))
    assert says in said_by(4, "verify", tamperer.folder)


def test_two_bots_of_one_name_are_found(bourre: Bourre, tamperer: Tamperer) -> None:
    tamperer.change_json("manifest.json", lambda values: values["terms"]["bots"][1].update(name="ada"))
    done = bourre("verify", tamperer.folder)
    assert (done.code, done.out) == (
        4,
        "difference: manifest.json: the terms are impossible: two bots have the same name\n",
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("second", ["a match is missing", "a match is in a wrong place"])
def test_the_first_of_two_differences_is_told(tamperer: Tamperer, jobs: int, second: str) -> None:
    tamperer.change("m0002", -1, lambda line: line.update(final=[1, 0, -1]))
    if second == "a match is missing":
        drop(tamperer, "m0003")
    else:
        tamperer.execute("UPDATE \"match\" SET match = 'm0099' WHERE match = 'm0003'")
    assert said_by(4, "verify", tamperer.folder, "--jobs", jobs).startswith(
        "difference: match m0002: the final balances are "
    )


def test_what_cannot_be_read_ends_with_2(bourre: Bourre, tamperer: Tamperer, tmp_path: Path) -> None:
    none = bourre("verify", tmp_path / "none")
    assert (none.code, none.out) == (2, "")
    assert "there is no run in it" in none.err
    (tamperer.folder / "run.db").write_bytes(b"rubbish" * 1000)
    rubbish = bourre("verify", tamperer.folder)
    assert (rubbish.code, rubbish.out) == (2, "")
    assert "run.db: file is not a database" in rubbish.err


def test_further_rounds_are_told(kept: Path) -> None:
    verified = verify(RunSource(FolderLocation(kept)), 1)
    assert not any(line.startswith("adaptive") for line in lines(verified))
    further = "adaptive   rounds 2: their line-ups follow from the results before them"
    assert further in lines(replace(verified, rounds=CheckedRounds(2)))


SEEN_LATER = "CREATE VIEW seat AS SELECT * FROM honest WHERE strftime('%s', 'now') + 0 < 99999999999"
TRIGGER = "CREATE TRIGGER later AFTER UPDATE ON void BEGIN DELETE FROM void; END"


@pytest.mark.parametrize(
    ("statements", "said"),
    [(("ALTER TABLE seat RENAME TO honest", SEEN_LATER), "view, seat"), ((TRIGGER,), "trigger, later")],
)
def test_rows_that_may_be_others_tomorrow_are_found(
    bourre: Bourre, tamperer: Tamperer, statements: tuple[str, ...], said: str
) -> None:
    for statement in statements:
        tamperer.execute(statement)
    done = bourre("verify", tamperer.folder)
    assert (done.code, done.out) == (4, f"difference: run.db: it has a {said}; a run has only tables\n")


def test_a_folder_that_is_a_run_and_an_export_is_refused(bourre: Bourre, folder: Path, tmp_path: Path) -> None:
    export(Run.open(folder), "jsonl", tmp_path / "exported", tables=())
    shutil.copytree(tmp_path / "exported", folder, dirs_exist_ok=True)
    done = bourre("verify", folder)
    assert done.code == 2
    assert f"{folder}: it holds a run, run.db, and the files of an export" in done.err


def test_the_manifest_names_the_method_of_rating(kept: Path) -> None:
    said = json.loads((kept / "manifest.json").read_text())["ratings"]
    assert said == {"method": METHOD, "version": VERSION}
