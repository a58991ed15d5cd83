"""Plants faults in 5 % of the decisions, and counts in how many runs the interval of that rate has the planted one.

`python benchmarks/fault_rates.py [--runs 100] [--kind NAME]`. Every match is played by the rules, recorded, and counted
as in `bourre stats`. The stand-in takes over as at a referee.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from bourre.record import Header, Recorder, chance_of
from bourre.rules.actions import Action, Choice, Decision, Declare, Draw, Fault, HandOver, Missing, Play
from bourre.rules.cards import DECK
from bourre.rules.deck import master_seed
from bourre.rules.events import Faulted
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre_referee.statistics.match_counts import RunCounts, count_record
from bourre_referee.statistics.rule_following import ALL, RuleRate

PLANTED = 5.0
"""Per 100 decisions."""
HOUSE, DEALS, LENGTHS = HouseRules.preset("limit"), 10, (10, 30)
BOTS = ("model", "other")
MOST_FAULTS = 10
"""As `faults.max` of a contest."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault, and how to make it."""

    rule: str
    """The rule whose rate is compared."""
    chance: float
    """In a decision that allows this fault."""
    fault: Callable[[View], Action | None]
    """Returns the fault; None if this decision does not allow it."""
    bursts: bool = False
    """Whether each match has its own chance, between none and twice as much."""


def usual(view: View) -> Choice:
    """Plays on, draws nothing, and plays the first legal card."""
    if view.decision == Decision.PLAY:
        return Play(view.legal[0])
    return Declare(True) if view.decision == Decision.DECLARE else Draw()


def against_rule(view: View) -> Action | None:
    """Plays a card of the hand against R5 or R6."""
    wrong = [card for card in view.hand if card not in view.legal] if view.decision == Decision.PLAY else []
    return Play(wrong[0]) if wrong else None


def not_held(view: View) -> Action | None:
    """Plays a card of another hand."""
    return Play(next(card for card in DECK if card not in view.hand)) if view.decision == Decision.PLAY else None


def too_many(view: View) -> Action | None:
    """Discards a card too many."""
    discards = (*view.hand, view.hand[0])[: view.max_discards + 1]
    return Declare(True, discards) if view.decision == Decision.DECLARE and view.max_discards else None


def missing(fault: Fault, _: View) -> Action:
    """Gives no usable answer."""
    return Missing(fault)


ANYWHERE = (Fault.UNDECODABLE, Fault.REFUSED, Fault.LATE, Fault.PROVIDER)
KINDS = {
    "against a rule": Kind(ALL, 0.405, against_rule),
    "not held": Kind(Fault.NOT_HELD, 0.067, not_held),
    "too many discards": Kind(Fault.ILLEGAL_DISCARD, 0.2, too_many),
    **{fault.value: Kind(fault, PLANTED / 100, partial(missing, fault)) for fault in ANYWHERE},
    "provider, in bursts": Kind(Fault.PROVIDER, PLANTED / 100, partial(missing, Fault.PROVIDER), bursts=True),
}


def play(kind: Kind, seed: str) -> str:
    """Plays a match; returns its record."""
    header = Header("m0001", BOTS, DEALS, master_seed(int.from_bytes(seed.encode())), HOUSE)
    random, recorder, match = Random(seed), Recorder(header), Match(len(BOTS), DEALS, HOUSE, chance_of(header))
    chance, faults = kind.chance * (random.uniform(0, 2) if kind.bursts else 1), 0
    recorder.note(None, None, match.start())
    while not match.over:
        seat = match.deal.to_act
        action: Action | None = match.deal.forced
        if action is None:
            view = match.view(seat)
            planted = kind.fault(view) if seat == 0 and not view.correcting else None
            action = planted if planted and random.random() < chance else usual(view)
        if seat == 0 and faults >= MOST_FAULTS:
            action = match.deal.default()
        events = match.apply(seat, action)
        recorder.note(seat, action, events)
        before, faults = faults, faults + sum(isinstance(event, Faulted) for event in events)
        if before < MOST_FAULTS <= faults:
            recorder.note(0, HandOver(), match.apply(0, HandOver()))
    return recorder.text()


def rates(kind: Kind, name: str, run: int) -> list[RuleRate | None]:
    """Plays one run; returns its rate after each length."""
    counts, found = RunCounts(), []
    for number in range(max(LENGTHS)):
        counts.add(number, count_record(play(kind, f"{name} {run} {number}")))
        if number + 1 in LENGTHS:
            found.append(counts.rules.summarise(BOTS)[0].rate_of(kind.rule))
    return found


def is_found(rate: RuleRate | None) -> bool:
    """Whether the interval of this rate has the planted one."""
    return rate is not None and rate.ci95 is not None and rate.ci95[0] <= PLANTED <= rate.ci95[1]


def main(names: list[str], runs: int) -> None:
    """Prints a line for each kind."""
    print(f"{'kind':<20}" + "".join(f"{f'found, {length} matches':>20}{'mean':>7}" for length in LENGTHS))
    for name in names:
        of_length = zip(*(rates(KINDS[name], name, run) for run in range(runs)), strict=True)
        cells = [(sum(map(is_found, of)), sum(rate.per_100 for rate in of if rate) / runs) for of in of_length]
        print(f"{name:<20}" + "".join(f"{f'{found} of {runs}':>20}{mean:>7.2f}" for found, mean in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--kind", choices=KINDS)
    given = parser.parse_args()
    main([given.kind] if given.kind else list(KINDS), given.runs)
