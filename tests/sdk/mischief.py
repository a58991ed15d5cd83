"""Matches in which anything may be answered: legal and illegal cards, silence, unasked words, seats given up."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bourre.rules.actions import Action, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Unasked
from bourre.rules.cards import DECK
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.view import View

Noted = tuple[int | None, Action | None, list[Event]]


def answers(match: Match, dice: Random, mischief: float) -> Iterator[Noted]:
    """Starts a match and plays it, with this chance of mischief at every turn: each action and what followed."""
    yield None, None, match.start()
    while not match.over:
        seat = match.to_act
        action = _mischievous(match.view(seat), dice) if dice.random() < mischief else sensible(match.view(seat), dice)
        if isinstance(action, Unasked | HandOver):
            seat = dice.randrange(match.seats)
        yield seat, action, match.apply(seat, action)


def sensible(view: View, dice: Random) -> Action:
    """A legal answer; most seats come in."""
    if view.decision == Decision.PLAY:
        return Play(dice.choice(view.legal))
    discards = tuple(dice.sample(view.hand, dice.randint(0, view.max_discards)))
    if view.decision == Decision.DRAW:
        return Draw(discards)
    return Declare(True, discards) if dice.random() < 0.8 else Declare(False)


def _mischievous(view: View, dice: Random) -> Action:
    kind = dice.randrange(4)
    if kind == 0:
        return Missing(dice.choice([Fault.LATE, Fault.ERROR, Fault.UNDECODABLE]))
    if kind == 1:
        unasked: list[Action] = [Unasked(Fault.PREMATURE), Unasked(Fault.UNASKED), HandOver()]
        return dice.choice(unasked)
    cards = tuple(dice.sample(view.hand if kind == 2 else DECK, 1))
    if view.decision == Decision.PLAY:
        return Play(cards[0])
    return Draw(cards * 2) if view.decision == Decision.DRAW else Declare(True, cards)
