"""One match at a table: asks the seats, applies their answers, and charges missing ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bourre.messages import Answer, Ask, MatchEnd
from bourre.record import Recorder, chance_of
from bourre.record.counters import Counters
from bourre.rules.actions import (
    CHOICE_TYPES,
    Action,
    Choice,
    Decision,
    Declare,
    Draw,
    Fault,
    HandOver,
    Missing,
    Recall,
    Unasked,
)
from bourre.rules.events import Event, Faulted, RenegeCorrected
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre.rules.visibility import visible_to
from bourre_referee.luck import LuckRecorder
from bourre_referee.model.packed_text import pack
from bourre_referee.model.results import MatchResult, ranks_of, seat_result
from bourre_referee.model.spec import DuplicateBoard, MatchOutcome, MatchSpec, SeatFault, SeatTiming
from bourre_referee.server.table_logs import RemarkLog, Reporter, TableReport

BESIDES_ANSWERS = (Unasked, HandOver, Recall)
"""Actions that do not close a seat's open ask."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """A bot's options for asks."""

    forced_plays: bool
    """Whether the referee plays the only legal card for it."""
    events: bool
    """Whether the bot gets the events since its last message."""


class Table:
    """Runs one match by the referee's policy, and records it. It takes answers and returns the next asks."""

    def __init__(
        self,
        number: int,
        spec: MatchSpec,
        ask_options: Sequence[AskOptions],
        max_faults: int,
        watch: Callable[[Sequence[Event]], None] | None = None,
    ) -> None:
        """`watch` gets all events as they happen."""
        seats = len(spec.line_up)
        self.number = number
        self.spec = spec
        self.line_up = spec.line_up
        self.awaiting: set[int] = set()
        """The seats with an unanswered ask."""
        header = spec.header
        only = spec.board.deal if spec.board else None
        self._match = Match(seats, spec.deals, spec.house, chance_of(header), only)
        self._recorder = Recorder(header)
        self._observer = LuckRecorder(seats) if spec.board else None
        self._counters = Counters(seats)
        self._reporter = Reporter(spec)
        self._reports: list[TableReport] = []
        self._remarks = RemarkLog(seats, spec.board.seating if spec.board else None)
        self._ask_options = ask_options
        self._listeners = [seat for seat, options in enumerate(ask_options) if options.events]
        self._max_faults = max_faults
        self._watch = watch
        self._gone: dict[int, Fault | None] = {}
        """The faults of the seats whose bots are gone; None for a model that a cap stopped."""
        self._unseen: list[list[Event]] = [[] for _ in range(seats)]
        self._asks = [0] * seats
        self._early: dict[int, Choice | Missing] = {}
        """Answers of seats that were asked together with others, stored until their turn."""
        self._withdrawn: set[tuple[int, int]] = set()
        """Seat and id of asks that were closed without an answer. Late answers to them are ignored."""

    def begin(self, absent: Sequence[int]) -> None:
        """Deals the first cards. The stand-in plays the seats whose bots never connected.

        If no seat may play (R4.6), the match may already be over, and the record is complete.
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
        """The seats whose bots must be asked now."""
        asked_already, played_by_house = self.awaiting, self._counters.house
        return [
            seat
            for seat in self._match.asked
            if not (seat in asked_already or seat in self._early or seat in self._gone or seat in played_by_house)
        ]

    def is_played_by_house(self, seat: int) -> bool:
        """Whether the stand-in plays this seat."""
        return seat in self._counters.house

    def ask(self, seat: int, bank_ms: int, match_ms: int) -> Ask:
        """Returns the ask for a seat: its view, its news, and its remaining time in milliseconds."""
        self.awaiting.add(seat)
        self._asks[seat] += 1
        return Ask(self.number, self._asks[seat], self._match.view(seat), bank_ms, self._take_unseen(seat), match_ms)

    def answer(self, seat: int, action: Choice | Missing, recall: Recall | None = None) -> None:
        """Takes the answer of an asked seat. An answer of the wrong kind counts as undecodable.

        A recall that came with a card counts before any other play, even by the referee (R8.4, `silent`).
        """
        if seat not in self.awaiting:  # the stand-in has taken over
            return
        self.awaiting.discard(seat)
        if isinstance(action, Missing):
            if action.fault == Fault.LATE:
                self._withdraw_ask(seat)
        elif not isinstance(action, CHOICE_TYPES[self._match.decision]):
            action = Missing(Fault.UNDECODABLE)
        self._early[seat] = action
        if recall and self._match.decision == Decision.PLAY:
            self._apply(seat, self._early.pop(seat))
            if not self.over and not self.is_played_by_house(seat):
                self._recall(seat, recall)
        self._go_on()

    def hear_remarks(self, seat: int, answer: Answer) -> None:
        """Stores the note and the usage with this seat's next answer. They do not affect the match."""
        if seat in self.awaiting:
            self._remarks.hear(seat, answer)

    def take_unasked(self, seat: int, answer: Answer) -> None:
        """Takes an answer without an open ask: late, premature (R4.7), or neither."""
        if self.is_played_by_house(seat) or seat in self._gone:
            return
        if (seat, answer.id) in self._withdrawn:  # it was charged when its time ran out
            self._withdrawn.remove((seat, answer.id))
            return
        if isinstance(answer.action, Recall):
            self._recall(seat, answer.action)
            self._go_on()
            return
        declaring = self._match.decision in (Decision.DECLARE, Decision.DRAW)
        announced = declaring and isinstance(answer.action, (Declare, Draw))
        unknown = Fault.PREMATURE if announced else Fault.UNASKED
        closed = self._asks[seat] - (seat in self.awaiting)  # it answers an open ask that was not sent yet
        self._apply(seat, Unasked(Fault.LATE if 0 < answer.id <= closed else unknown))
        self._go_on()

    def _recall(self, seat: int, recall: Recall) -> None:
        """Takes back a card. Seats that were asked since then are asked again (R8.4, `silent`)."""
        if any(isinstance(event, RenegeCorrected) for event in self._apply(seat, recall)):
            for asked in self.awaiting:
                self._withdraw_ask(asked)
            self.awaiting.clear()

    def _withdraw_ask(self, seat: int) -> None:
        """Closes the last ask of this seat. A late answer to it is no fault."""
        self._withdrawn.add((seat, self._asks[seat]))

    def leave(self, seat: int, fault: Fault | None) -> None:
        """Marks the seat's bot as gone. Its next answer is missing (R8.5), then the stand-in plays for it.

        Without a fault, because a cap allows its model no more calls, the stand-in plays that answer too. The first
        reason counts, because a bot whose time ran out may also crash.
        """
        self._gone.setdefault(seat, fault)
        self._go_on()

    def end(self, seat: int) -> MatchEnd:
        """Returns the notice that the match is over."""
        return MatchEnd(self.number, tuple(self._match.ledger.balances), self._take_unseen(seat))

    def reports(self) -> list[TableReport]:
        """Returns the reports for bots' authors since the last call."""
        reports, self._reports = self._reports, []
        return reports

    def outcome(self, timings: tuple[SeatTiming, ...]) -> MatchOutcome:
        """Returns the outcome of the finished match."""
        faults = tuple(
            SeatFault(seat, fault, times)
            for seat, counts in enumerate(self._counters.seats)
            for fault, times in sorted(counts.faults.items())
        )
        if self.spec.board is None:
            result = self._result(self._match.ledger.balances)
            return MatchOutcome(result, faults, pack(self._recorder.text()), timings, remarks=self._remarks.remarks())
        return self._outcome_of_board(self.spec.board, faults, timings)

    def _outcome_of_board(
        self, board: DuplicateBoard, faults: tuple[SeatFault, ...], timings: tuple[SeatTiming, ...]
    ) -> MatchOutcome:
        deal = replace(self._recorder.finished[-1], seating=board.seating, line_up=board.line_up)
        result = self._result(settle_in_units(deal.balances, deal.pot), UNIT)
        played = self._observer.board(board.deal, board.line_up) if self._observer else None
        return MatchOutcome(result, faults, None, timings, deal=deal, played=played, remarks=self._remarks.remarks())

    def _result(self, chips: Sequence[int], unit: int = 1) -> MatchResult:
        seats = tuple(map(seat_result, self.spec.line_up, chips, ranks_of(chips), self._counters.seats))
        return MatchResult(self.spec.match, self.spec.deals, seats, unit)

    def _go_on(self) -> None:
        """Continues the match without asking: for the stand-in, for bots that are gone, and forced plays."""
        match, early, played_by_house = self._match, self._early, self._counters.house
        while not match.over:
            seat = match.to_act
            if seat in early:
                self._apply(seat, early.pop(seat))
            elif seat in played_by_house:
                self._apply(seat, match.deal.default())
            elif seat in self._gone:
                if fault := self._gone[seat]:
                    self._apply(seat, Missing(fault))
                self._hand_over(seat)
            elif self._ask_options[seat].forced_plays and (forced := match.deal.forced):
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
            if self._remarks.waiting:
                self._remarks.place(seat, self._recorder.draft)
        events = self._match.apply(seat, action)
        self._note(seat, action, events)
        for event in events:
            if isinstance(event, Faulted) and self._counters.seats[event.seat].faults.total() >= self._max_faults:
                self._hand_over(event.seat)
        return events

    def _note(self, seat: int | None, action: Action | None, events: list[Event]) -> None:
        self._recorder.note(seat, action, events)
        self._counters.hear(events)
        if self._observer:
            self._observer.hear(events)
        self._reporter.hear(events)
        if self._watch:
            self._watch(events)
        if self._recorder.finished:  # deals have ended
            self._reports += self._reporter.reports()
        for listener in self._listeners:
            self._unseen[listener].extend(visible_to(listener, events))

    def _take_unseen(self, seat: int) -> tuple[Event, ...]:
        if not self._unseen[seat]:
            return ()
        events, self._unseen[seat] = tuple(self._unseen[seat]), []
        return events
