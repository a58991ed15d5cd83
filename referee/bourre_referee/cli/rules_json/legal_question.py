"""Which cards may be played: `bourre rules legal`."""

from __future__ import annotations

from bourre.rules.cards import Card, card_set
from bourre.rules.house import MAX_SEATS, MIN_SEATS
from bourre.rules.tricks import Position, broken_rule, is_cinch, legal_plays
from bourre_referee.cli.rules_json.json_question import Question

KEYS = ("hand", "trick", "trump", "playing", "tricks_won", "seen", "dead", "house")


def legal(line: str) -> dict[str, object]:
    """The legal cards of a position, whether it is a cinch, and the rule that every other card of the hand breaks.

    `hand`, `trump` and `playing` must be there; without the others nothing has been played and the rules are those of
    `pagat`. Cards are answered in the order of the hand. Raises what a Question raises.
    """
    question = Question(line, KEYS)
    hand, position = question.cards("hand"), _position(question)
    allowed = legal_plays(position)
    return {
        "legal": [str(card) for card in hand if allowed >> card & 1],
        "cinch": is_cinch(position),
        "reneges": {str(card): broken_rule(card, position) for card in hand if not allowed >> card & 1},
    }


def _position(question: Question) -> Position:
    house = question.house()
    places = {key: question.cards(key) for key in ("hand", "trick", "seen", "dead")}
    _check_places(question, places, house.cards)
    playing = question.number("playing", MIN_SEATS, MAX_SEATS)
    if len(places["trick"]) >= playing:
        question.refuse(f"'trick' is complete: {len(places['trick'])} cards by {playing} seats")
    return Position(
        hand=card_set(places["hand"]),
        trick=places["trick"],
        trump=question.suit("trump"),
        playing=playing,
        tricks_won=question.number("tricks_won", 0, house.cards, otherwise=0),
        seen=card_set(places["seen"]),
        dead=card_set(places["dead"]),
        house=house,
    )


def _check_places(question: Question, places: dict[str, tuple[Card, ...]], most: int) -> None:
    if not 1 <= len(places["hand"]) <= most:
        question.refuse(f"'hand' must hold 1 to {most} cards, not {len(places['hand'])}")
    if len(places["dead"]) > 1:
        question.refuse(f"'dead' must hold one card at most, not {len(places['dead'])}: only one is turned up")
    found: dict[Card, str] = {}
    for key, cards in places.items():
        for card in cards:
            if card in found:
                question.refuse(f"{card} is in {found[card]!r} and in {key!r}: a card is in one place only")
            found[card] = key
