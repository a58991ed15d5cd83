"""One match at a table: whose answer is awaited, what an answer does, what a missing one costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bourre.counters import Counters
from bourre.messages import Answer, Ask, MatchEnd
from bourre.record import Recorder, chance_of
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
from bourre.rules.events import Event, Faulted, RenegeCorrected
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settled
from bourre.rules.visibility import visible_to
from bourre_referee.model.luck import Observer
from bourre_referee.model.results import MatchResult, ranks_of, seat_result
from bourre_referee.model.spec import Board, MatchOutcome, MatchSpec, SeatFault, SeatTiming
from bourre_referee.server.renege_log import Report, Reporter

KIND_ASKED = {
    Decision.NAME_TRUMP: NameTrump,
    Decision.DECLARE: Declare,
    Decision.DRAW: Draw,
    Decision.STAY: Stay,
    Decision.PLAY: Play,
}

BESIDES_ANSWERS = (Unasked, HandOver, Recall)
"""What leaves open what a seat was asked."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a seat's bot wants to be asked."""

    forced_plays: bool
    """The only legal card is played for it."""
    events: bool
    """It is told what happened since its last message."""


class Table:
    """A match, its record, and the policy of the referee. Answers go in; the next ask comes out."""

    def __init__(self, number: int, spec: MatchSpec, ask_options: Sequence[AskOptions], max_faults: int) -> None:
        seats = len(spec.line_up)
        self.number = number
        self.spec = spec
        self.line_up = spec.line_up
        self.awaiting: set[int] = set()
        """The seats whose bots have been asked and have not answered."""
        header = spec.header
        only = spec.board.deal if spec.board else None
        self._match = Match(seats, spec.deals, spec.house, chance_of(header), only)
        self._recorder = Recorder(header)
        self._observer = Observer(seats) if spec.board else None
        self._tally = Counters(seats)
        self._reporter = Reporter(spec)
        self._reports: list[Report] = []
        self._manners = ask_options
        self._listeners = [seat for seat, options in enumerate(ask_options) if options.events]
        self._max_faults = max_faults
        self._gone: dict[int, Fault] = {}
        self._untold: list[list[Event]] = [[] for _ in range(seats)]
        self._asks = [0] * seats
        self._early: dict[int, Choice | Missing] = {}
        """Answers of seats that were asked at once with others, until it is their turn to be counted."""
        self._given_up: set[tuple[int, int]] = set()

    def begin(self, absent: Sequence[int]) -> None:
        """Deals the first cards; the house plays the seats whose bots never came.

        Where nobody may play (R4.6) the match can be over with that: nobody was missed, and the record is whole.
        """
        self._note(None, None, self._match.start())
        if self.over:
            return
        for seat in absent:
            self._apply(seat, Unasked(Fault.START_FAILURE))
            self._hand_over(seat)
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._match.over

    @property
    def to_ask(self) -> list[int]:
        """The seats whose decisions are wanted, and whose bots are to be asked now."""
        asked_already, played_by_house = self.awaiting, self._tally.house
        return [
            seat
            for seat in self._match.asked
            if not (seat in asked_already or seat in self._early or seat in self._gone or seat in played_by_house)
        ]

    def is_played_by_house(self, seat: int) -> bool:
        """Whether the house plays this seat."""
        return seat in self._tally.house

    def ask(self, seat: int, bank_ms: int, match_ms: int) -> Ask:
        """The question for a seat, with all that it may know, and the time that it has left."""
        self.awaiting.add(seat)
        self._asks[seat] += 1
        return Ask(self.number, self._asks[seat], self._match.view(seat), bank_ms, self._news(seat), match_ms)

    def answer(self, seat: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """Takes the answer of a seat that was asked; one of another kind than asked is as good as unreadable.

        A recall that came with a card counts before anything else is played, be it by the referee (R8.4, `silent`).
        """
        if seat not in self.awaiting:  # the house has taken over meanwhile
            return
        self.awaiting.discard(seat)
        if isinstance(action, Missing):
            if action.fault == Fault.LATE:
                self._give_up(seat)
        elif not isinstance(action, KIND_ASKED[self._match.decision]):
            action = Missing(Fault.UNDECODABLE)
        self._early[seat] = action
        if recall and self._match.decision == Decision.PLAY:
            self._apply(seat, self._early.pop(seat))
            if not self.over and not self.is_played_by_house(seat):
                self._recall(seat, recall)
        self._go_on()

    def unasked(self, seat: int, answer: Answer) -> None:
        """Takes what a seat said without being asked: a late answer, a premature one (R4.7), or neither."""
        if self.is_played_by_house(seat) or seat in self._gone:
            return
        if (seat, answer.id) in self._given_up:  # its fault was counted when the time was over
            self._given_up.remove((seat, answer.id))
            return
        if isinstance(answer.action, Recall):
            self._recall(seat, answer.action)
            self._go_on()
            return
        declaring = self._match.decision in (Decision.DECLARE, Decision.DRAW)
        announced = declaring and isinstance(answer.action, (Declare, Draw))
        unknown = Fault.PREMATURE if announced else Fault.UNASKED
        closed = self._asks[seat] - (seat in self.awaiting)  # one that is open was answered before it was sent
        self._apply(seat, Unasked(Fault.LATE if 0 < answer.id <= closed else unknown))
        self._go_on()

    def _recall(self, seat: int, recall: Recall) -> None:
        """A card is taken back: whoever was asked meanwhile is asked anew (R8.4, `silent`)."""
        if any(isinstance(event, RenegeCorrected) for event in self._apply(seat, recall)):
            for asked in self.awaiting:
                self._give_up(asked)
            self.awaiting.clear()

    def _give_up(self, seat: int) -> None:
        """The last ask of this seat is closed; an answer that still comes is nobody's fault any more."""
        self._given_up.add((seat, self._asks[seat]))

    def leave(self, seat: int, fault: Fault) -> None:
        """The bot of this seat is gone: what it is asked next is missing (R8.5), then the house plays for it.

        The first reason counts: a bot whose time is over may also crash.
        """
        self._gone.setdefault(seat, fault)
        self._go_on()

    def end(self, seat: int) -> MatchEnd:
        """The notice that the match is over."""
        return MatchEnd(self.number, tuple(self._match.ledger.balances), self._news(seat))

    def reports(self) -> list[Report]:
        """What is to be said to the authors of bots, since the last time."""
        reports, self._reports = self._reports, []
        return reports

    def outcome(self, timings: tuple[SeatTiming, ...]) -> MatchOutcome:
        """What the finished match leaves behind."""
        faults = tuple(
            SeatFault(seat, fault, times)
            for seat, tally in enumerate(self._tally.seats)
            for fault, times in sorted(tally.faults.items())
        )
        if self.spec.board is None:
            result = self._result(self._match.ledger.balances)
            return MatchOutcome(result, faults, self._recorder.text(), timings)
        return self._outcome_of_board(self.spec.board, faults, timings)

    def _outcome_of_board(
        self, board: Board, faults: tuple[SeatFault, ...], timings: tuple[SeatTiming, ...]
    ) -> MatchOutcome:
        deal = replace(self._recorder.finished[-1], seating=board.seating, line_up=board.line_up)
        result = self._result(settled(deal.balances, deal.pot), UNIT)
        drawing = self._observer.drawing() if self._observer else None
        return MatchOutcome(result, faults, "", timings, deal=deal, drawing=drawing)

    def _result(self, chips: Sequence[int], unit: int = 1) -> MatchResult:
        seats = tuple(map(seat_result, self.spec.line_up, chips, ranks_of(chips), self._tally.seats))
        return MatchResult(self.spec.match, self.spec.deals, seats, unit)

    def _go_on(self) -> None:
        """Does all that needs no bot: seats of the house, seats whose bot is gone, forced plays."""
        match, early, played_by_house = self._match, self._early, self._tally.house
        while not match.over:
            seat = match.to_act
            if seat in early:
                self._apply(seat, early.pop(seat))
            elif seat in played_by_house:
                self._apply(seat, match.deal.default())
            elif seat in self._gone:
                self._apply(seat, Missing(self._gone[seat]))
                self._hand_over(seat)
            elif self._manners[seat].forced_plays and (forced := match.deal.forced):
                self._apply(seat, forced)
            else:
                return

    def _hand_over(self, seat: int) -> None:
        if not self.over and not self.is_played_by_house(seat):
            self._apply(seat, HandOver())
            self.awaiting.discard(seat)

    def _apply(self, seat: int, action: Action) -> list[Event]:
        if not isinstance(action, BESIDES_ANSWERS):
            self.awaiting.discard(seat)
        events = self._match.apply(seat, action)
        self._note(seat, action, events)
        for event in events:
            if isinstance(event, Faulted) and self._tally.seats[event.seat].faults.total() >= self._max_faults:
                self._hand_over(event.seat)
        return events

    def _note(self, seat: int | None, action: Action | None, events: list[Event]) -> None:
        self._recorder.note(seat, action, events)
        self._tally.hear(events)
        if self._observer:
            self._observer.hear(events)
        self._reporter.hear(events)
        if self._recorder.finished:  # deals have ended
            self._reports += self._reporter.reports()
        for listener in self._listeners:
            self._untold[listener].extend(visible_to(listener, events))

    def _news(self, seat: int) -> tuple[Event, ...]:
        if not self._untold[seat]:
            return ()
        news, self._untold[seat] = tuple(self._untold[seat]), []
        return news
