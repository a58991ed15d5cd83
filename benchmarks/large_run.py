"""A large run without bots, for measurements: played by the rules, stored by the store of `bourre run`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from bourre.record import Header, Recorder
from bourre.record.counters import Counters
from bourre.rules.actions import Action, Decision, Declare, Draw, Play
from bourre.rules.deck import SeededChance
from bourre.rules.match import Match
from bourre_referee.contest.contest_file import load
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import MatchResult, ranks_of, seat_result
from bourre_referee.model.spec import MatchOutcome, MatchSpec, RoomSpec, SeatTiming
from bourre_referee.runner.contest_run import run

SEATS = 5
DEALS = 10
MAX_LINE_UPS = 4_000
"""Larger runs play them again: a contest file holds at most 4,096."""


async def play_room(spec: RoomSpec) -> list[MatchOutcome]:
    """Plays a room without bots."""
    return [play_match(match) for match in spec.matches]


def play_match(spec: MatchSpec) -> MatchOutcome:
    """Plays a match without bots."""
    match = Match(len(spec.line_up), spec.deals, spec.house, SeededChance(spec.seed))
    recorder = Recorder(Header(spec.match, spec.line_up, spec.deals, spec.seed, spec.house))
    counters = Counters(len(spec.line_up))
    seat, action, events = None, None, match.start()
    while True:
        recorder.note(seat, action, events)
        counters.hear(events)
        if match.over:
            break
        seat, action = match.to_act, _choice(match)
        events = match.apply(seat, action)
    chips = match.ledger.balances
    made = tuple(map(seat_result, spec.line_up, chips, ranks_of(chips), counters.seats))
    timings = tuple(SeatTiming(100, 150.0, 5.0) for _ in made)
    return MatchOutcome(MatchResult(spec.match, spec.deals, made), (), pack(recorder.text()), timings)


def _choice(match: Match) -> Action:
    view = match.view(match.to_act)
    if match.decision == Decision.DECLARE:
        return Declare(any(card.suit == view.trump for card in view.hand))
    return Draw() if match.decision == Decision.DRAW else Play(view.legal[0])


def make_run(folder: Path, matches: int, bots: int) -> Path:
    """Makes a finished run of about this many matches, every bot in some of them."""
    names = [f"bot-{number:03}" for number in range(bots)]
    for name in names:
        (folder / f"{name}.py").write_text("")
    repeats = -(-matches // (SEATS * MAX_LINE_UPS))
    line_ups = list(islice(_line_ups(names, Random(1)), matches // (SEATS * repeats)))
    text = (
        f'[contest]\nname = "large"\nseed = 7\n[table]\nseats = {SEATS}\ndeals = {DEALS}\n'
        f'[schedule]\nkind = "line-ups"\nrepeats = {repeats}\nline_ups = {line_ups}\n[isolation]\nlevel = "none"\n'
    )
    entries = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "{name}.py"]\n' for name in names)
    file = folder / "contest.toml"
    file.write_text(text + entries)
    run(load(file), folder / "run", jobs=1, play_room=play_room)
    return folder / "run"


def _line_ups(names: list[str], rng: Random) -> Iterator[list[str]]:
    """Yields line-ups of all bots, again and again; each is played once in each of its seatings."""
    while True:
        order = rng.sample(names, len(names))
        yield from (order[first : first + SEATS] for first in range(0, len(order) - SEATS + 1, SEATS))
