"""Makes the rows of deals and decisions by replaying a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bourre.record import DealRecord, Header, Record, RecordError, chance_of, read
from bourre.rules.actions import Action, Decision, HandOver, Play, Recall, Unasked
from bourre.rules.card_play import Tricks
from bourre.rules.cards import Card, Suit, show
from bourre.rules.errors import InvalidAction
from bourre.rules.events import (
    AntePaid,
    DealEnded,
    DealStarted,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HouseTookOver,
    MatchPaid,
    PotShared,
    PotTaken,
    Stayed,
    TrumpNamed,
    TrumpTurned,
    TurnedTaken,
)
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre.rules.tricks import broken_rule
from bourre_referee.export.table_rows import DealRow, DecisionRow
from bourre_referee.model.errors import ContestError
from bourre_referee.text.amounts import in_chips


def record_rows(text: str, place: str) -> Iterator[DealRow | DecisionRow]:
    """Yields the rows of this record in its order: the decisions of a deal, then the deal itself.

    Raises ContestError, with the place, if the record cannot be read or contradicts the rules.
    """
    try:
        record = read(text)
        yield from _session_rows(record) if record.header.format == "session" else _duplicate_rows(record)
    except (RecordError, InvalidAction) as error:
        raise ContestError(f"{place}: {error}.\nhint: run bourre verify for details") from error


def _session_rows(record: Record) -> Iterator[DealRow | DecisionRow]:
    """Yields the rows of a session. A deal's result is the difference of the balances."""
    replay = _Replay(record.header)
    before = (0,) * len(record.header.bots)
    for deal in record.deals:
        yield from replay.decision_rows(deal)
        summary = replay.summary_of(deal)
        shares = (seat.share for seat in summary.seats)
        won = (now - then + share for now, then, share in zip(deal.balances, before, shares, strict=True))
        yield from _deal_rows(record.header, deal, summary, [UNIT * chips for chips in won])
        before = deal.balances


def _duplicate_rows(record: Record) -> Iterator[DealRow | DecisionRow]:
    """Yields the rows of a duplicate match, in which every seating of a deal is settled separately."""
    for deal in record.deals:
        replay = _Replay(record.header, only=deal.deal)
        yield from replay.decision_rows(deal)
        yield from _deal_rows(record.header, deal, replay.summary_of(deal), settle_in_units(deal.balances, deal.pot))


class _Replay:
    """Replays a match from the actions of its record."""

    def __init__(self, header: Header, only: int | None = None) -> None:
        self._header = header
        self._match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self._collector = DealCollector(len(header.bots))
        self._collector.hear(self._match.start())

    def decision_rows(self, deal: DealRecord) -> Iterator[DecisionRow]:
        """Yields the row of each action of a deal, then replays the action."""
        names = names_of(self._header, deal)
        for number, (seat, action) in enumerate(deal.actions, start=1):
            question, by_house = question_of(self._match, action), seat in self._collector.house
            events = self._match.apply(seat, action)
            self._collector.hear(events)
            yield DecisionRow(
                match=self._header.match,
                deal=deal.deal,
                seating=deal.seating,
                number=number,
                seat=seat,
                bot=names[seat],
                kind=question.kind,
                trick=question.trick,
                action=str(action),
                legal=question.legal,
                forced=None if question.legal is None else question.legal == 1,
                renege=question.renege,
                fault=_fault(seat, events),
                by_house=by_house,
            )

    def summary_of(self, deal: DealRecord) -> DealSummary:
        """Returns the summary of a deal, which must be over. Raises RecordError if its record disagrees."""
        summary = self._collector.deals.pop(deal.deal, None)
        if summary is None or summary.ended is None:
            raise RecordError(f"deal {deal.deal} is not over after its last action", deal.deal)
        if (summary.ended.balances, summary.ended.pot) != (deal.balances, deal.pot):
            raise RecordError(f"deal {deal.deal} does not end as recorded", deal.deal)
        return summary


def names_of(header: Header, deal: DealRecord) -> Sequence[str]:
    """Returns the bots of a deal by seat."""
    return header.bots if deal.line_up is None else [header.bots[number] for number in deal.line_up]


def _fault(seat: int, events: Sequence[Event]) -> str | None:
    return next((event.fault.value for event in events if isinstance(event, Faulted) and event.seat == seat), None)


def _deal_rows(header: Header, deal: DealRecord, summary: DealSummary, units: Sequence[int]) -> Iterator[DealRow]:
    """Yields a row for each seat. `units` is its result in the deal, in 1/840 chips."""
    for seat, (bot, of_seat) in enumerate(zip(names_of(header, deal), summary.seats, strict=True)):
        yield DealRow(
            match=header.match,
            deal=deal.deal,
            seating=deal.seating,
            seat=seat,
            bot=bot,
            dealer=seat == deal.dealer,
            dealt=show(deal.dealt[seat]),
            turned=None if deal.turned is None else str(deal.turned),
            trump=None if summary.trump is None else str(summary.trump),
            plays=of_seat.plays,
            obliged=of_seat.obliged,
            left=of_seat.left,
            discarded=show(of_seat.discarded),
            received=show(deal.received[seat]),
            took_turned=of_seat.took_turned,
            tricks=deal.taken[seat],
            won=of_seat.won,
            bourred=of_seat.bourred,
            reneges=sum(renege.seat == seat for renege in deal.reneges),
            faults=of_seat.faults,
            by_house=of_seat.by_house,
            pot=summary.pot,
            paid=of_seat.paid,
            pot_after=deal.pot,
            chips=in_chips(units[seat], UNIT),
            chips_840=units[seat],
        )


CORRECT = "correct"
"""The decision of a second card after a renege. Bots see it as `play` (R8.4)."""

UNASKED: dict[type[Action], str] = {Unasked: "unasked", HandOver: "house", Recall: "recall"}
"""The decision of actions without a question."""


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """The question that a seat was asked, and for a card the number of legal ones."""

    kind: str
    trick: int | None = None
    """The number of the trick, from 1."""
    legal: int | None = None
    """The number of legal cards. None if the question is not about a card."""
    renege: str | None = None
    """The rule that the card breaks. None if it breaks none."""


def question_of(match: Match, action: Action) -> RecordedQuestion:
    """Returns the question that this next action answers. Raises InvalidAction if the match is over."""
    if kind := UNASKED.get(type(action)):
        return RecordedQuestion(kind)
    tricks = match.deal.tricks
    if tricks is None or match.decision != Decision.PLAY:
        return RecordedQuestion(match.decision.value)
    kind = CORRECT if tricks.correcting else Decision.PLAY.value
    renege = None if tricks.correcting else _renege(tricks, action)
    return RecordedQuestion(kind, len(tricks.completed) + 1, tricks.legal.bit_count(), renege)


def _renege(tricks: Tricks, action: Action) -> str | None:
    """Returns the rule that the card breaks. None if the card is legal, or not in the hand, which is a fault."""
    if not isinstance(action, Play) or not tricks.hands[tricks.to_act] >> action.card & 1:
        return None
    return None if tricks.legal >> action.card & 1 else broken_rule(action.card, tricks.position())


@dataclass(slots=True)
class SeatSummary:
    """The decisions and payments of one seat in a deal."""

    plays: bool = False
    obliged: bool = False
    left: bool = False
    discarded: tuple[Card, ...] = ()
    took_turned: bool = False
    won: bool = False
    bourred: bool = False
    faults: int = 0
    paid: int = 0
    """Chips paid: antes, stake, fines, and to match the pot."""
    share: int = 0
    """Its share of the pot that is left after the last deal of a session (R7.6)."""
    by_house: bool = False


@dataclass(slots=True)
class DealSummary:
    """The course of a deal."""

    seats: list[SeatSummary]
    pot: int
    """The chips carried over, and the antes."""
    trump: Suit | None = None
    ended: DealEnded | None = None


class DealCollector:
    """Takes the events of a match, and keeps a summary of each finished deal by its number."""

    def __init__(self, seats: int) -> None:
        self.deals: dict[int, DealSummary] = {}
        self.house: set[int] = set()
        """The seats that the referee has taken over."""
        self._seats = seats
        self._deal = DealSummary([], 0)

    def hear(self, events: Iterable[Event]) -> None:
        """Takes these events, in their order."""
        for event in events:
            match event:
                case DealStarted():
                    pot = self._deal.ended.pot if self._deal.ended else 0
                    self._deal = DealSummary([SeatSummary() for _ in range(self._seats)], pot)
                case DealEnded():
                    self._end(event)
                case HouseTookOver(seat):
                    self.house.add(seat)
                case TrumpTurned(trump=trump) | TrumpNamed(trump=trump):
                    self._deal.trump = trump
                case AntePaid(seat, chips):
                    self._deal.pot += chips
                    self._deal.seats[seat].paid += chips
                case MatchPaid(seat, chips) | FinePaid(seat, chips):
                    self._deal.seats[seat].paid += chips
                    self._deal.seats[seat].bourred |= isinstance(event, MatchPaid) and event.bourred
                case _:
                    self._hear_of_seat(event)

    def _hear_of_seat(self, event: Event) -> None:
        match event:
            case Declared(seat, plays, obliged):
                self._deal.seats[seat].plays, self._deal.seats[seat].obliged = plays, obliged
            case Drew(seat, discarded=cards):
                self._deal.seats[seat].discarded = cards or ()
            case TurnedTaken(seat):
                self._deal.seats[seat].took_turned = True
            case Stayed(seat, stays):
                self._deal.seats[seat].left = not stays
            case PotTaken(seat):
                self._deal.seats[seat].won = True
            case PotShared(seat, chips):
                self._deal.seats[seat].share = chips
            case Faulted(seat):
                self._deal.seats[seat].faults += 1

    def _end(self, ended: DealEnded) -> None:
        self._deal.ended = ended
        for seat in self.house:
            self._deal.seats[seat].by_house = True
        self.deals[ended.deal] = self._deal
