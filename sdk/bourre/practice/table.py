"""One match of practice, from the first card to the last."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.practice.error import PracticeError
from bourre.practice.result import BotResult, PracticeMatch
from bourre.practice.seat import Seat, objection
from bourre.record import Header, Recorder
from bourre.rules.actions import Action, Fault, Missing
from bourre.rules.cards import show
from bourre.rules.deck import SeededChance
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre.tally import SeatTally, Tally


class PracticeTable:
    """Seats, their match, and what is noted of it."""

    def __init__(self, header: Header, seats: Sequence[Seat], seed: str, strict: bool) -> None:
        """`seed` is what the caller gave, for the messages."""
        self._header = header
        self._seats = seats
        self._seed = seed
        self._strict = strict
        self._match = Match(len(seats), header.deals, header.house, SeededChance(header.seed))
        self._recorder = Recorder(header)
        self._tally = Tally(len(seats))
        self._problems: list[str] = []

    def play(self) -> PracticeMatch:
        """Plays the whole match."""
        match = self._match
        self._note(None, None, match.start())
        while not match.over:
            view = match.view(match.to_act)
            action = self._answer(view)
            self._note(view.seat, action, match.apply(view.seat, action))
        balances = tuple(match.ledger.balances)
        for seat in self._seats:
            self._end(seat, balances)
        rows = tuple(map(self._row, self._seats, balances, self._tally.seats))
        return PracticeMatch(self._header.match, rows, self._recorder.text(), tuple(self._problems))

    def _row(self, seat: Seat, chips: int, tally: SeatTally) -> BotResult:
        return BotResult(
            bot=seat.name,
            deals=self._header.deals,
            chips=chips,
            wins=tally.wins,
            bourres=tally.bourres,
            reneges=tally.reneges,
            faults=tally.faults.total(),
        )

    def _answer(self, view: View) -> Action:
        """The answer of the bot that is asked; what it raises is no answer (R8.5)."""
        seat = self._seats[view.seat]
        try:
            action = seat.answer(view)
        except Exception as error:
            self._complain(seat, f"{seat.complaint(error, view.decision)}; {_described(view)}", error)
            return Missing(Fault.ERROR)
        if why := objection(action, view):
            self._complain(seat, f"{why}; {_described(view)}")
        return action

    def _end(self, seat: Seat, balances: tuple[int, ...]) -> None:
        try:
            seat.end(balances)
        except Exception as error:
            self._complain(seat, seat.complaint(error, "on_match_end"), error)

    def _note(self, seat: int | None, action: Action | None, events: list[Event]) -> None:
        self._recorder.note(seat, action, events)
        self._tally.hear(events)
        for listener in self._seats:
            listener.hear(events)

    def _complain(self, seat: Seat, why: str, error: Exception | None = None) -> None:
        place = f"{self._header.match}, deal {self._match.deal.number}, seat {seat.number}, seed {self._seed}"
        problem = f"{seat.name}: {why} ({place})"
        if self._strict:
            raise PracticeError(problem) from error
        self._problems.append(problem)


def _described(view: View) -> str:
    trick = f", trick {show(view.trick)}" if view.trick else ""
    return f"hand {show(view.hand)}, trump {view.trump}{trick}, legal {show(view.legal)}"
