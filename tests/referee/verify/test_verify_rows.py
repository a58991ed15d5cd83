"""`bourre verify` finds every change in rows, records, ratings, counts, schedule and seed, in a run or its export."""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatch
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
from tests.referee.lies import LIES, where
from tests.referee.tampering import Tamperer, Values

NAMED = ("number", "match")
NOT_MANY = ("0_4", " +4 ", "-0", "007", "\N{ARABIC-INDIC DIGIT THREE}", "many")
VOID = "INSERT INTO void VALUES (1, {}, NULL)"
LATER = "CREATE VIEW seat AS SELECT * FROM honest WHERE strftime('%s', 'now') + 0 < 99999999999"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of five matches in which everything happens."""
    place = tmp_path_factory.mktemp("kept")
    text = contests.FILE.replace("deals = 4", "deals = 8").replace("rounds = 2", "rounds = 1")
    contest = contests.small_contest(place / "contest", text)
    run_in_process(contest, place / "run")
    return place / "run"


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.long), 2])
def test_an_honest_run_is_verified_and_says_what_was_checked(bourre: Bourre, kept: Path, jobs: int) -> None:
    done = bourre("verify", kept, "--jobs", jobs)
    lines = done.out.splitlines()
    manifest = Run.open(kept).manifest
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "small: 5 of 5 matches verified, no difference"
    assert lines[1].endswith(f"practice seed, not secret, with the committed SHA-256 {manifest.seed.commitment}")
    assert lines[3].split()[:2] == ["cards", "40"]
    assert lines[-4:-2] == [f"chain      {manifest.chain}", f"digest     {manifest.digest}"]
    assert lines[-1] == "verified   all of the run: no difference"


def test_what_was_checked_as_json(bourre: Bourre, kept: Path) -> None:
    document = json.loads(bourre("verify", kept, "--json").out)
    assert (document["verified"], document["difference"]) == (True, None)
    assert (document["matches"], document["deals"]) == (5, 40)
    assert document["decisions"] == decisions_in(kept)
    assert document["digest"] == Run.open(kept).manifest.digest
    assert min(document["reneges"], document["faults"], document["chips"]) > 0


def decisions_in(folder: Path) -> int:
    """Counts the decisions without the package: every action except unasked ones."""
    deals = [line for number in range(1, 6) for line in Tamperer(folder).record(f"m{number:04d}")[1:-1]]
    words = [action.split()[1] for deal in deals for action in deal["actions"]]
    return sum(word != "house" and not word.startswith("!") for word in words)


def test_an_export_is_verified_like_the_run(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    export(Run.open(kept), "jsonl", tmp_path / "out", tables=())
    assert bourre("verify", tmp_path / "out") == bourre("verify", kept)


def test_a_changed_result_is_found_in_an_export_too(tamperer: Tamperer) -> None:
    tamperer.execute("UPDATE seat SET wins = wins + 1 WHERE number = 3")
    out = tamperer.folder.with_name("out")
    export(Run.open(tamperer.folder), "jsonl", out, tables=())
    assert said_by(4, "verify", out).startswith("difference: match m0003: the result of seat 0 (")


CHANGES: list[tuple[str, str]] = [
    *(
        (
            f"UPDATE seat SET {column} = {value} WHERE number = 3",
            f"match m0003: the result of seat {seat} (*): {column} is ",
        )
        for column, value, seat in [
            *((counted, f"{counted} + 1", 0) for counted in ("wins", "bourres", "reneges", "faults", "house_deals")),
            *(("rank", "4 - rank", "?"), ("chips", "'1000'", 0), ("bot", "bot || 'x'", 0)),
        ]
    ),
    *(
        (
            f"UPDATE seat SET chips = '{chips}' WHERE number = 4",
            f"match m0004: run.db: the chips of a seat are '{chips}', ",
        )
        for chips in NOT_MANY
    ),
    ("UPDATE seat SET rank = 'best' WHERE number = 4 AND seat = 1", "match m0004: the result of seat 1 "),
    (
        "UPDATE seat SET cpu_ms = 'few' WHERE number = 4",
        "table seat, number 4, seat 0: cpu_ms holds text, should hold real",
    ),
    (
        " | ".join(f"UPDATE {table} SET seat = seat + 10 WHERE number = 4" for table in ("seat", "renege", "fault")),
        "run.db: table seat, number 4: its 3 seats are not numbered from 0\n",
    ),
    ("DELETE FROM seat WHERE seat = 2", "match m0001: the stored number of seats is 2, should be 3"),
    (
        "UPDATE \"match\" SET match = 'm0099' WHERE number = 3",
        "the match in place 3 of the schedule is 'm0099', should be",
    ),
    ("UPDATE \"match\" SET blocks = 'x' WHERE number = 4", "m0004: run.db: the results of its deals are damaged"),
    ("UPDATE \"match\" SET deals = 'six' WHERE number = 4", "m0004: the stored number of deals is 'six', sh"),
    ('UPDATE "match" SET deals = 7', "match m0001: the stored number of deals is 7, should be 8"),
    ("UPDATE \"match\" SET sha256 = x'00'", "match m0001: the stored SHA-256 of its record is 00, should"),
    ("UPDATE \"match\" SET record = x'00'", "match m0001: its record is missing or damaged"),
    ('UPDATE "match" SET attempt = 2', "m0001: its attempt, one more than the discarded ones, is 2, should be 1"),
    ("UPDATE \"match\" SET isolation = 'moat'", "match m0001: its isolation is 'moat', not one of none, bwr"),
    ("UPDATE \"match\" SET isolation = 'bwrap' WHERE number = 2", "m0002: its isolation is 'bwrap', should be 'none'"),
    ("UPDATE renege SET times = times + 1", "reneges_by_rule is "),
    ("DELETE FROM renege", "reneges_by_rule is nothing, should be"),
    ("INSERT INTO renege VALUES (1, 1, 9, 'R5.3', 1)", "table renege, number 1: there is no seat 9 in that match"),
    ("UPDATE fault SET times = times + 1", "faults_by_kind is "),
    ("DELETE FROM fault", "faults_by_kind is nothing, should be"),
    ("INSERT INTO fault VALUES (1, 99, 0, 'late', 1)", "run.db: table fault has a row of no match"),
    ("INSERT INTO fault VALUES (1, 1, 9, 'late', 100)", "table fault, number 1: there is no seat 9 in that match"),
    ("UPDATE contest SET name = x'00'", "run.db: the contest that it belongs to is 00, should be 'small'"),
    ("UPDATE contest SET name = 'large'", "run.db: the contest that it belongs to is 'large', should be 'small'"),
    ("DELETE FROM contest", "run.db: its table contest has 0 rows, should have 1"),
    (VOID.format("'m0099', 1, 'host', '', '', 0"), "an attempt at 'm0099' was discarded, but"),
    (VOID.format("'m0002', 2, 'host', '', '', 0"), "number of a discarded attempt is 2, shou"),
    (VOID.format("'m0002', 1, 'me', '', '', 0"), "'m0002', attempt 1: by: 'me' is no one who can void a match"),
    (VOID.format("'m0002', 1, 'host', x'00', '', 0"), "'m0002', attempt 1: reason holds blob, should hold text"),
    (VOID.format("'m0002', 1, 'organiser', '', '', 0"), "record of attempt 1, which the organiser voided, is missing"),
    (f"ALTER TABLE seat RENAME TO honest | {LATER}", "run.db: it has a view, seat; a run has only tables\n"),
    (
        "CREATE TRIGGER later AFTER UPDATE ON void BEGIN DELETE FROM void; END",
        "run.db: it has a trigger, later; a run has only tables\n",
    ),
]


@pytest.mark.parametrize(("statements", "says"), CHANGES, ids=[statements for statements, _ in CHANGES])
def test_a_changed_database_is_a_difference(tamperer: Tamperer, statements: str, says: str) -> None:
    for statement in statements.split(" | "):
        tamperer.execute(statement)
    assert fnmatch(said_by(4, "verify", tamperer.folder), f"difference: *{says}*")


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
        (
            "DELETE FROM contest",
            "run.db: its table contest has 0 rows, should have 1.",
        ),
        ("DELETE FROM seat WHERE number = 4", "run.db: match m0004 needs two or more bots, each in one seat, not: "),
        (
            "UPDATE seat SET bot = 'nobody' WHERE number = 4 AND seat = 1",
            "'nobody' played match m0004, and manifest.json does",
        ),
        (
            "UPDATE \"match\" SET match = CAST(x'1b5b33316dff' AS TEXT) WHERE number = 4",
            "run.db: Could not decode to UTF-8 column 'match'.",
        ),
        (
            "DROP TABLE seat",
            "run.db: no such table: seat.",
        ),
    ],
)
def test_standings_name_the_place_of_a_damaged_value(tamperer: Tamperer, statement: str, says: str) -> None:
    tamperer.execute(statement)
    assert says in said_by(2, "standings", tamperer.folder)


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
        (f"[{' ' * 100_000}]", "its length is 100,002 characters, should be about "),
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
    assert "its numbers are right, but its format differs" in bourre("verify", tamperer.folder).out


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


@pytest.mark.parametrize("match", ["m0001", "m0005"])
def test_a_dropped_match_is_found(bourre: Bourre, tamperer: Tamperer, match: str) -> None:
    drop(tamperer, match)
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert done.out == f"difference: match {match}: it is missing, but the manifest says that all are finished\n"
    tamperer.make_it_fit()
    tamperer.change_json("manifest.json", lambda values: values.update(matches=4))
    said = "difference: manifest.json: the number of matches is 4, should be 5\n"
    assert bourre("verify", tamperer.folder) == type(done)(4, said, "")


def drop(tamperer: Tamperer, match: str) -> None:
    for table in ("seat", "renege", "fault"):
        tamperer.execute(f'DELETE FROM {table} WHERE number = (SELECT number FROM "match" WHERE match = ?)', match)
    tamperer.execute('DELETE FROM "match" WHERE match = ?', match)


def test_a_match_too_many_is_found(tamperer: Tamperer) -> None:
    others = ", ".join(name for _, name, *_ in tamperer.execute('PRAGMA table_info("match")') if name not in NAMED)
    tamperer.execute(
        f'INSERT INTO "match" (number, match, {others}) SELECT 6, \'m0006\', {others} FROM "match" LIMIT 1'
    )
    assert (
        said_by(4, "verify", tamperer.folder)
        == "difference: 'm0006' is stored in place 6, but the schedule has no such match there\n"
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


def of(part: str, **news: object) -> Callable[[Values], object]:
    """Changes what the manifest says in this part; at its top level if that has no name."""
    return lambda values: (values[part] if part else values).update(news)


MANIFESTS: list[tuple[Callable[[Values], object], str]] = [
    (of("seed", revealed=None), "the seed is not revealed, although the run is finished"),
    (of("seed", revealed="seven"), "seed.revealed: 'seven' is no number of 64 hexadecimal digits"),
    (of("seed", revealed="AB" * 32), f"seed.revealed: '{'AB' * 32}' is no number of 64 hexadecimal digits"),
    (of("seed", commitment="ab"), "seed.commitment: 'ab' is no number of 64 hexadecimal digits"),
    (of("", finished=9), "the number of finished matches is 9, should be 5"),
    (of("", matches=11), "the number of matches is 11, should be 5"),
    (of("", chain="ab" * 32), f"the chain is '{'ab' * 32}', should be "),
    (of("", digest="ab" * 32), f"the digest is '{'ab' * 32}', should be "),
    (of("", contest="large"), "run.db: the contest that it belongs to is 'small', should be 'large'"),
    (of("terms", schedule={"rounds": 2}), "the number of matches is 5, should be 10"),
    (of("terms", schedule={"rounds": 10**9}), "the terms are impossible: 1000000000 rounds of 8 deals"),
    (of("terms", seats=9), "the terms are impossible: 9 seats cannot play"),
    (of("terms", seats=6), "the terms are impossible: 5 bots at tables of 6"),
    (of("terms", deals=7), "match m0001: its number of deals is 8, should be 7"),
    (lambda values: values["terms"]["bots"][1].update(name="ada"), "impossible: two bots have the same name"),
]


@pytest.mark.parametrize(("change", "says"), MANIFESTS, ids=[says[-30:] for _, says in MANIFESTS])
def test_a_changed_manifest_is_a_difference(tamperer: Tamperer, change: Callable[[Values], object], says: str) -> None:
    tamperer.change_json("manifest.json", change)
    assert says in said_by(4, "verify", tamperer.folder)


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
    assert "No folder " in none.err
    (tamperer.folder / "run.db").write_bytes(b"rubbish" * 1000)
    rubbish = bourre("verify", tamperer.folder)
    assert (rubbish.code, rubbish.out) == (2, "")
    assert "run.db: file is not a database" in rubbish.err


def test_further_rounds_are_told(kept: Path) -> None:
    verified = verify(RunSource(FolderLocation(kept)), 1)
    assert not any(line.startswith("adaptive") for line in lines(verified))
    further = "adaptive   rounds 2: their line-ups follow from the results before them"
    assert further in lines(replace(verified, rounds=CheckedRounds(2)))


def test_a_folder_that_is_a_run_and_an_export_is_refused(bourre: Bourre, folder: Path, tmp_path: Path) -> None:
    export(Run.open(folder), "jsonl", tmp_path / "exported", tables=())
    shutil.copytree(tmp_path / "exported", folder, dirs_exist_ok=True)
    done = bourre("verify", folder)
    assert done.code == 2
    assert f"{folder} contains both a run (run.db) and an export" in done.err


def test_the_manifest_names_the_method_of_rating(kept: Path) -> None:
    said = json.loads((kept / "manifest.json").read_text())["ratings"]
    assert said == {"method": METHOD, "version": VERSION}


@pytest.mark.parametrize(
    ("exported", "fits"), [(False, False), (True, True)], ids=["as it is", "made to fit, exported"]
)
@pytest.mark.parametrize(("there_is", "lie", "says"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_lie_in_a_record_is_found_in_its_deal(
    tamperer: Tamperer,
    there_is: Callable[[Values], object],
    lie: Callable[[Values], object],
    says: str,
    exported: bool,
    fits: bool,
) -> None:
    match, deal = where(tamperer, there_is)
    tamperer.change(match, deal, lie, hashed=fits)
    if fits:
        tamperer.make_it_fit()
    assert said_by(4, "verify", as_export(tamperer.folder) if exported else tamperer.folder).startswith(
        f"difference: match {match}, deal {deal}: {says}"
    )


def as_export(folder: Path) -> Path:
    """The same, exported by someone who does not check."""
    out = folder.with_name("exported")
    export(Run.open(folder), "jsonl", out, tables=())  # the tables can only be made from legal records
    return out


HEADERS: list[tuple[Values, str]] = [
    ({"match": "m0004"}, "the record's match is 'm0004', should be 'm0003'"),
    ({"seed": "ab" * 32}, f"its seed is {'ab' * 32}, should be "),
    ({"house": {"ante": 2, "pot_limit": 20}}, "its house rule ante is 2, should be 1"),
    ({"bots": ["ada", "bob", "cy"]}, "the line-up, which follows from the seed, is 'ada' 'bob' 'cy', should be "),
]


@pytest.mark.parametrize(("news", "says"), HEADERS, ids=[next(iter(news)) for news, _ in HEADERS])
def test_a_lie_about_a_match_is_found(tamperer: Tamperer, news: Values, says: str) -> None:
    tamperer.change("m0003", 0, lambda line: line.update(news))
    tamperer.make_it_fit()
    assert said_by(4, "verify", tamperer.folder).startswith(f"difference: match m0003: {says}")


def test_a_lie_about_the_end_is_found(tamperer: Tamperer) -> None:
    tamperer.change("m0003", -1, lambda line: line.update(final=[30, -20, -10]))
    tamperer.make_it_fit()
    assert "difference: match m0003: the final balances are" in said_by(4, "verify", tamperer.folder)


def test_a_lie_about_how_many_faults_a_bot_may_have_is_found(bourre: Bourre, tamperer: Tamperer) -> None:
    tamperer.change_json("manifest.json", lambda values: values["terms"].update(max_faults=1))
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert re.match(r"difference: match m\d+, deal \d+: action \d+, after 1 fault of seat \d \(\w+\), is ", done.out)
