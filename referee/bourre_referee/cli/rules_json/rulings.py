"""Rulings for `bourre rules legal` and `bourre rules settle`: one JSON answer per line, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from bourre.rules.cards import Card, card_set
from bourre.rules.errors import BourreError
from bourre.rules.house import MAX_SEATS, MIN_SEATS
from bourre.rules.pot import settle
from bourre.rules.tricks import Position, broken_rule, is_cinch, legal_plays
from bourre_referee.cli.rules_json.json_question import Question

LEGAL_KEYS = ("hand", "trick", "trump", "playing", "tricks_won", "seen", "dead", "house")


def legal(line: str) -> dict[str, object]:
    """Answer with the legal cards, whether the position is a cinch, and the rule that each other card breaks.

    `hand`, `trump` and `playing` are required; by default nothing has been played and the rules are those of `pagat`.
    Cards keep the order of the hand. Raises BadQuestion.
    """
    question = Question(line, LEGAL_KEYS)
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
        question.refuse(f"'dead' must hold at most one card, not {len(places['dead'])}: only one is turned up")
    found: dict[Card, str] = {}
    for key, cards in places.items():
        for card in cards:
            if card in found:
                question.refuse(f"{card} is in {found[card]!r} and in {key!r}: a card is in one place only")
            found[card] = key


SETTLE_KEYS = ("pot", "tricks", "uncorrected", "corrected", "house")


def settlement(line: str) -> dict[str, object]:
    """Answer how a deal ends in chips (R7, R8).

    `pot` and `tricks`, by the name of each seat that played, are required. Raises BadQuestion.
    """
    question = Question(line, SETTLE_KEYS)
    house = question.house()
    tricks = question.counts("tricks", house.cards)
    if len(tricks) > MAX_SEATS:
        question.refuse(f"'tricks' names {len(tricks)} seats: at most {MAX_SEATS} can play")
    if sum(tricks.values()) > house.cards:
        question.refuse(f"'tricks' holds {sum(tricks.values())} tricks: a deal has {house.cards}")
    settled = settle(
        question.number("pot", 0),
        tricks,
        _of_those(question, "uncorrected", tricks),
        _of_those(question, "corrected", tricks),
        house,
    )
    return {
        "winner": settled.winner,
        "taken": settled.taken,
        "carry": settled.carry,
        "payments": settled.payments,
        "exempt": settled.exempt,
        "tied": settled.tied,
        "forfeit_deal": settled.forfeit_deal,
        "next_pot": settled.next_pot,
    }


def _of_those(question: Question, key: str, tricks: dict[str, int]) -> list[str]:
    names = question.names(key)
    for name in names:
        if name not in tricks:
            question.refuse(f"{key!r} names {name!r}, which is not in 'tricks': only a seat that played can renege")
    return names


LONGEST = 500
"""The most characters of an error, which may quote its input."""


def answers(lines: Iterable[bytes], answer: Callable[[str], dict[str, object]]) -> Iterator[str]:
    """Yield the answer to each line as JSON, `{"error": ...}` for a bad one; blank lines are skipped."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer_line(line, answer), ensure_ascii=False, separators=(",", ":"))


def _answer_line(line: bytes, answer: Callable[[str], dict[str, object]]) -> dict[str, object]:
    try:
        return answer(line.decode("utf-8-sig"))  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        return {"error": f"this line is not UTF-8 (byte {error.start + 1}): write it as UTF-8"}
    except BourreError as error:
        text = str(error)
        return {"error": text if len(text) <= LONGEST else f"{text[:LONGEST]}..."}
