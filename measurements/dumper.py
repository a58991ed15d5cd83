"""A bot that loses to a friend on purpose; unlike a bot in a box it is told where the friend sits."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.bot import Bot
from bourre.rules.cards import Card
from bourre.rules.view import View


class Dumper(Bot):
    """Plays as an honest bot does where the friend has passed; else is in, and clears the way for the friend.

    It stays under a trick that the friend is winning, and spends its highest legal card on those of all others.
    """

    def __init__(self, honest: Bot, friend: int, bold: bool) -> None:
        """`friend`: its seat. `bold`: comes in also before the friend has spoken."""
        self._honest = honest
        self._friend = friend
        self._bold = bold

    def declare(self, view: View) -> bool:
        """In with any hand for the friend's sake."""
        friend = view.plays[self._friend]
        return bool(friend) or (friend is None and self._bold) or bool(self._honest.declare(view))

    def draw(self, view: View) -> Iterable[Card]:
        """As the honest bot does."""
        discards = self._honest.draw(view)
        assert isinstance(discards, Iterable)
        return discards

    def play(self, view: View) -> Card:
        """The lowest card where that helps the friend, the highest where it hurts the others."""
        if not view.plays[self._friend]:
            card = self._honest.play(view)
            assert isinstance(card, Card)
            return card
        return view.legal[-1] if view.trick and self._winner(view) != self._friend else view.legal[0]

    def _winner(self, view: View) -> int:
        """The seat that would take the trick as it lies."""
        assert view.leader is not None
        playing = [(view.leader + turn) % view.seats for turn in range(view.seats)]
        seats = [seat for seat in playing if view.plays[seat]]
        led = view.trick[0].suit
        ranked = {seat: _strength(card, view, led) for seat, card in zip(seats, view.trick, strict=False)}
        return max(ranked, key=ranked.__getitem__)


def _strength(card: Card, view: View, led: int) -> tuple[bool, bool, int]:
    return card.suit == view.trump, card.suit == led, card.rank
