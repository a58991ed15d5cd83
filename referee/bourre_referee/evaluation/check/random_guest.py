"""The others at the table: they play at random, in the referee's own process, over lines without a wire."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from bourre import Bot, Card, Suit, View
from bourre.bot_tables import Tables
from bourre.messages import Hello
from bourre_referee.server.connection import Line


class Guest(Bot):
    """Tosses dice for everything, so that the bot under test sees all sorts of hands; the same in every repetition."""

    def declare(self, view: View) -> bool:
        """In more often than not."""
        return view.rng.random() < 0.6

    def draw(self, view: View) -> Iterable[Card]:
        """Any number of any cards."""
        return view.rng.sample(view.hand, view.rng.randint(0, min(view.max_discards, len(view.hand))))

    def take_turned(self, view: View) -> bool:
        """Now and then."""
        return view.rng.random() < 0.5

    def name_trump(self, view: View) -> Suit:
        """Any suit."""
        return view.rng.choice(list(Suit))

    def stay(self, view: View) -> bool:
        """More often than not."""
        return view.rng.random() < 0.7

    def play(self, view: View) -> Card:
        """Any legal card."""
        return view.rng.choice(view.legal)


async def attend(line: Line) -> None:
    """Plays on this line until its goodbye."""
    tables = Tables(Guest)
    line.admit(Hello(token="", client="guest"))
    while True:
        bundle = await line.outgoing()
        with line.sending():
            await asyncio.sleep(0)  # nobody else is kept waiting while guests are among themselves
        tables.follow(bundle)
        if bundle.goodbye:
            return
        answers = [answer for ask in bundle.asks for answer in await tables.answers(ask)]
        if answers:
            line.receive(answers)
