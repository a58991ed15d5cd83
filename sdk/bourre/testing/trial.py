"""Matches that test a bot, with every preset, at small and large tables, against random opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from bourre.practice.loop_thread import LoopThread
from bourre.practice.seat import PracticeSeat
from bourre.practice.session import BotMaker, make_bot
from bourre.rules.actions import Choice, Decision, Declare, Draw, Missing, NameTrump, Play, Stay
from bourre.rules.cards import Card
from bourre.rules.deck import SeededChance, derive, master_seed
from bourre.rules.house import MAX_SEATS, PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View


def random_choice(view: View, dice: Random) -> Choice:
    """Returns a random answer to this view. One play in twenty ignores legality, so that some are reneges."""
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
    return Declare(True, *_choose_discards(view, dice)) if view.house.declares_in_turn else Declare(True)


def _draw(view: View, dice: Random) -> Draw:
    return Draw(*_choose_discards(view, dice))


def _choose_discards(view: View, dice: Random) -> tuple[tuple[Card, ...], bool]:
    """Chooses discards at random, and whether to take the turned card for one of them."""
    discards = tuple(dice.sample(view.hand, dice.randint(0, view.max_discards)))
    return discards, bool(discards) and view.may_take_turned and dice.random() < 0.5


SIZES = (2, 3, 5, MAX_SEATS)
"""Numbers of seats, up to the largest table, where the stock runs out."""

Judge = Callable[["Trial", PracticeSeat, View], Choice | Missing]
"""A function that asks the bot at a seat and checks its answer."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One match of the bot under test."""

    preset: str
    seats: int
    place: int
    """The seat of the bot under test."""
    deals: int
    seed: int

    def __str__(self) -> str:
        return f"preset {self.preset}, {self.seats} seats, seed {self.seed}"


def make_trials(deals: int, seed: int, presets: Sequence[str] | None) -> Iterator[Trial]:
    """Yields trials of `deals` deals for each preset (None means all), at several sizes; raises InvalidHouse."""
    for preset in PRESETS if presets is None else presets:
        HouseRules.preset(preset)
        most = PRESET_SEATS.get(preset, MAX_SEATS)
        for number, size in enumerate(SIZES):
            share = deals // len(SIZES) + (number < deals % len(SIZES))
            if share:
                yield Trial(preset, min(size, most), number % min(size, most), share, seed)


def repeat_hint(check: str, bot: str, trial: Trial) -> str:
    """Returns the call that repeats this match, among the matches of its preset."""
    deals = trial.deals * len(SIZES)
    return f"again: {check}({bot}, deals={deals}, seed={trial.seed}, presets=[{trial.preset!r}])"


def play(bot: BotMaker, trial: Trial, judge: Judge) -> None:
    """Plays one match until the judge raises; raises AssertionError for misnamed methods."""
    __tracebackhide__ = True
    name = getattr(bot, "__name__", type(bot).__name__)
    with LoopThread() as wait:
        seat = PracticeSeat(trial.place, name, make_bot(bot), wait)
        if found := seat.find_misnamed():
            raise AssertionError("\n".join(found))
        _play(seat, trial, judge)


def _play(seat: PracticeSeat, trial: Trial, judge: Judge) -> None:
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
                action = random_choice(view, dice)
            seat.hear(match.apply(view.seat, action))
    seat.end(tuple(match.ledger.balances))
