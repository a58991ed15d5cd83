"""Random answers for tests: legal and illegal ones, missing ones, unasked ones, and seats handed to the house."""

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
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.visibility import View

RandomStep = tuple[int | None, Action | None, list[Event]]
"""Who acted, the action, and the events that followed; the first step of a match has only events."""


def play_randomly(match: Match, dice: Random, mischief: float) -> Iterator[RandomStep]:
    """Starts a match and plays it to its end; `mischief` is the chance of a bad answer at every turn."""
    yield None, None, match.start()
    while not match.over:
        seat = match.to_act
        view = match.view(seat)
        action = _mischievous(view, dice) if dice.random() < mischief else legal_answer(view, dice)
        if isinstance(action, Unasked | HandOver):
            seat = dice.randrange(match.seats)
        yield seat, action, match.apply(seat, action)
        if not match.over and _is_silent_renege(view, action) and dice.random() < 0.5:
            recall = Recall(dice.choice(view.legal))
            yield seat, recall, match.apply(seat, recall)


def legal_answer(view: View, dice: Random) -> Choice:
    """A random legal answer; four seats in five come in."""
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


def illegal_cards(view: View) -> list[Card]:
    """The cards whose play would be a renege; empty before the play."""
    return [card for card in view.hand if card not in view.legal] if view.decision == Decision.PLAY else []


def random_answer(view: View, dice: Random) -> Action:
    """A random answer: a renege one time in ten, no answer one time in twenty, else a legal one."""
    illegal = illegal_cards(view) if view.decision == Decision.PLAY else []
    if illegal and dice.random() < 0.1:
        return Play(dice.choice(illegal))
    return Missing(Fault.LATE) if dice.random() < 0.05 else legal_answer(view, dice)


def _mischievous(view: View, dice: Random) -> Action:
    kind = dice.randrange(4)
    if kind == 0:
        return Missing(dice.choice([Fault.LATE, Fault.ERROR, Fault.UNDECODABLE]))
    if kind == 1:
        unasked: list[Action] = [Unasked(Fault.PREMATURE), Unasked(Fault.UNASKED), HandOver()]
        return dice.choice(unasked)
    if view.decision in (Decision.NAME_TRUMP, Decision.STAY):
        return legal_answer(view, dice)
    cards = tuple(dice.sample(view.hand if kind == 2 else DECK, 1))
    if view.decision == Decision.PLAY:
        return Play(cards[0])
    return Draw(cards * 2, takes=True) if view.decision == Decision.DRAW else Declare(True, cards)


def _is_silent_renege(view: View, action: Action) -> bool:
    silent = view.house.renege_policy == "silent"
    return silent and isinstance(action, Play) and action.card in view.hand and action.card not in view.legal
