"""Every preset and every way to treat a renege, with real processes over real gRPC."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bourre.bot_code.bot_file import load
from bourre.record import read, replay
from bourre.rules.deck import master_seed
from bourre.rules.events import Event
from bourre.rules.house import PRESETS, HouseRules
from bourre_referee.contest.contest_file import load as load_contest
from bourre_referee.contest.contest_plan import plan
from bourre_referee.model.site import Site
from bourre_referee.model.spec import MatchOutcome, PlacedRoom
from bourre_referee.runner.contest_run import run
from tests.end_to_end.rooms import faults_of, played, room_with

EXAMPLES = Path(__file__).parents[2] / "examples"
ASKING = ("separate_rounds", "simultaneous", "separate_dealer_option", "nba", "indiana")
"""Presets that ask for every kind of decision in every way; the others differ in rules, not in what is asked.
Other tests play `limit`."""
FIELD = ("tight", "drawer", "random_bot")
GUESTS = {name: load(str(EXAMPLES / f"{name}.py")) for name in FIELD}


def by_rules(spec: PlacedRoom, house: HouseRules) -> PlacedRoom:
    """The same room under other house rules."""
    return replace(spec, matches=tuple(replace(match, house=house) for match in spec.matches))


def events_of(outcome: MatchOutcome) -> list[Event]:
    """All events, from a replay of the record; asserts that its balances are those of the result."""
    record = read(outcome.record)
    events = [event for step in replay(record) for event in step.events]
    assert record.final == tuple(seat.chips for seat in outcome.result.seats)
    return events


def contest_file(preset: str, folder: Path) -> Path:
    """A contest under a preset between example bots, which were written for the base game."""
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "{EXAMPLES / name}.py"]\n' for name in FIELD)
    path = folder / "contest.toml"
    path.write_text(
        f'[contest]\nname = "{preset}"\nseed = 7\n[table]\nseats = {len(FIELD)}\ndeals = 8\ntables = 3\n'
        f'[rules]\npreset = "{preset}"\n[schedule]\nrounds = 1\n[isolation]\nlevel = "none"\n'
        f"[clock]\nstart_ms = 30000\ndecision_ms = 30000\n{bots}"
    )
    return path


@pytest.mark.parametrize(
    "preset", [pytest.param(preset, marks=[pytest.mark.long] * (preset not in ASKING)) for preset in PRESETS]
)
def test_a_contest_under_every_preset_replays_to_the_same_balances(preset: str, tmp_path: Path) -> None:
    """It also gives the same bytes if its bots run in this process at one table."""
    contest = load_contest(contest_file(preset, tmp_path))
    finished = run(contest, tmp_path / "run", jobs=1)
    assert finished.manifest.complete
    site = Site(contest.folder, tmp_path / "logs")
    rooms = [replace(room, tables=1) for room in plan(contest, master_seed(7))]
    alone = {outcome.result.match: outcome.record for room in rooms for outcome in played(site.place(room), GUESTS)}
    assert {result.match: finished.record(result.match) for result in finished.results()} == alone
    for result in finished.results():
        record = read(finished.record(result.match))
        assert record.header.house == HouseRules.preset(preset)
        assert sum(1 for _ in replay(record)) > 1
        assert record.final == tuple(seat.chips for seat in result.seats)
        assert [(seat.faults, seat.reneges) for seat in result.seats] == [(0, 0)] * len(FIELD)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"trump_card": "separate_dealer_option"}, "TurnedTaken"),
        ({"trump_card": "dealer_chooses"}, "TrumpNamed"),
        ({"second_pass": True, "second_ante": 1}, "Stayed"),
        ({"first_dealer": "high_card"}, "CardDrawn"),
    ],
)
def test_new_decisions_travel(keys: dict[str, object], told: str, tmp_path: Path) -> None:
    (outcome,) = played(by_rules(room_with("chooser", tmp_path), HouseRules.preset("limit", **keys)))
    assert outcome.faults == ()
    assert told in {type(event).__name__ for event in events_of(outcome)}


@pytest.mark.parametrize(
    ("policy", "script", "told", "never"),
    [
        ("prompt", "repentant", {"Reneged", "RenegeCorrected"}, {"Penalized"}),
        ("strict", "repentant", {"Reneged", "Penalized"}, {"RenegeCorrected"}),
        ("retract", "repentant", {"Reneged", "RenegeRetracted"}, {"Penalized", "RenegeCorrected"}),
        ("retract", "reneger", {"Reneged", "RenegeRetracted", "Penalized"}, {"RenegeCorrected"}),
        ("retract_renege", "repentant", {"Reneged", "RenegeRetracted", "Penalized"}, {"RenegeCorrected"}),
        ("silent", "reneger", {"Reneged", "Penalized"}, {"RenegeCorrected"}),
        ("silent", "recaller", {"Reneged", "RenegeCorrected"}, {"RenegeRetracted"}),
    ],
)
def test_every_renege_policy(policy: str, script: str, told: set[str], never: set[str], tmp_path: Path) -> None:
    house = HouseRules.preset("limit", renege_policy=policy)
    (outcome,) = played(by_rules(room_with(script, tmp_path, deals=12), house))
    kinds = {type(event).__name__ for event in events_of(outcome)}
    assert told <= kinds
    assert not never & kinds
    assert faults_of(outcome, "honest1") == faults_of(outcome, "honest2") == {}


def test_a_recall_in_time_is_no_fault_even_where_the_next_card_is_forced(tmp_path: Path) -> None:
    spec = by_rules(room_with("recaller", tmp_path, deals=60), HouseRules.preset("limit", renege_policy="silent"))
    recallers = tuple(replace(entry, command=spec.entries[0].command) for entry in spec.entries)
    (outcome,) = played(replace(spec, entries=recallers), guests={})
    assert outcome.faults == ()
    kinds = [type(event).__name__ for event in events_of(outcome)]
    assert kinds.count("RenegeCorrected") == kinds.count("Reneged") > 20
    assert "TrickReopened" in kinds
