"""Reads a model's answer: JSON first, then words with exactly one decision. Illegal cards are answers too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from bourre.rules.cards import RANKS, Card, Suit
from bourre.rules.errors import InvalidCard
from bourre.rules.markup import SYMBOLS
from bourre.words.table_words.readers import RANK_NAMES, SUIT_NAMES
from bourre_seats.models.chat import Unparsable

T = TypeVar("T")
MOST_CHARACTERS = 20_000
"""The longest readable answer."""
_MOST_OBJECTS = 100
"""The most places where a JSON object may begin."""
_FINAL = re.compile(r"<answer>|\bfinal answer\b", re.IGNORECASE)
"""The mark before a final answer in words."""
_SUIT_WORDS = {name.removesuffix("s"): suit for suit, name in SUIT_NAMES.items()}
_SUIT_SIGNS = {sign: suit for suit in Suit for sign in (str(suit), SYMBOLS[suit])}
_RANK_WORDS = dict(zip(RANK_NAMES, RANKS, strict=True))
_SHORT_CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9TJQKA])([CDHS♣♦♥♠])(?![A-Za-z0-9])")
_LONG_CARD = re.compile(rf"\b({'|'.join(_RANK_WORDS)}|10|[2-9tjqka]) of (club|diamond|heart|spade)s?\b", re.IGNORECASE)
_SUIT = re.compile(r"\b(club|diamond|heart|spade)s?\b|([♣♦♥♠])", re.IGNORECASE)
_KEEPS = re.compile(r"\b(keep|hold|retain)", re.IGNORECASE)
_NO_CARDS = re.compile(r"\b(none|no cards?|nothing|stand pat)\b", re.IGNORECASE)


class TranscriptEntry(NamedTuple):
    """A declaration with its discards."""

    plays: bool
    discards: tuple[Card, ...] | None
    """None if the answer is not in JSON, because words may name cards to keep."""


def read_card(text: str, key: str) -> Card:
    """Returns the one card in an answer; raises Unparsable if it has none or several."""
    return _only(_read(text, key, _card_in), _cards_in_words, text, "card")


def read_suit(text: str, key: str) -> Suit:
    """Returns the one suit in an answer; raises Unparsable."""
    return _only(_read(text, key, _suit_in), _suits_in_words, text, "suit")


def read_yes_no(text: str, key: str, yes: str, no: str) -> bool:
    """Returns whether an answer says yes; raises Unparsable. `yes` and `no` are the words for it in prose."""
    words = [(True, re.compile(rf"\b({yes})\b", re.IGNORECASE)), (False, re.compile(rf"\b({no})\b", re.IGNORECASE))]

    def in_words(text: str) -> list[bool]:
        return [answer for answer, pattern in words if pattern.search(text)]

    def in_value(value: object) -> bool:
        found = [value] if isinstance(value, bool) else in_words(value) if isinstance(value, str) else []
        return _one(found, str(value), "decision")

    return _only(_read(text, key, in_value), in_words, text, "decision")


def read_discards(text: str, key: str) -> tuple[Card, ...]:
    """Returns the discards in an answer; raises Unparsable, also for prose that names cards to keep."""
    found = _read(text, key, _cards_in_list)
    if found:
        return _one(found, text, "list of discards")
    words = _final_words(text)
    cards = tuple(_cards_in_words(words))
    if (not cards and not _NO_CARDS.search(words)) or _KEEPS.search(words):
        raise Unparsable(f"no list of discards in {_quote(text)}")
    return cards


def read_entry(text: str, key: str, cards: str, yes: str, no: str) -> TranscriptEntry:
    """Returns the declaration (`key`) with its discards (`cards`); raises Unparsable."""
    if not read_yes_no(text, key, yes, no):
        return TranscriptEntry(plays=False, discards=())
    try:
        found = _read(text, cards, _cards_in_list)
    except Unparsable:
        found = []
    return TranscriptEntry(plays=True, discards=found[0] if len(found) == 1 else None)


def read_reason(text: str) -> str:
    """Returns the model's reason, or its whole answer."""
    reasons = [found["why"] for found in _objects(text) if isinstance(found.get("why"), str)]
    return str(reasons[-1]) if reasons else text.strip()


def _read(text: str, key: str, read: Callable[[object], T]) -> list[T]:
    """Returns the different values of this key in all JSON objects of an answer."""
    if not text.strip():
        raise Unparsable("the answer is empty")
    if len(text) > MOST_CHARACTERS:
        raise Unparsable(f"the answer has {len(text)} characters: at most {MOST_CHARACTERS} are read")
    return list(dict.fromkeys(read(found[key]) for found in _objects(text) if key in found))


def _objects(text: str) -> Iterator[dict[str, object]]:
    """Yields the outermost JSON objects in a text, and of a call's object its arguments; raises Unparsable."""
    decoder, place = json.JSONDecoder(), 0
    for _ in range(_MOST_OBJECTS):
        if (place := text.find("{", place)) < 0:
            return
        try:
            found, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        yield _called(found)
    if "{" in text[place:]:
        raise Unparsable(f"JSON could begin in more than {_MOST_OBJECTS} places")


def _called(found: dict[str, object]) -> dict[str, object]:
    match found:
        case {"name": str(), "arguments": {**given}} | {"name": str(), "parameters": {**given}}:
            return {str(key): value for key, value in given.items()}
        case _:
            return found


def _final_words(text: str) -> str:
    """Returns the words from the first mark of a final answer on: two different answers after it stay two."""
    mark = _FINAL.search(text)
    return text[mark.end() :] if mark else text


def _only(values: list[T], in_words: Callable[[str], list[T]], text: str, what: str) -> T:
    """Returns the one value in the JSON, or without JSON the one in the final words."""
    return _one(values or in_words(_final_words(text)), text, what)


def _one(values: list[T], text: str, what: str) -> T:
    different = list(dict.fromkeys(values))
    if len(different) != 1:
        raise Unparsable(f"{'no' if not different else 'more than one'} {what} in {_quote(text)}")
    return different[0]


def _quote(text: str) -> str:
    return repr(text if len(text) <= 200 else text[:200] + "...")


def _card_in(value: object) -> Card:
    """Reads a card in JSON, such as `AS`, `10h` or `ace of spades`."""
    try:
        return Card(str(value).strip().upper().replace("10", "T"))
    except InvalidCard:
        return _one(_cards_in_words(str(value)), str(value), "card")


def _cards_in_list(value: object) -> tuple[Card, ...]:
    if isinstance(value, list):
        return tuple(map(_card_in, value))
    return tuple(map(_card_in, re.split(r"[\s,]+", value.strip()))) if isinstance(value, str) and value.strip() else ()


def _suit_in(value: object) -> Suit:
    text = str(value).strip()
    return _SUIT_SIGNS[text.upper()] if text.upper() in _SUIT_SIGNS else _one(_suits_in_words(text), text, "suit")


def _cards_in_words(text: str) -> list[Card]:
    """Returns the different cards in prose. Short ones must have capitals, because `AS` is a card, but `As` a word."""
    short = [(match[1].replace("10", "T"), _SUIT_SIGNS[match[2]]) for match in _SHORT_CARD.finditer(text)]
    long = [(_rank(match[1].lower()), _SUIT_WORDS[match[2].lower()]) for match in _LONG_CARD.finditer(text)]
    return list(dict.fromkeys(Card(f"{rank}{suit}") for rank, suit in (*short, *long)))


def _rank(word: str) -> str:
    return _RANK_WORDS.get(word, word.upper().replace("10", "T"))


def _suits_in_words(text: str) -> list[Suit]:
    signs = (_SUIT_WORDS[match[1].lower()] if match[1] else _SUIT_SIGNS[match[2]] for match in _SUIT.finditer(text))
    return list(dict.fromkeys(signs))
