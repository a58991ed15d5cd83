"""Bots that favour a friend: some lose to it on purpose, others stay out of its way.

Unlike a bot in a box they are told where the friend sits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from bourre.bot import Bot
from bourre.rules.cards import Card
from bourre.rules.visibility import View


class Friend(Bot):
    """An honest bot that knows its friend."""

    def __init__(self, honest: Bot, friend: int) -> None:
        """`friend`: its seat."""
        self._honest = honest
        self._friend = friend

    def declare(self, view: View) -> bool:
        """Declares as the honest bot does."""
        return bool(self._honest.declare(view))

    def draw(self, view: View) -> Iterable[Card]:
        """Likewise."""
        discards = self._honest.draw(view)
        assert isinstance(discards, Iterable)
        return discards

    def play(self, view: View) -> Card:
        """Likewise."""
        card = self._honest.play(view)
        assert isinstance(card, Card)
        return card


class SoftPlayer(Friend):
    """A bot that passes if the friend already plays; so the friend has one rival less, and no chips flow."""

    def declare(self, view: View) -> bool:
        """Passes for the friend's sake."""
        return not view.plays[self._friend] and super().declare(view)


class Gentle(Friend):
    """A bot that never takes a trick from the friend if it need not, and never leads a trump against it."""

    def play(self, view: View) -> Card:
        """Plays low on the friend's tricks, and leads the lowest plain card."""
        if not view.plays[self._friend]:
            return super().play(view)
        if view.trick:
            return view.legal[0] if winner(view) == self._friend else super().play(view)
        plain = [card for card in view.legal if card.suit != view.trump]
        return min(plain or view.legal)


class Feeder(Friend):
    """A bot that pays into the friend's pots: it plays any hand unless the friend has passed, and plays it honestly."""

    def declare(self, view: View) -> bool:
        """Plays any hand for the friend's sake."""
        return view.plays[self._friend] is not False or super().declare(view)


class Thrower(Friend):
    """A bot that comes in as honest bots do, and then plays its lowest card wherever the friend is in."""

    def play(self, view: View) -> Card:
        """Throws the trick."""
        return view.legal[0] if view.plays[self._friend] else super().play(view)


class Dumper(Friend):
    """A bot that is honest if the friend has passed; otherwise it plays, and helps the friend win.

    It stays under a trick that the friend is winning, and spends its highest legal card on those of all others.
    """

    def __init__(self, honest: Bot, friend: int, bold: bool) -> None:
        """`bold`: plays even before the friend has declared."""
        super().__init__(honest, friend)
        self._bold = bold

    def declare(self, view: View) -> bool:
        """Plays any hand for the friend's sake."""
        friend = view.plays[self._friend]
        return bool(friend) or (friend is None and self._bold) or super().declare(view)

    def play(self, view: View) -> Card:
        """Plays the lowest card if that helps the friend, the highest if it hurts the others."""
        if not view.plays[self._friend]:
            return super().play(view)
        return view.legal[-1] if view.trick and winner(view) != self._friend else view.legal[0]


def winner(view: View) -> int:
    """Returns the seat that is winning the trick."""
    assert view.leader is not None
    playing = [(view.leader + turn) % view.seats for turn in range(view.seats)]
    seats = [seat for seat in playing if view.plays[seat]]
    led = view.trick[0].suit
    ranked = {seat: _strength(card, view, led) for seat, card in zip(seats, view.trick, strict=False)}
    return max(ranked, key=ranked.__getitem__)


def _strength(card: Card, view: View, led: int) -> tuple[bool, bool, int]:
    return card.suit == view.trump, card.suit == led, card.rank


PLOTTERS: Mapping[str, Callable[[Bot, int], Bot]] = {
    "bold": partial(Dumper, bold=True),
    "careful": partial(Dumper, bold=False),
    "feeder": Feeder,
    "thrower": Thrower,
    "soft": SoftPlayer,
    "gentle": Gentle,
}
"""Makes a bot of each way to collude out of an honest one and the friend's seat."""
