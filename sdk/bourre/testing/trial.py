"""Matches that try a bot out: by every preset, at small and large tables, against strangers that do anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from bourre.practice.seat import Seat
from bourre.practice.session import BotMaker, made
from bourre.practice.waiting import Waiting
from bourre.rules.actions import Choice, Decision, Declare, Draw, Missing, NameTrump, Play, Stay
from bourre.rules.cards import Card
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.house import MAX_SEATS, PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View


def any_choice(view: View, dice: Random) -> Choice:
    """An answer to this view; one card in twenty is any of the hand, so that some are reneges."""
    match view.decision:
        case Decision.PLAY:
            return Play(dice.choice(view.hand if dice.random() < 0.05 else view.legal))
        case Decision.DRAW:
            return _draw(view, dice)
        case Decision.NAME_TRUMP:
            return NameTrump(dice.choice(view.hand).suit)
        case Decision.STAY:
            return Stay(dice.random() < 0.8)
    if dice.random() < 0.25:
        return Declare(False)
    return Declare(True, *_thrown(view, dice)) if view.house.declare_mode == "turn" else Declare(True)


def _draw(view: View, dice: Random) -> Draw:
    return Draw(*_thrown(view, dice))


def _thrown(view: View, dice: Random) -> tuple[tuple[Card, ...], bool]:
    """Some cards, and whether the turned card is taken for one of them."""
    discards = tuple(dice.sample(view.hand, dice.randint(0, view.max_discards)))
    return discards, bool(discards) and view.may_take_turned and dice.random() < 0.5


SIZES = (2, 3, 5, MAX_SEATS)
"""Tables from the smallest to the largest, for which the cards are short."""

Judge = Callable[["Trial", Seat, View], Choice | Missing]
"""Asks the bot at this seat, and judges what it says."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One match of the bot that is tried out."""

    preset: str
    seats: int
    place: int
    """Where it sits."""
    deals: int
    seed: int

    def __str__(self) -> str:
        return f"preset {self.preset}, {self.seats} seats, seed {self.seed}"


def trials(deals: int, seed: int, presets: Sequence[str] | None) -> Iterator[Trial]:
    """So many deals for each preset (None: for all), spread over tables of several sizes; InvalidHouse."""
    for preset in PRESETS if presets is None else presets:
        HouseRules.preset(preset)
        most = PRESET_SEATS.get(preset, MAX_SEATS)
        for number, size in enumerate(SIZES):
            share = deals // len(SIZES) + (number < deals % len(SIZES))
            if share:
                yield Trial(preset, min(size, most), number % min(size, most), share, seed)


def again(check: str, bot: str, trial: Trial) -> str:
    """Says what repeats this match, among the few of its preset."""
    deals = trial.deals * len(SIZES)
    return f"again: {check}({bot}, deals={deals}, seed={trial.seed}, presets=[{trial.preset!r}])"


def play(bot: BotMaker, trial: Trial, judge: Judge) -> None:
    """Plays one match; whatever the judge raises ends it. AssertionError for misnamed methods."""
    __tracebackhide__ = True
    name = getattr(bot, "__name__", type(bot).__name__)
    with Waiting() as wait:
        seat = Seat(trial.place, name, made(bot), wait)
        if found := seat.misnamed():
            raise AssertionError("\n".join(found))
        _play(seat, trial, judge)


def _play(seat: Seat, trial: Trial, judge: Judge) -> None:
    __tracebackhide__ = True
    key = derive(master_seed(trial.seed), f"{trial.preset} {trial.seats}")
    dice = Random(key)
    match = Match(trial.seats, trial.deals, HouseRules.preset(trial.preset), SeededChance(key))
    seat.hear(match.start())
    while not match.over:
        views = [match.view(asked) for asked in match.asked]
        for view in views:
            if view.seat == trial.place:
                action = match.deal.forced or judge(trial, seat, view)
            else:
                action = any_choice(view, dice)
            seat.hear(match.apply(view.seat, action))
    seat.end(tuple(match.ledger.balances))
