"""docs/data.md suffices to deal a run again: `verify_deals.py` follows it without our packages."""

import ast
import hashlib
import importlib.util
import json
import shutil
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import dev
from bourre.practice import practice
from bourre.rules.house import PRESET_SEATS, PRESETS, HouseRules
from bourre_referee.contest.contest_file import load
from bourre_referee.export.export_writer import export
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from examples.loose import Loose
from tests.referee import contests
from tests.referee.in_process import finished_run, run_in_process
from tests.referee.tampering import Tamperer, Values
from tests.sdk.recorded import header, recorded

pytestmark = pytest.mark.xdist_group("processes")

SCRIPT = dev.ROOT / "docs" / "verify_deals.py"
SECRET = contests.FILE.replace("seed = 7\n", "").replace('preset = "limit"', 'preset = "nba"')
ADAPTIVE = contests.FILE.replace("rounds = 2", "rounds = 1\nadaptive = 2")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("verify_deals", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of ten matches."""
    return finished_run(tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another, under another preset, whose seed was revealed at its end."""
    place = tmp_path_factory.mktemp("secret")
    (place / "run").mkdir()
    (place / "run" / "seed.secret").write_text("5e" * 32)  # as if it had been drawn
    finished_run(place, SECRET)
    return place / "run"


@pytest.fixture
def hand(kept: Path, tmp_path: Path) -> Tamperer:
    """A copy of it, which the test may damage."""
    return Tamperer(Path(shutil.copytree(kept, tmp_path / "run")))


def verified(folder: Path) -> tuple[int, str]:
    """The exit code and the output of the script, in a Python that can import the standard library only."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent)
    return done.returncode, done.stdout + done.stderr


def test_the_script_is_short_and_imports_nothing_of_ours() -> None:
    text = SCRIPT.read_text("utf-8")
    assert len(text.splitlines()) < 290
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.parametrize("run", ["kept", "secret"])
def test_a_run_and_its_export_are_dealt_again(run: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    dealt_again(request.getfixturevalue(run), tmp_path / "out")


@pytest.fixture(scope="module")
def further(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest, and its run of five matches with two adaptive rounds of three."""
    place = tmp_path_factory.mktemp("further")
    finished_run(place, ADAPTIVE)
    return place


@pytest.fixture
def changed(further: Path, tmp_path: Path) -> Path:
    """The same run with its second match void and then a sixth bot, in whose stage there are adaptive rounds too."""
    place = Path(shutil.copytree(further, tmp_path / "changed"))
    void(place / "run", "m0002", "the power failed", datetime(2026, 1, 2, 12, tzinfo=UTC))
    six = load(contests.write_contest(place / "contest", ADAPTIVE, (*contests.BOTS, "fay")))
    run_in_process(six, place / "run", change_bots=True)
    return place / "run"


def dealt_again(folder: Path, out: Path) -> None:
    """The run, and its export, without a difference."""
    manifest = Run.open(folder).manifest
    export(Run.open(folder), "jsonl", out)
    said = f"{manifest.matches} matches, {4 * manifest.matches} deals dealt again: no difference\n"
    assert (verified(folder), verified(out)) == ((0, said), (0, said))


def test_further_rounds_are_dealt_again(further: Path, tmp_path: Path) -> None:
    assert len(Run.open(further / "run").manifest.added) == 2
    dealt_again(further / "run", tmp_path / "out")


def test_a_run_is_dealt_again_whose_bots_came_or_went(changed: Path, tmp_path: Path) -> None:
    manifest = Run.open(changed).manifest
    assert (len(manifest.closed), sorted(manifest.missing)) == (3, [2])
    assert manifest.added
    dealt_again(changed, tmp_path / "out")


def test_a_folder_that_holds_a_run_and_an_export_is_neither(hand: Tamperer, tmp_path: Path) -> None:
    export(Run.open(hand.folder), "jsonl", tmp_path / "out")
    shutil.copytree(tmp_path / "out", hand.folder, dirs_exist_ok=True)
    code, said = verified(hand.folder)
    assert code == 2
    assert "both a run and an export are in it" in said


def first_with(hand: Tamperer, key: str) -> tuple[str, int]:
    """The first match and deal in which any seat has such cards."""
    records = ((match, hand.record(match)) for match in (f"m{number:04d}" for number in range(1, 11)))
    return next(
        (match, place) for match, record in records for place, line in enumerate(record) if any(line.get(key, []))
    )


def lower(line: Values, key: str, card: str) -> None:
    """Replaces the first card of the first seat that has any."""
    seat = next(seat for seat, cards in enumerate(line[key]) if cards)
    line[key][seat] = " ".join([card, *line[key][seat].split()[1:]])


@pytest.mark.parametrize("key", ["dealt", "received"])
def test_a_card_that_does_not_follow_from_the_seed_is_found(hand: Tamperer, key: str) -> None:
    match, deal = first_with(hand, key)
    hand.change(match, deal, lambda line: lower(line, key, "XX"))
    hand.make_it_fit()
    code, said = verified(hand.folder)
    assert code == 4
    assert said.startswith(f"difference: match {match}, deal {deal}: ")
    assert " is XX" in said


def test_a_discard_that_was_changed_is_found_by_the_cards_it_brought(hand: Tamperer) -> None:
    match, deal = first_with(hand, "received")
    hand.change(match, deal, lambda line: line.update(actions=[action[:4] for action in line["actions"]]))
    hand.make_it_fit()
    code, said = verified(hand.folder)
    assert code == 4
    assert said.startswith(f"difference: match {match}, deal {deal}: what seat ")


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("chain", {"chain": "ab" * 32}, "the chain is "),
        ("digest", {"digest": "ab" * 32}, "the digest is "),
        ("matches", {"matches": 9}, "the number of matches is 10, should be 9"),
    ],
)
def test_a_manifest_that_was_changed_is_found(hand: Tamperer, name: str, change: Values, says: str) -> None:
    hand.change_json("manifest.json", lambda values: values.update(change))
    assert verified(hand.folder)[0] == 4
    assert verified(hand.folder)[1].startswith(f"difference: {says}")


@pytest.mark.parametrize("run", ["kept", "secret"])
def test_another_seed_is_found(run: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    hand = Tamperer(Path(shutil.copytree(request.getfixturevalue(run), tmp_path / "run")))

    def reveal(values: Values, commit: bool) -> None:
        values["seed"]["revealed"] = "ab" * 32
        if commit:
            values["seed"]["commitment"] = hashlib.sha256(b"\xab" * 32).hexdigest()
            values["terms"]["seed"] = None
            del values["log"]  # as an older version wrote it

    hand.change_json("manifest.json", lambda values: reveal(values, commit=False))
    assert "difference: the SHA-256 of the seed is " in verified(hand.folder)[1]
    hand.change_json("manifest.json", lambda values: reveal(values, commit=True))
    code, said = verified(hand.folder)
    assert code == 4
    assert said.startswith("difference: match m0001: its seed is ")


def test_the_first_dealer_is_checked(hand: Tamperer) -> None:
    hand.change("m0004", 1, lambda line: line.update(dealer=(line["dealer"] + 1) % 3))
    code, said = verified(hand.folder)
    assert code == 4
    assert said.startswith("difference: match m0004, deal 1: the dealer is ")


def test_what_cannot_be_read_ends_with_2(hand: Tamperer, tmp_path: Path) -> None:
    assert verified(tmp_path / "none")[0] == 2
    hand.execute("UPDATE \"match\" SET record = x'00'")
    code, said = verified(hand.folder)
    assert code == 2
    assert "this cannot be read: " in said
    assert "Traceback" not in said


KEYS: list[dict[str, object]] = [
    {},
    {"first_dealer": "low_card", "trump_card": "separate_returned", "recycle": "folded_first", "cards": 5},
    {"first_dealer": "high_card", "trump_card": "separate_dealer_option", "seven_player_limit": 3},
    {"first_dealer": 1, "must_hold": "trump_or_club", "declare_mode": "turn", "max_discards": 5},
    {"must_hold": "trump_or_club", "declare_mode": "simultaneous", "max_discards": 5, "cards": 5},
]


@pytest.mark.parametrize("keys", KEYS, ids=str)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_house_can_be_dealt_again(script: ModuleType, preset: str, keys: dict[str, object]) -> None:
    house = HouseRules.preset(preset, **keys)
    for seats in {2, 5, PRESET_SEATS.get(preset, 8)}:
        text, _ = recorded(header(seats=seats, house=house), dice=seats, mischief=0.15)
        assert script.check_match("demo-3", "match 1", text.encode(), None) == 6


def test_stocks_were_gathered_anew_in_them(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    gatherings: list[int] = []
    gather = script.Stock.gather

    def counted(stock: Any) -> None:
        gather(stock)
        gatherings.append(stock.gatherings)

    monkeypatch.setattr(script.Stock, "gather", counted)
    for recycle in ("together", "folded_first"):
        text, _ = recorded(header(seats=8, deals=20, house=HouseRules(recycle=recycle)), mischief=0.0)
        script.check_match("demo-3", "match 1", text.encode(), None)
    assert max(gatherings) > 1
    assert len(gatherings) > 20


def test_every_deal_of_a_practice_match_follows_from_its_public_seed(script: ModuleType) -> None:
    played = practice([Loose, Loose, Loose], deals=40, seed=7)
    record = played.matches[0].record.encode()
    name = json.loads(record.splitlines()[0])["match"]
    assert script.check_match(name, "match 1", record, hashlib.sha256(b"7").digest()) == 40


def test_the_database_is_as_the_document_says(kept: Path) -> None:
    with closing(sqlite3.connect(kept / "run.db")) as connection:
        row = connection.execute("SELECT record, sha256 FROM \"match\" WHERE match = 'm0001'").fetchone()
    assert hashlib.sha256(zlib.decompress(row[0])).digest() == row[1]
