"""Makes the rows of deals and decisions by replaying a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bourre.record import DealRecord, Header, Record, RecordError, chance_of, read
from bourre.rules.actions import Action, Decision, HandOver, Play, Recall, Unasked
from bourre.rules.card_play import Tricks
from bourre.rules.cards import show
from bourre.rules.errors import InvalidAction
from bourre.rules.events import (
    DealEnded,
    Event,
    Faulted,
    HouseTookOver,
    MatchPaid,
    PotShared,
    PotTaken,
)
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre.rules.tricks import broken_rule
from bourre.words.table_words.deal_story import DealStory, begin_match, follow
from bourre.words.table_words.picture import seat_of
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
    replay = _RecordReplay(record.header)
    before = (0,) * len(record.header.bots)
    for deal in record.deals:
        yield from replay.decision_rows(deal)
        ended = replay.end_of(deal)
        won = [now - then for now, then in zip(deal.balances, before, strict=True)]
        for event in ended.story.outcome:
            if isinstance(event, PotShared):
                won[event.seat] += event.chips
        yield from _deal_rows(record.header, deal, ended, [UNIT * chips for chips in won])
        before = deal.balances


def _duplicate_rows(record: Record) -> Iterator[DealRow | DecisionRow]:
    """Yields the rows of a duplicate match, in which every seating of a deal is settled separately."""
    for deal in record.deals:
        replay = _RecordReplay(record.header, only=deal.deal)
        yield from replay.decision_rows(deal)
        yield from _deal_rows(record.header, deal, replay.end_of(deal), settle_in_units(deal.balances, deal.pot))


@dataclass(frozen=True, slots=True)
class EndedDeal:
    """A deal that is over."""

    story: DealStory
    by_house: frozenset[int]
    """The seats that the referee had taken over by its end."""


class _RecordReplay:
    """Replays a match from the actions of its record."""

    def __init__(self, header: Header, only: int | None = None) -> None:
        self._header = header
        self._match = Match(len(header.bots), header.deals, header.house, chance_of(header), only)
        self._story = begin_match(len(header.bots), header.house)
        self._by_house: frozenset[int] = frozenset()
        self._ended: dict[int, EndedDeal] = {}
        self._hear(self._match.start())

    def _hear(self, events: Iterable[Event]) -> None:
        for event in events:
            self._story = follow(self._story, event)
            if isinstance(event, HouseTookOver):
                self._by_house |= {event.seat}
            elif isinstance(event, DealEnded):
                self._ended[event.deal] = EndedDeal(self._story, self._by_house)

    def decision_rows(self, deal: DealRecord) -> Iterator[DecisionRow]:
        """Yields the row of each action of a deal, then replays the action."""
        names = names_of(self._header, deal)
        for number, (seat, action) in enumerate(deal.actions, start=1):
            question, by_house = question_of(self._match, action), seat in self._by_house
            events = self._match.apply(seat, action)
            self._hear(events)
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

    def end_of(self, deal: DealRecord) -> EndedDeal:
        """Returns the end of a deal. Raises RecordError if it is not over, or its record disagrees."""
        ended = self._ended.pop(deal.deal, None)
        if ended is None:
            raise RecordError(f"deal {deal.deal} is not over after its last action", deal.deal)
        if DealEnded(deal.deal, deal.balances, deal.pot) not in ended.story.outcome:
            raise RecordError(f"deal {deal.deal} does not end as recorded", deal.deal)
        return ended


def names_of(header: Header, deal: DealRecord) -> Sequence[str]:
    """Returns the bots of a deal by seat."""
    return header.bots if deal.line_up is None else [header.bots[number] for number in deal.line_up]


def _fault(seat: int, events: Sequence[Event]) -> str | None:
    return next((event.fault.value for event in events if isinstance(event, Faulted) and event.seat == seat), None)


def _deal_rows(header: Header, deal: DealRecord, ended: EndedDeal, units: Sequence[int]) -> Iterator[DealRow]:
    """Yields a row for each seat. `units` is its result in the deal, in 1/840 chips."""
    story = ended.story
    for seat, (bot, of_seat) in enumerate(zip(names_of(header, deal), story.seats, strict=True)):
        declared, drew = of_seat.declared, of_seat.drew
        outcome = [event for event in story.outcome if seat_of(event) == seat]
        yield DealRow(
            match=header.match,
            deal=deal.deal,
            seating=deal.seating,
            seat=seat,
            bot=bot,
            dealer=seat == deal.dealer,
            dealt=show(deal.dealt[seat]),
            turned=None if deal.turned is None else str(deal.turned),
            trump=None if story.trump is None else str(story.trump),
            plays=declared is not None and declared.plays,
            obliged=declared is not None and declared.obliged,
            left=of_seat.left,
            discarded=show((drew and drew.discarded) or ()),
            received=show(deal.received[seat]),
            took_turned=of_seat.took is not None,
            tricks=deal.taken[seat],
            won=any(isinstance(event, PotTaken) for event in outcome),
            bourred=any(isinstance(event, MatchPaid) and event.bourred for event in outcome),
            reneges=sum(renege.seat == seat for renege in deal.reneges),
            faults=sum(isinstance(one.event, Faulted) and one.event.seat == seat for one in story.incidents),
            by_house=seat in ended.by_house,
            pot=story.pot,
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
