"""Explain a cinch (R6) where it binds: which three tricks are sure, and which cards are therefore demanded."""

from __future__ import annotations

from bourre.rules.cards import card_set, cards_in
from bourre.rules.events import CardPlayed
from bourre.rules.tricks import CINCH_TRICKS, Position, broken_rule, is_cinch, legal_plays
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.readers import Reader
from bourre.words.table_words.story_parts import TrickStory
from bourre_referee.text.narration.events_by_deal import EventText


def cinch_text(event: CardPlayed, story: DealStory, reader: Reader) -> EventText | None:
    """Explain the cinch of the seat that plays this card; None if R6.2 forbids no card of its hand.

    The story ends before the event. Only this seat knew of its cinch, so that the public text is empty.
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
    """Return the position in which this seat is to play; None before trump is known."""
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
    """Return the turned card that belongs to nobody, as a set (R3.2)."""
    turned = story.turned
    if turned is None or not story.house.keeps_turned_apart:
        return 0
    taken = any(seat.took is not None for seat in story.seats)
    return 0 if taken else card_set([turned.card])
