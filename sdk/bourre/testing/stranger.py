"""Whom a bot meets while it is tested: a seat that does anything that a seat may do, and at times what it may not."""

from __future__ import annotations

from random import Random

from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card
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
