"""The bots at a learner's table: they hear what happens, and answer what they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.practice import PracticeError
from bourre.practice.loop_thread import LoopThread
from bourre.practice.mistake import BOT_EXCEPTIONS
from bourre.practice.seat import Seat, objection
from bourre.practice.session import BotSource, make_bot, name_bots
from bourre.rules.actions import Choice
from bourre.rules.view import View
from bourre_lab.envs.episode import Episode


class Opponents:
    """Named bots, made anew for each match."""

    def __init__(self, bots: Sequence[BotSource]) -> None:
        """Each is a class, a file or the name of an example; raises BotFileError for one that cannot be found."""
        self._makers = name_bots(bots)
        self._loop = LoopThread()
        self._seats: dict[int, Seat] = {}

    @property
    def number(self) -> int:
        """How many bots there are."""
        return len(self._makers)

    def sit_down(self, learner: int) -> None:
        """Seats new bots in order from the learner's left."""
        seats = self.number + 1
        self._seats = {}
        for turn, (name, maker) in enumerate(self._makers.items(), start=1):
            number = (learner + turn) % seats
            self._seats[number] = Seat(number, name, make_bot(maker), self._loop)

    def hear(self, episode: Episode) -> None:
        """Tells the bots what the last step has caused, and that the match is over if it is."""
        for seat in self._seats.values():
            seat.hear(episode.events)
            if episode.over:
                seat.end(tuple(episode.match.ledger.balances))

    def answer(self, view: View) -> Choice:
        """Returns a bot's answer; raises PracticeError if the bot fails, or its answer is illegal."""
        seat = self._seats[view.seat]
        place = f"deal {view.deal}, seat {view.seat}"
        try:
            choice = seat.answer(view)
        except BOT_EXCEPTIONS as error:
            raise PracticeError(f"{seat.name}: {seat.complaint(error, view.decision)} ({place})", error) from error
        if why := objection(choice, view):
            raise PracticeError(f"{seat.name}: {why} ({place})")
        return choice

    def leave(self) -> None:
        """Ends the thread in which `async` bots wait, if there is one."""
        self._loop.__exit__(None, None, None)
