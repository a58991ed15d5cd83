"""The moments of a deal and of a match that are worth telling, from its record, ranked by the chips they moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bourre.record import Record
from bourre.rules.cards import Card, Suit
from bourre.rules.events import CardPlayed, Event, MatchPaid, PotCarried, PotTaken, Reneged
from bourre.rules.tricks import best_card
from bourre.words.table_words.deal_story import DealStory
from bourre_referee.contest.stages import match_id
from bourre_referee.text.amounts import in_chips
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of, story_of
from bourre_referee.web.data.chip_totals import LeadStory, chip_totals
from bourre_referee.web.data.trick_table import TrickTable, trick_table

MOST = 6
"""The most moments of each kind that are kept."""

FEWEST_IN_A_FIGHT = 3
"""The fewest seats that play in a fight for a pot."""

SHALLOWEST = 10
"""The fewest chips that a winner must have been behind to have come back."""


class MomentKind(StrEnum):
    """The kind of a moment."""

    COMEBACK = "comeback"
    RENEGE = "renege"
    BOURRES = "bourres"
    FIGHT = "fight"
    LAST_TRICK = "last trick"
    POT = "pot"


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment. Only the cards in `legal` and in `played` were hidden from an onlooker."""

    kind: MomentKind
    number: int
    """The number of the match in the schedule."""
    match: str
    played: DealEvents
    """The deal in which it happened."""
    step: int
    """The number of its step in the replay of the deal, from 1."""
    bots: tuple[str, ...]
    """The bots that it is about: that reneged, went bourré, fought, took the pot, or came back."""
    moved: float
    """The chips that it moved."""
    pot: float = 0.0
    """The pot of the deal."""
    taker: str = ""
    """The bot that took the pot. Empty if it stayed or was split."""
    taken: float = 0.0
    """The chips that were taken from the pot."""
    swing: float = 0.0
    """All chips that changed hands in the deal, but for the antes."""
    rule: str = ""
    """The id of the rule that a renege broke."""
    lost: float = 0.0
    """The chips that its bot would have taken without the renege, as it alone had most tricks."""
    cards: tuple[Card, ...] = ()
    """The card that was played, then the one that was led or that beat it, if any."""
    legal: tuple[Card, ...] = ()
    """The cards that could have been played instead of a renege."""
    trump: Suit | None = None
    """The trump suit of the deal."""
    lead: LeadStory | None = None
    """The story of the lead in the match of a comeback."""
    low_deal: int = 0
    """The deal after which a bot that came back had the fewest chips."""

    @property
    def table(self) -> TrickTable:
        """The deal as a table. In small, it shows only what an onlooker saw."""
        return trick_table(self.played)

    @property
    def weight(self) -> tuple[float, ...]:
        """The order among moments of its kind: the depth of a comeback, the size of a fight, the chips, the age."""
        first = -self.lead.low if self.lead else float(len(self.bots)) if self.kind == MomentKind.FIGHT else 0.0
        age = (self.number, self.played.number, self.played.seating or 0, self.step)
        return (first, self.moved, self.pot, *age)


@dataclass(frozen=True, slots=True)
class RenegeCost:
    """The number of reneges of a bot against one rule, and the chips that they lost it."""

    times: int = 0
    chips: int = 0

    def __add__(self, more: RenegeCost) -> RenegeCost:
        """Adds those of other matches."""
        return RenegeCost(self.times + more.times, self.chips + more.chips)


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of some matches, at most `MOST` of each kind, and the costs of all reneges."""

    kept: Mapping[MomentKind, tuple[Moment, ...]] = field(default_factory=dict)
    """Those of each kind that occurred, weightiest first."""
    costs: Mapping[tuple[str, str], RenegeCost] = field(default_factory=dict)
    """By bot and rule."""

    def __bool__(self) -> bool:
        return bool(self.kept)

    def join(self, more: Moments) -> Moments:
        """Merges two sets of moments, in either order."""
        costs = {**self.costs}
        for key, cost in more.costs.items():
            costs[key] = costs.get(key, RenegeCost()) + cost
        kinds = (kind for kind in MomentKind if kind in self.kept or kind in more.kept)
        return Moments(
            {kind: _weightiest((*self.kept.get(kind, ()), *more.kept.get(kind, ()))) for kind in kinds}, costs
        )


def _weightiest(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    return tuple(sorted(moments, key=lambda moment: moment.weight, reverse=True)[:MOST])


def moments_of(number: int, record: Record) -> Moments:
    """Replays the record of the match with this number. Raises RecordError if the rules contradict it.

    The match's id comes from its number, because the one in a stranger's record may be anything.
    """
    match, deals = match_id(number), tuple(deals_of(record))
    found = list[Moment]()
    costs = dict[tuple[str, str], RenegeCost]()
    for deal in deals:
        for moment in _Scene.of(number, match, deal).moments():
            if moment.kind == MomentKind.RENEGE:
                key = (moment.bots[0], moment.rule)
                costs[key] = costs.get(key, RenegeCost()) + RenegeCost(1, int(moment.moved))
            if moment.moved:
                found.append(moment)
    found += _comebacks(number, match, record.header.bots, deals)
    by_kind = {kind: _weightiest(moment for moment in found if moment.kind == kind) for kind in MomentKind}
    return Moments({kind: kept for kind, kept in by_kind.items() if kept}, costs)


def _comebacks(number: int, match: str, bots: Sequence[str], deals: Sequence[DealEvents]) -> Iterator[Moment]:
    lead = chip_totals(bots, deals).lead() if deals else None
    if lead is not None and lead.low <= -SHALLOWEST:
        moved = lead.curve[-1] - lead.low
        taken, low = deals[lead.taken_at], deals[lead.low_at].number
        yield Moment(MomentKind.COMEBACK, number, match, taken, 1, (lead.bot,), moved, lead=lead, low_deal=low)


@dataclass(frozen=True, slots=True)
class _Scene:
    """A deal in which moments are looked for."""

    number: int
    match: str
    played: DealEvents
    story: DealStory
    steps: Mapping[int, int]
    """The number of the step of each event, by the identity of the event."""

    @classmethod
    def of(cls, number: int, match: str, played: DealEvents) -> _Scene:
        """Prepares a deal."""
        rows = enumerate(rows_of(played.events), start=1)
        return cls(number, match, played, story_of(played), {id(event): step for step, row in rows for event in row})

    def moments(self) -> Iterator[Moment]:
        """Yields the moments of this deal."""
        yield from self._reneges()
        yield from self._bourres()
        yield from self._fights()
        yield from self._last_tricks()
        yield from self._pots()

    def _reneges(self) -> Iterator[Moment]:
        most = max(seat.tricks for seat in self.story.seats)
        for incident in self.story.incidents:
            match incident.event:
                case Reneged(seat, card, rule, legal) as event:
                    alone = [each.tricks for each in self.story.seats].count(most) == 1
                    lost = self._limited(self.story.pot) if alone and self.story.seats[seat].tricks == most else 0
                    paid = sum(each.chips for each in self._payments() if each.seat == seat and each.reneged)
                    moment = self._moment(MomentKind.RENEGE, event, (seat,), lost + paid)
                    yield replace(
                        moment, rule=rule, cards=(card, *incident.played[:1]), legal=legal or (), lost=in_chips(lost, 1)
                    )

    def _bourres(self) -> Iterator[Moment]:
        bourred = [paid for paid in self._payments() if paid.bourred]
        if len(bourred) > 1:
            paid = sum(each.chips for each in bourred)
            yield self._moment(MomentKind.BOURRES, bourred[-1], [each.seat for each in bourred], paid)

    def _fights(self) -> Iterator[Moment]:
        seats = [seat for seat, story in enumerate(self.story.seats) if story.plays]
        ends = [event for event in self.story.outcome if isinstance(event, PotTaken | PotCarried)]
        if len(seats) >= FEWEST_IN_A_FIGHT and ends:
            yield self._moment(MomentKind.FIGHT, ends[0], seats, self._swing())

    def _last_tricks(self) -> Iterator[Moment]:
        """Finds seats that were winning the last trick, their first one, until a later card beat them."""
        last = self.story.tricks[-1] if self.story.tricks else None
        if last is None or last.winner is None or self.story.trump is None:
            return
        beaten_by = last.cards[last.winner].card
        event = next(
            event for event in reversed(self.played.events) if isinstance(event, CardPlayed) and event.card == beaten_by
        )
        for paid in self._payments():
            if paid.bourred and paid.seat in last.cards:
                card = last.cards[paid.seat].card
                if best_card((*last.before(paid.seat), card), self.story.trump) == card:
                    moment = self._moment(MomentKind.LAST_TRICK, event, (paid.seat, last.winner), paid.chips)
                    yield replace(moment, cards=(card, beaten_by))

    def _pots(self) -> Iterator[Moment]:
        for event in self.story.outcome:
            if isinstance(event, PotTaken):
                yield self._moment(MomentKind.POT, event, (event.seat,), event.chips)

    def _moment(self, kind: MomentKind, event: Event, seats: Iterable[int], moved: int) -> Moment:
        takers = [event.seat for event in self.story.outcome if isinstance(event, PotTaken)]
        return Moment(
            kind,
            self.number,
            self.match,
            self.played,
            self.steps[id(event)],
            tuple(self.played.bots[seat] for seat in seats),
            in_chips(moved, 1),
            pot=in_chips(self.story.pot, 1),
            taker=self.played.bots[takers[0]] if len(takers) == 1 else "",
            taken=in_chips(self._taken(), 1),
            swing=in_chips(self._swing(), 1),
            trump=self.story.trump,
        )

    def _payments(self) -> list[MatchPaid]:
        return [event for event in self.story.outcome if isinstance(event, MatchPaid)]

    def _taken(self) -> int:
        return sum(event.chips for event in self.story.outcome if isinstance(event, PotTaken))

    def _swing(self) -> int:
        return self._taken() + sum(paid.chips for paid in self._payments())

    def _limited(self, chips: int) -> int:
        limit = self.played.house.pot_limit
        return chips if limit is None else min(chips, limit)
