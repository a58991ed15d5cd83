"""Answer one question about the rules: a JSON object, whose values are checked as they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn

from bourre.rules.cards import Card, Suit, card_set, parse_cards
from bourre.rules.errors import BourreError, InvalidCard, InvalidHouse, unknown
from bourre.rules.house import MAX_SEATS, MIN_SEATS, HouseRules
from bourre.rules.pot import settle
from bourre.rules.tricks import Position, broken_rule, is_cinch, legal_plays
from bourre.words.table_words import as_codes

LEGAL_KEYS = ("hand", "trick", "trump", "playing", "tricks_won", "seen", "dead", "house")


def legal(line: str) -> dict[str, object]:
    """Answers with the legal cards, whether the position is a cinch, and the rule that each other card breaks.

    `hand`, `trump` and `playing` are required; by default nothing has been played and the rules are those of `pagat`.
    Cards keep the order of the hand. Raises BadQuestion.
    """
    question = RulesQuestion(line, LEGAL_KEYS)
    hand, position = question.cards("hand"), _position(question)
    allowed = legal_plays(position)
    return {
        "legal": [str(card) for card in hand if allowed >> card & 1],
        "cinch": is_cinch(position),
        "reneges": {str(card): broken_rule(card, position) for card in hand if not allowed >> card & 1},
    }


def _position(question: RulesQuestion) -> Position:
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


def _check_places(question: RulesQuestion, places: dict[str, tuple[Card, ...]], most: int) -> None:
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
    """Answers how a deal ends in chips (R7, R8).

    `pot` and `tricks`, by the name of each seat that played, are required. Raises BadQuestion.
    """
    question = RulesQuestion(line, SETTLE_KEYS)
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


def _of_those(question: RulesQuestion, key: str, tricks: dict[str, int]) -> list[str]:
    names = question.names(key)
    for name in names:
        if name not in tricks:
            question.refuse(f"{key!r} names {name!r}, which is not in 'tricks': only a seat that played can renege")
    return names


LONGEST = 500
"""The most characters of an error, which may quote its input."""


def answers(lines: Iterable[bytes], answer: Callable[[str], dict[str, object]]) -> Iterator[str]:
    """Yields the answer to each line as JSON, `{"error": ...}` for a bad one; blank lines are skipped."""
    for line in lines:
        if line.strip():
            yield json.dumps(_answer_line(line, answer), ensure_ascii=False, separators=(",", ":"))


def _answer_line(line: bytes, answer: Callable[[str], dict[str, object]]) -> dict[str, object]:
    try:
        return answer(line.decode("utf-8-sig"))  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        return {"error": f"this line is not UTF-8 (byte {error.start + 1}).\nhint: use UTF-8"}
    except BourreError as error:
        text = str(error)
        return {"error": text if len(text) <= LONGEST else f"{text[:LONGEST]}..."}


DIGITS = 1000
"""The most digits of a number: far more than any pot has, and few enough to print every sum."""


class BadQuestion(BourreError, ValueError):
    """The question is invalid; the message names the key and how to fix it."""


def parse_question(line: str) -> dict[str, object]:
    """Parses the JSON object on this line; raises BadQuestion."""
    try:
        values = json.loads(line, object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadQuestion(f"this line is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise BadQuestion("this line is nested too deeply: only 'house' holds another object") from None
    if not isinstance(values, dict):
        raise BadQuestion("this line is not a JSON object.\nhint: use {...}")
    return values


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise BadQuestion(f"the key {key!r} appears twice.\nhint: remove one")
        values[key] = value
    return values


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise BadQuestion(f"a number has {len(digits)} digits.\nhint: use at most {DIGITS}")
    return int(digits)


def _constant(word: str) -> NoReturn:
    raise BadQuestion(f"{word} is not JSON.\nhint: use a number")


class RulesQuestion:
    """The values of one line; every method raises BadQuestion."""

    def __init__(self, line: str, keys: Iterable[str]) -> None:
        """Parses a line that may have these `keys` and no others."""
        values = parse_question(line)
        known = tuple(keys)
        for key in values:
            if key not in known:
                self.refuse(unknown("key", key, known))
        self._values = values

    def refuse(self, why: str) -> NoReturn:
        """Raises BadQuestion with this message."""
        raise BadQuestion(why) from None

    def cards(self, key: str) -> tuple[Card, ...]:
        """Parses cards written as `AS KH 2C` or `A♠ K♥ 2♣`; none if the key is missing."""
        try:
            return parse_cards(as_codes(self.text(key, "")))
        except InvalidCard as error:
            self.refuse(f"{key!r}: {error}")

    def suit(self, key: str) -> Suit:
        """Parses a suit written as one letter or sign."""
        try:
            return Suit.parse(as_codes(self.text(key)))
        except InvalidCard as error:
            self.refuse(f"{key!r}: {error}")

    def text(self, key: str, otherwise: str | None = None) -> str:
        """Returns a string; `otherwise`, if given, replaces a missing key."""
        value = self._get(key, otherwise)
        if not isinstance(value, str):
            self.refuse(f"{key!r} must be a string")
        return value

    def number(self, key: str, least: int, most: int | None = None, otherwise: int | None = None) -> int:
        """Returns a whole number within these bounds."""
        return self._check_number(key, self._get(key, otherwise), least, most)

    def names(self, key: str) -> list[str]:
        """Returns a list of strings; empty if the key is missing."""
        values = self._get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self.refuse(f"{key!r} must be a list of names")
        return values

    def counts(self, key: str, most: int) -> dict[str, int]:
        """Returns an object of whole numbers by name."""
        values = self._get(key, None)
        if not isinstance(values, dict):
            self.refuse(f"{key!r} must be an object of numbers by name")
        return {name: self._check_number(f"{key}.{name}", value, 0, most) for name, value in values.items()}

    def house(self) -> HouseRules:
        """Returns the house rules: a preset, by default `pagat`, and keys that override it."""
        values = self._get("house", {})
        if not isinstance(values, dict):
            self.refuse("'house' must be an object of house rules")
        for key, value in values.items():
            if isinstance(value, dict | list):
                self.refuse(f"'house': {key!r} must be a string, a number, true, false or null")
        preset = values.pop("preset", "pagat")
        if not isinstance(preset, str):
            self.refuse("'house': 'preset' must be a string")
        try:
            return HouseRules.preset(preset, **values)
        except InvalidHouse as error:
            self.refuse(f"'house': {error}")

    def _get(self, key: str, otherwise: object) -> object:
        value = self._values.get(key, otherwise)
        if value is None and key not in self._values:
            self.refuse(f"{key!r} is missing")
        return value

    def _check_number(self, key: str, value: object, least: int, most: int | None) -> int:
        too_much = most is not None and isinstance(value, int) and value > most
        if not isinstance(value, int) or isinstance(value, bool) or value < least or too_much:
            bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
            self.refuse(f"{key!r} must be a whole number {bounds}")
        return value
