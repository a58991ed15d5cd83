"""The time between two games or puzzles: what has ended, and what the person wishes to do next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal

from bourre_seats.question_queue.question import AnswerError
from bourre_seats.seat.ending import Ending

Wish = Literal["same", "seat", "new", "table", "next", "leave"]
"""The same cards again, or those of the next seat, new cards, other opponents, the next puzzle, or the end."""
OFFERS: dict[Wish, str] = {
    "same": "`same` deals the same cards again",
    "seat": "`seat` deals you those of the next seat",
    "new": "`new` deals new cards",
    "table": "`table` seats other opponents",
    "next": "`next` brings the next puzzle",
    "leave": "`leave` ends it",
}


class Interlude:
    """Holds the end of the last game, and waits for a wish. Use it in one event loop only."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """`changed` is called whenever anything changes."""
        self.offers: tuple[Wish, ...] = ()
        """What the person may wish for now. Empty while a game or a puzzle is going on."""
        self.ending: Ending | None = None
        self.replay = ""
        """The page that replays the last game or puzzle."""
        self.count = 0
        """The number of interludes so far."""
        self._changed = changed
        self._wish: asyncio.Future[Wish] | None = None

    async def offer(self, offers: Sequence[Wish], replay: str, ending: Ending | None = None) -> Wish:
        """Offers these, and returns what the person wishes for."""
        self.offers, self.replay, self.ending = tuple(offers), replay, ending
        self.count += 1
        self._wish = asyncio.get_running_loop().create_future()
        self._changed()
        try:
            return await self._wish
        finally:
            self.end()

    def judge(self, ending: Ending) -> None:
        """Shows the same ending with its judgement, if the person is still looking at it."""
        if self.offers:
            self.ending = ending
            self._changed()

    def wish(self, word: str) -> None:
        """Takes what the person wishes for; raises AnswerError if it is not offered."""
        wish = next((one for one in self.offers if one == word), None)
        if wish is None or self._wish is None or self._wish.done():
            raise AnswerError(self.words() if self.offers else "The game goes on: there is nothing to choose yet.")
        self._wish.set_result(wish)
        self.offers = ()

    def words(self) -> str:
        """Returns the offers in a sentence."""
        *first, last = (OFFERS[one] for one in self.offers)
        return f"{', '.join(first)}, and {last}."

    def end(self) -> None:
        """Ends the interlude."""
        self.offers, self.ending, self.replay = (), None, ""
        self._changed()
