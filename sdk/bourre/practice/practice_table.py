"""One match of practice, from the first card to the last."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.messages import reported_fault
from bourre.notes import Remarks, Usage
from bourre.practice.mistake import BOT_EXCEPTIONS, PracticeError, in_one_line
from bourre.practice.result import BotResult, PracticeMatch, PracticeNote
from bourre.practice.seat import PracticeSeat, objection
from bourre.record import DealRecord, Header, Recorder, chance_of
from bourre.record.counters import Counters, SeatCounts
from bourre.rules.actions import Action, Choice, Missing, Recall
from bourre.rules.events import Event
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre.words.table_words import describe_cards


class PracticeTable:
    """The seats of a match, its record, and its counts."""

    def __init__(
        self, header: Header, seats: Sequence[PracticeSeat], seed: str, strict: bool, only: int | None = None
    ) -> None:
        """`seed` is the caller's seed, for messages; `only` is the one deal to play."""
        self._header = header
        self._seats = seats
        self._listeners = [seat for seat in seats if seat.listens]
        self._seed = seed
        self._strict = strict
        self._match = Match(len(seats), header.deals, header.house, chance_of(header), only)
        self._may_recall = header.house.allows_recall
        self._at_once = header.house.declares_at_once
        self._recorder = Recorder(header)
        self._counters = Counters(len(seats))
        self._problems: list[str] = []
        self._notes: list[PracticeNote] = []
        self._usage: dict[int, Usage] = {}
        """The usage of each seat, as its bot reports it."""

    def play(self) -> PracticeMatch:
        """Plays the whole match."""
        match = self._match
        self._record(None, None, match.start())
        while not match.over:
            deal = match.deal
            if (forced := deal.forced) is not None:
                self._apply(deal.to_act, forced)
            elif self._at_once and len(deal.asked) > 1:  # without seeing each other's answers
                views = [match.view(seat) for seat in deal.asked]
                for view, choice in [(view, self._answer(view)) for view in views]:
                    self._apply_choice(view, choice)
            else:
                view = match.view(deal.to_act)
                self._apply_choice(view, self._answer(view))
        balances = tuple(match.ledger.balances)
        for seat in self._seats:
            self._end(seat, balances)
        rows = tuple(map(self._row, self._seats, balances, self._counters.seats))
        return PracticeMatch(self._header.match, rows, self._recorder.text(), tuple(self._problems), tuple(self._notes))

    @property
    def last_deal(self) -> DealRecord:
        """The last deal of the match."""
        return self._recorder.finished[-1]

    def _row(self, seat: PracticeSeat, chips: int, counts: SeatCounts) -> BotResult:
        return BotResult(
            bot=seat.name,
            deals=self._header.deals,
            chips=chips,
            wins=counts.wins,
            bourres=counts.bourres,
            reneges=counts.reneges.total(),
            faults=counts.faults.total(),
            usage=self._usage.get(seat.number),
        )

    def _apply_choice(self, view: View, choice: Choice | Missing) -> None:
        if remarks := self._seats[view.seat].take_remarks():
            self._keep(remarks, view.seat)
        self._apply(view.seat, choice)
        if self._may_recall and (recall := self._recall(view, choice)):
            self._apply(view.seat, recall)

    def _apply(self, seat: int, action: Action) -> None:
        self._record(seat, action, self._match.apply(seat, action))

    def _keep(self, remarks: Remarks, seat: int) -> None:
        """Keeps a bot's remarks on the answer that is applied next."""
        draft = self._recorder.draft
        if remarks.note and draft is not None:
            number = len(draft.actions) + 1
            self._notes.append(PracticeNote(self._seats[seat].name, draft.deal, number, remarks.note))
        if remarks.usage:
            self._usage[seat] = self._usage.get(seat, Usage()) + remarks.usage.limited()

    def _answer(self, view: View) -> Choice | Missing:
        """Returns the bot's answer. An exception counts as no answer (R8.5)."""
        seat = self._seats[view.seat]
        try:
            action = seat.answer(view)
        except BOT_EXCEPTIONS as error:
            self._report_mistake(seat, seat.complaint(error, view.decision), view, error=error)
            return Missing(reported_fault(type(error).__name__))
        except KeyboardInterrupt as error:
            self._add_notes(seat, view, error)
            raise
        if why := objection(action, view):
            self._report_mistake(seat, why, view, action)
        return action

    def _recall(self, view: View, choice: Choice | Missing) -> Recall | None:
        """Returns the bot's correction of its play, before another seat is asked (R8.4, `silent`)."""
        seat = self._seats[view.seat]
        try:
            recall = seat.recall(view, choice)
        except BOT_EXCEPTIONS as error:
            self._report_mistake(seat, seat.complaint(error, "recall"), view, error=error)
            return None
        if recall and (why := objection(recall, view)):
            self._report_mistake(seat, why, view, recall)
        return recall

    def _end(self, seat: PracticeSeat, balances: tuple[int, ...]) -> None:
        try:
            seat.end(balances)
        except BOT_EXCEPTIONS as error:
            problem = f"{seat.name}: {seat.complaint(error, 'on_match_end')} ({self._place(seat.number)})"
            if self._strict:
                raise PracticeError(problem, error) from error
            self._problems.append(problem)

    def _record(self, seat: int | None, action: Action | None, events: list[Event]) -> None:
        self._recorder.note(seat, action, events)
        self._counters.hear(events)
        for listener in self._listeners:
            listener.hear(events)

    def _report_mistake(
        self,
        seat: PracticeSeat,
        why: str,
        view: View,
        said: Choice | Recall | None = None,
        error: BaseException | None = None,
    ) -> None:
        place = self._place(seat.number)
        if self._strict:
            raise PracticeError(seat.mistake(why, view, said, error).in_full(place), error) from error
        self._problems.append(in_one_line(seat.name, why, view, place))

    def _add_notes(self, seat: PracticeSeat, view: View, interrupt: KeyboardInterrupt) -> None:
        """Adds the bot's decision to the interrupt, for a user who stops an endless bot."""
        interrupt.add_note(f"{seat.name} was asked to {view.decision} ({self._place(seat.number)})")
        if running := seat.running(interrupt):
            interrupt.add_note(f"  where: {running}")
        interrupt.add_note(f"  {describe_cards(view)}")

    def _place(self, seat: int) -> str:
        return f"{self._header.match}, deal {self._match.deal.number}, seat {seat}, seed {self._seed}"
