"""Splits a deal into the steps of its replay: the events in words, and the table after them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from bourre.rules.cards import card_set, cards_in
from bourre.rules.events import (
    CardPlayed,
    DealForfeited,
    Declared,
    Drew,
    Event,
    Faulted,
    FinePaid,
    HandDealt,
    HouseTookOver,
    MatchPaid,
    Penalized,
    PotTaken,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    Stayed,
    TrickTaken,
    TrumpTurned,
    TurnedTaken,
    TurnForfeited,
)
from bourre.rules.tricks import CINCH_TRICKS, Position, broken_rule, is_cinch, legal_plays
from bourre.words.table_words import show_glyphs
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.picture import Picture, SeatPicture, picture_after
from bourre.words.table_words.readers import Reader
from bourre.words.table_words.story_parts import TrickStory
from bourre_referee.text.names import isolate_names
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import DealEvents, EventText, event_text
from bourre_referee.text.narration.spoken_notes import SpokenNote
from bourre_referee.web.viewer.weighed_moves import WeighedMove


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """The question to a seat."""

    seat: int
    question: str


def asked_for(event: Event) -> OpenQuestion | None:
    """Returns the question that this event answers. None if it answers none."""
    match event:
        case Declared(seat=seat, obliged=False):
            return OpenQuestion(seat, "Would you play, or pass?")
        case Drew(seat=seat):
            return OpenQuestion(seat, "Which cards would you throw away?")
        case Stayed(seat=seat):
            return OpenQuestion(seat, "Would you stay, or pass now?")
        case TurnedTaken(seat=seat):
            return OpenQuestion(seat, "Would you take the turned card?")
        case CardPlayed(seat=seat) | Reneged(seat=seat):
            return OpenQuestion(seat, "Which card would you play?")
        case _:
            return None


Mark = Literal["", "renege", "incident", "trick", "bourre", "chips"]
"""The kind of a step with a mark, otherwise empty."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One step. The names in its texts are isolated."""

    texts: tuple[EventText, ...]
    mark: Mark
    table: Picture
    rules: tuple[EventText, ...] = ()
    """Rules that applied here and need a word: a cinch and its demand."""
    notes: tuple[SpokenNote, ...] = ()
    """The notes with the answers that led to this step."""
    asked: OpenQuestion | None = None
    """The question to a seat, if this step is its answer."""
    verdicts: tuple[EventText, ...] = ()
    """A review's verdicts on the answers that led to this step. A seat should not read those of another."""
    weighed: WeighedMove | None = None
    """The choices of the last of these answers, in the champion's judgement."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """An answer that a review judged."""

    number: int
    """The number of the answer among the actions of the deal, from 1."""
    verdict: EventText


About = TypeVar("About", SpokenNote, JudgedMove, WeighedMove)


def steps_of(
    deal: DealEvents,
    notes: Sequence[SpokenNote] = (),
    judged: Sequence[JudgedMove] = (),
    weighed: Sequence[WeighedMove] = (),
) -> Iterator[ReplayStep]:
    """Yields the steps of a deal in order, from its start to its settlement, each with what is said about it."""
    notes_by_event, judged_by_event = _by_first_event(deal, notes), _by_first_event(deal, judged)
    weighed_by_event = _by_first_event(deal, weighed)
    reader = Reader(isolate_names(deal.bots), cards=show_glyphs)
    story = deal.begin()
    heard = 0
    for row in rows_of(deal.events):
        texts, rules, said, verdicts, moves = (
            [],
            list[EventText](),
            list[SpokenNote](),
            list[EventText](),
            list[WeighedMove](),
        )
        for event in row:
            said += notes_by_event.get(heard, ())
            verdicts += (move.verdict for move in judged_by_event.get(heard, ()))
            moves += weighed_by_event.get(heard, ())
            heard += 1
            if isinstance(event, CardPlayed) and (cinch := cinch_text(event, story, reader)):
                rules.append(cinch)
            story.hear(event)
            texts.append(event_text(event, story, reader))
        yield ReplayStep(
            texts=tuple(texts),
            mark=_mark(row[-1]),
            table=picture_after(story, row[-1]),
            rules=tuple(rules),
            notes=tuple(said),
            asked=asked_for(row[0]),
            verdicts=tuple(verdicts),
            weighed=moves[-1] if moves else None,
        )


def _by_first_event(deal: DealEvents, said: Iterable[About]) -> Mapping[int, Sequence[About]]:
    """Groups notes or judged moves by the index of the first event after their answers."""
    found: defaultdict[int, list[About]] = defaultdict(list)
    for one in said:
        found[min(deal.first_events[one.number - 1], len(deal.events) - 1)].append(one)
    return found


def opening_step(deal: DealEvents) -> int:
    """Returns the number of the step, from 1, after which all hands are dealt and the turned card is known."""
    rows = enumerate(rows_of(deal.events), start=1)
    return max((step for step, row in rows if isinstance(row[-1], HandDealt | TrumpTurned)), default=1)


def _mark(event: Event) -> Mark:
    match event:
        case Reneged():
            return "renege"
        case RenegeCorrected() | RenegeRetracted() | Penalized() | Faulted() | HouseTookOver():
            return "incident"
        case DealForfeited() | TurnForfeited():
            return "incident"
        case MatchPaid(bourred=True):
            return "bourre"
        case TrickTaken():
            return "trick"
        case PotTaken() | MatchPaid() | FinePaid():
            return "chips"
        case _:
            return ""


def seen_by_onlooker(step: ReplayStep) -> ReplayStep:
    """Returns the step without the knowledge of a single seat. The number of cards in each hand stays."""
    texts = tuple(EventText(text.public, text.public, None) for text in step.texts)
    return replace(
        step, texts=texts, table=_seen_table(step.table), rules=(), notes=(), asked=None, verdicts=(), weighed=None
    )


def _seen_table(table: Picture) -> Picture:
    renege = table.renege and replace(table.renege, legal=())
    return replace(table, seats=tuple(map(_seen_seat, table.seats)), renege=renege)


def _seen_seat(seat: SeatPicture) -> SeatPicture:
    return replace(seat, hand=(None,) * len(seat.hand))


def cinch_text(event: CardPlayed, story: DealStory, reader: Reader) -> EventText | None:
    """Explains the cinch of the seat that plays this card. None if R6.2 forbids no card of its hand.

    The story ends before the event. Only this seat knew of its cinch, so the public text is empty.
    """
    position = _position(event.seat, story)
    if position is None or not is_cinch(position):
        return None
    demanded = legal_plays(position)
    barred = cards_in(position.hand & ~demanded)
    if not any(broken_rule(card, position) == "R6.2" for card in barred):
        return None
    won = f", with {position.tricks_won} already won" if position.tricks_won else ""
    text = (
        f"Cinch (R6.1): {reader.name(event.seat)} is sure of {CINCH_TRICKS} tricks{won}, however the cards fall. "
        f"So R6.2 demands its highest trump{' or one as good (R6.3)' if demanded & (demanded - 1) else ''}: "
        f"{reader.cards(cards_in(demanded))}"
    )
    return EventText(text, "", event.seat)


def _position(seat: int, story: DealStory) -> Position | None:
    """Returns the position in which this seat is to play. None before trump is known."""
    if story.trump is None:
        return None
    current = TrickStory()
    if story.tricks and story.tricks[-1].winner is None:
        current = story.tricks[-1]
    completed = [trick for trick in story.tricks if trick.winner is not None]
    return Position(
        hand=card_set(story.seats[seat].hand),
        trick=current.before(seat),
        trump=story.trump,
        playing=sum(one.plays for one in story.seats),
        tricks_won=story.seats[seat].tricks,
        seen=card_set(played.card for trick in completed for played in trick.cards.values()),
        dead=_dead(story),
        house=story.house,
    )


def _dead(story: DealStory) -> int:
    """Returns the turned card that belongs to nobody, as a set (R3.2)."""
    turned = story.turned
    if turned is None or not story.house.keeps_turned_apart:
        return 0
    taken = any(seat.took is not None for seat in story.seats)
    return 0 if taken else card_set([turned.card])
