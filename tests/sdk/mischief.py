"""Matches in which anything may be answered: legal and illegal cards, silence, unasked words, seats given up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bourre.rules.actions import (
    Action,
    Choice,
    Decision,
    Declare,
    Draw,
    Fault,
    HandOver,
    Missing,
    NameTrump,
    Play,
    Recall,
    Stay,
    Unasked,
)
from bourre.rules.cards import DECK, Suit
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.visibility import View

Noted = tuple[int | None, Action | None, list[Event]]


def answers(match: Match, dice: Random, mischief: float) -> Iterator[Noted]:
    """Starts a match and plays it, with this chance of mischief at every turn: each action and what followed."""
    yield None, None, match.start()
    while not match.over:
        seat = match.to_act
        view = match.view(seat)
        action = _mischievous(view, dice) if dice.random() < mischief else sensible(view, dice)
        if isinstance(action, Unasked | HandOver):
            seat = dice.randrange(match.seats)
        yield seat, action, match.apply(seat, action)
        if not match.over and _is_silent_renege(view, action) and dice.random() < 0.5:
            recall = Recall(dice.choice(view.legal))
            yield seat, recall, match.apply(seat, recall)


def sensible(view: View, dice: Random) -> Choice:
    """A legal answer; most seats come in."""
    match view.decision:
        case Decision.PLAY:
            return Play(dice.choice(view.legal))
        case Decision.NAME_TRUMP:
            return NameTrump(dice.choice(list(Suit)))
        case Decision.STAY:
            return Stay(dice.random() < 0.8)
    discards = tuple(dice.sample(view.hand, dice.randint(0, min(len(view.hand), view.max_discards))))
    takes = view.may_take_turned and bool(discards) and dice.random() < 0.5
    if view.decision == Decision.DRAW:
        return Draw(discards, takes)
    in_turn = view.house.declare_mode == "turn"
    if dice.random() >= 0.8:
        return Declare(False)
    return Declare(True, discards, takes) if in_turn else Declare(True)


def _mischievous(view: View, dice: Random) -> Action:
    kind = dice.randrange(4)
    if kind == 0:
        return Missing(dice.choice([Fault.LATE, Fault.ERROR, Fault.UNDECODABLE]))
    if kind == 1:
        unasked: list[Action] = [Unasked(Fault.PREMATURE), Unasked(Fault.UNASKED), HandOver()]
        return dice.choice(unasked)
    if view.decision in (Decision.NAME_TRUMP, Decision.STAY):
        return sensible(view, dice)
    cards = tuple(dice.sample(view.hand if kind == 2 else DECK, 1))
    if view.decision == Decision.PLAY:
        return Play(cards[0])
    return Draw(cards * 2, takes=True) if view.decision == Decision.DRAW else Declare(True, cards)


def _is_silent_renege(view: View, action: Action) -> bool:
    silent = view.house.renege_policy == "silent"
    return silent and isinstance(action, Play) and action.card in view.hand and action.card not in view.legal
