"""Questions about a position written in card texts: which cards are legal, is it a cinch, which rule a card breaks."""

from __future__ import annotations

from typing import Any

from bourre.rules.cards import Card, Suit, card_set, cards_in, parse_cards, show
from bourre.rules.house import HouseRules
from bourre.rules.tricks import Position, broken_rule, is_cinch, legal_plays


def position(
    hand: str,
    trick: str = "",
    *,
    trump: str = "S",
    playing: int = 5,
    won: int = 0,
    seen: str = "",
    dead: str = "",
    **keys: Any,
) -> Position:
    """A position written in texts; `keys` are house rules over `pagat`."""
    return Position(
        hand=card_set(parse_cards(hand)),
        trick=parse_cards(trick),
        trump=Suit.parse(trump),
        playing=playing,
        tricks_won=won,
        seen=card_set(parse_cards(seen)),
        dead=card_set(parse_cards(dead)),
        house=HouseRules.preset("pagat", **keys),
    )


def legal(asked: Position) -> str:
    """The cards that may be played, lowest first."""
    return show(cards_in(legal_plays(asked)))


def reneges(asked: Position) -> dict[str, str]:
    """Every illegal card of the hand, and the rule that it breaks."""
    illegal = cards_in(asked.hand & ~legal_plays(asked))
    return {str(card): broken_rule(card, asked) for card in illegal}


def cinch(asked: Position) -> bool:
    """Whether it is a cinch."""
    return is_cinch(asked)


def broken(card: str, asked: Position) -> str:
    """The rule that this card breaks."""
    return broken_rule(Card(card), asked)
