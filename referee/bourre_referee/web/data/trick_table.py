"""A deal as a table: a row for each seat, a column for each trick, and for each card its step of the replay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from bourre.rules.cards import Card, Suit
from bourre.rules.events import CardPlayed, Drew, Event, HandDealt, MatchPaid, PotShared, PotTaken, Reneged, TurnedTaken
from bourre.rules.pot import UNIT, settle_in_units
from bourre.words.table_words import sort_hand
from bourre.words.table_words.deal_story import DealStory
from bourre_referee.text.amounts import in_chips
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import DealEvents

CardKind = Literal["", "thrown", "refused"]


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card, and where the replay shows it."""

    card: Card
    step: int
    """The number of the step, from 1."""
    kind: CardKind = ""


@dataclass(frozen=True, slots=True)
class TrickCell:
    """A seat's card in a trick."""

    card: TableCard
    refused: tuple[TableCard, ...]
    """Cards that it had to take back first."""
    broke_rule: bool
    """Whether the card itself breaks a rule, and stood."""
    led: bool
    won: bool


@dataclass(frozen=True, slots=True)
class TrickRow:
    """One seat."""

    seat: int
    bot: str
    is_dealer: bool
    plays: bool
    dealt: tuple[TableCard, ...]
    """In the order of a hand. Empty if the reader may not see them."""
    drew: tuple[TableCard, ...]
    drew_number: int | None
    """The number of cards it drew. None if it passed first."""
    played: tuple[TrickCell | None, ...]
    """By trick."""
    tricks: int
    chips: float
    """Its result of the deal."""
    takes_pot: bool
    bourred: bool
    barred: bool
    """Whether it could not win this pot (R8)."""


@dataclass(frozen=True, slots=True)
class TrickTable:
    """All seats from the dealer's left, as they speak and lead."""

    trump: Suit | None
    pot: float
    tricks: int
    """The number of tricks that were played."""
    rows: tuple[TrickRow, ...]
    shared: tuple[float, ...] = ()
    """The shares of the chips left in the pot after the last deal of all, largest first."""

    @property
    def winner(self) -> TrickRow | None:
        """The seat that takes the pot alone, if one does."""
        takers = [row for row in self.rows if row.takes_pot]
        return takers[0] if len(takers) == 1 else None

    def hand(self, row: TrickRow) -> tuple[Card, ...]:
        """The cards that a seat played, as people hold them."""
        return sort_hand([cell.card.card for cell in row.played if cell], self.trump)

    @property
    def passed(self) -> tuple[str, ...]:
        """The bots that did not play."""
        return tuple(row.bot for row in self.rows if not row.plays)


@dataclass(slots=True)
class _Steps:
    """The steps at which each card came."""

    dealt: int = 0
    drew: dict[int, int] = field(default_factory=dict)
    """By seat."""
    played: dict[tuple[int, int], int] = field(default_factory=dict)
    """By trick and seat, with the last card that the seat played to it."""
    reneged: defaultdict[tuple[int, int], list[TableCard]] = field(default_factory=lambda: defaultdict(list))

    def note(self, event: Event, story: DealStory, step: int) -> None:
        """Notes the step of an event, with which the story ends."""
        match event:
            case HandDealt():
                self.dealt = step
            case Drew(seat=seat) | TurnedTaken(seat=seat):
                self.drew[seat] = step
            case CardPlayed(seat=seat):
                self.played[len(story.tricks), seat] = step
            case Reneged(seat=seat, card=card):
                self.reneged[story.incidents[-1].trick, seat].append(TableCard(card, step, "refused"))


def trick_table(deal: DealEvents) -> TrickTable:
    """Returns the table of a deal, which may be unfinished. With public events, it has no hidden cards."""
    story, steps = deal.begin(), _Steps()
    for step, row in enumerate(rows_of(deal.events), start=1):
        for event in row:
            story.hear(event)
            steps.note(event, story, step)
    shares = [in_chips(event.chips, 1) for event in story.outcome if isinstance(event, PotShared)]
    return TrickTable(
        story.trump,
        story.pot,
        len(story.tricks),
        tuple(_row(seat, deal, story, steps) for seat in story.order),
        tuple(sorted(shares, reverse=True)),
    )


def _row(seat: int, deal: DealEvents, story: DealStory, steps: _Steps) -> TrickRow:
    told = story.seats[seat]
    drew = told.drew
    received = [*(drew.received or () if drew else ()), *([told.took.card] if told.took else ())]
    return TrickRow(
        seat=seat,
        bot=deal.bots[seat],
        is_dealer=seat == story.dealer,
        plays=told.plays,
        dealt=_cards(told.dealt or (), story, steps.dealt, thrown=(drew.discarded or ()) if drew else ()),
        drew=_cards(received, story, steps.drew.get(seat, 0)),
        drew_number=drew.number if drew else None,
        played=tuple(_played(number, seat, story, steps) for number in range(1, len(story.tricks) + 1)),
        tricks=told.tricks,
        chips=_chips(seat, deal, story),
        takes_pot=any(isinstance(event, PotTaken) and event.seat == seat for event in story.outcome),
        bourred=any(isinstance(event, MatchPaid) and event.bourred and event.seat == seat for event in story.outcome),
        barred=told.barred,
    )


def _cards(cards: Iterable[Card], story: DealStory, step: int, thrown: Iterable[Card] = ()) -> tuple[TableCard, ...]:
    return tuple(TableCard(card, step, "thrown" if card in thrown else "") for card in sort_hand(cards, story.trump))


def _played(number: int, seat: int, story: DealStory, steps: _Steps) -> TrickCell | None:
    trick = story.tricks[number - 1]
    if seat not in trick.cards:
        return None
    card, reneged = trick.cards[seat].card, steps.reneged[number, seat]
    return TrickCell(
        card=TableCard(card, steps.played[number, seat]),
        refused=tuple(one for one in reneged if one.card != card),
        broke_rule=any(one.card == card for one in reneged),
        led=next(iter(trick.cards)) == seat,
        won=trick.winner == seat,
    )


def _chips(seat: int, deal: DealEvents, story: DealStory) -> float:
    if story.independent:
        return in_chips(settle_in_units(story.balances, story.chips)[seat], UNIT)
    return in_chips(story.balances[seat] - deal.balances[seat], 1)
