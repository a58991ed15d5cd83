"""One match at a table: whose answer is awaited, what an answer does, what a missing one costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre.messages import Answer, Ask, MatchEnd
from bourre.record import Header, Recorder
from bourre.rules.actions import Action, Choice, Decision, Declare, Draw, Fault, HandOver, Missing, Play, Unasked
from bourre.rules.cards import lowest
from bourre.rules.deck import SeededChance
from bourre.rules.events import Event, Faulted
from bourre.rules.match import Match
from bourre.rules.view import visible_to
from bourre.tally import SeatTally, Tally
from bourre_referee.results import MatchResult, SeatResult, ranks_of
from bourre_referee.spec import MatchOutcome, MatchSpec, SeatFault, SeatTiming

_KIND_ASKED = {Decision.DECLARE: Declare, Decision.DRAW: Draw, Decision.PLAY: Play}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a seat's bot wants to be asked."""

    forced_plays: bool
    """The only legal card is played for it."""
    events: bool
    """It is told what happened since its last message."""


class Table:
    """A match, its record, and the policy of the referee. Answers go in; the next ask comes out."""

    def __init__(self, number: int, spec: MatchSpec, manners: Sequence[Manner], max_faults: int) -> None:
        seats = len(spec.line_up)
        self.number = number
        self.spec = spec
        self.awaiting: int | None = None
        """The seat whose bot has been asked and has not answered."""
        self._match = Match(seats, spec.deals, spec.house, SeededChance(spec.seed))
        self._recorder = Recorder(Header(spec.match, spec.line_up, spec.deals, spec.seed, spec.house))
        self._tally = Tally(seats)
        self._manners = manners
        self._max_faults = max_faults
        self._gone: dict[int, Fault] = {}
        self._untold: list[list[Event]] = [[] for _ in range(seats)]
        self._asks = [0] * seats
        self._given_up: set[tuple[int, int]] = set()

    def begin(self, absent: Sequence[int]) -> None:
        """Deals the first cards; the house plays the seats whose bots never came."""
        self._note(None, None, self._match.start())
        for seat in absent:
            self._apply(seat, Unasked(Fault.START_FAILURE))
            self._hand_over(seat)
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._match.over

    @property
    def to_act(self) -> int:
        """The seat whose decision is wanted."""
        return self._match.to_act

    def is_played_by_house(self, seat: int) -> bool:
        """Whether the house plays this seat."""
        return seat in self._tally.house

    def ask(self, bank_ms: int) -> Ask:
        """The question for the seat that is to act, with all that it may know."""
        seat = self.awaiting = self.to_act
        self._asks[seat] += 1
        return Ask(self.number, self._asks[seat], self._match.view(seat), bank_ms, self._news(seat))

    def answer(self, action: Choice | Missing) -> None:
        """Takes the answer of the seat that is to act; one of another kind than asked is as good as unreadable."""
        if action == Missing(Fault.LATE):
            self._given_up.add((self.to_act, self._asks[self.to_act]))
        expected = isinstance(action, (Missing, _KIND_ASKED[self._match.decision]))
        self._apply(self.to_act, action if expected else Missing(Fault.UNDECODABLE))
        self._go_on()

    def unasked(self, seat: int, answer: Answer) -> None:
        """Takes what a seat said without being asked: a late answer, a premature one (R4.7), or neither."""
        if self.is_played_by_house(seat):
            return
        if (seat, answer.id) in self._given_up:  # its fault was counted when the time was over
            self._given_up.remove((seat, answer.id))
            return
        announced = isinstance(answer.action, (Declare, Draw)) and self._match.decision != Decision.PLAY
        unknown = Fault.PREMATURE if announced else Fault.UNASKED
        self._apply(seat, Unasked(Fault.LATE if 0 < answer.id <= self._asks[seat] else unknown))
        self._go_on()

    def leave(self, seat: int, fault: Fault) -> None:
        """The bot of this seat is gone: what it is asked next is missing (R8.5), then the house plays for it."""
        self._gone[seat] = fault
        self._go_on()

    def end(self, seat: int) -> MatchEnd:
        """The notice that the match is over."""
        return MatchEnd(self.number, tuple(self._match.ledger.balances), self._news(seat))

    def outcome(self, timings: tuple[SeatTiming, ...]) -> MatchOutcome:
        """What the finished match leaves behind."""
        chips = self._match.ledger.balances
        seats = tuple(map(_seat_result, self.spec.line_up, chips, ranks_of(chips), self._tally.seats))
        faults = tuple(
            SeatFault(seat, fault, times)
            for seat, tally in enumerate(self._tally.seats)
            for fault, times in sorted(tally.faults.items())
        )
        result = MatchResult(self.spec.match, self.spec.deals, seats)
        return MatchOutcome(result, faults, self._recorder.text(), timings)

    def _go_on(self) -> None:
        """Does all that needs no bot: seats of the house, seats whose bot is gone, forced plays."""
        while not self.over:
            seat = self.to_act
            if self.is_played_by_house(seat):
                self._apply(seat, self._house_action())
            elif seat in self._gone:
                self._apply(seat, Missing(self._gone[seat]))
                self._hand_over(seat)
            elif self._manners[seat].forced_plays and (forced := self._forced_play()):
                self._apply(seat, forced)
            else:
                return

    def _forced_play(self) -> Play | None:
        tricks = self._match.deal.tricks
        forced = tricks is not None and not tricks.correcting and tricks.legal.bit_count() == 1
        return Play(lowest(tricks.legal)) if tricks and forced else None

    def _house_action(self) -> Action:
        """Passes when allowed, else stands pat and plays the lowest legal card."""
        if self._match.decision == Decision.DECLARE:
            return Declare(False)
        tricks = self._match.deal.tricks
        return Play(lowest(tricks.legal)) if tricks else Draw()

    def _hand_over(self, seat: int) -> None:
        if not self.over and not self.is_played_by_house(seat):
            self._apply(seat, HandOver())

    def _apply(self, seat: int, action: Action) -> None:
        if seat == self.awaiting and not isinstance(action, (Unasked, HandOver)):
            self.awaiting = None
        events = self._match.apply(seat, action)
        self._note(seat, action, events)
        faulted = {event.seat for event in events if isinstance(event, Faulted)}
        for at_fault in faulted:
            if self._tally.seats[at_fault].faults.total() >= self._max_faults:
                self._hand_over(at_fault)

    def _note(self, seat: int | None, action: Action | None, events: list[Event]) -> None:
        self._recorder.note(seat, action, events)
        self._tally.hear(events)
        for listener, manner in enumerate(self._manners):
            if manner.events:
                self._untold[listener].extend(visible_to(listener, events))

    def _news(self, seat: int) -> tuple[Event, ...]:
        news, self._untold[seat] = tuple(self._untold[seat]), []
        return news


def _seat_result(bot: str, chips: int, rank: int, tally: SeatTally) -> SeatResult:
    return SeatResult(
        bot=bot,
        chips=chips,
        rank=rank,
        wins=tally.wins,
        bourres=tally.bourres,
        reneges=tally.reneges,
        faults=tally.faults.total(),
        house_deals=tally.house_deals,
    )
