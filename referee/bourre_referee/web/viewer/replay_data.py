"""Encode the tables of a replay as compact JSON: the first in full, each later one as its changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bourre.rules.cards import Card
from bourre.words.table_words.picture import RenegePicture, SeatPicture
from bourre_referee.web.viewer.replay_steps import ReplayStep

Json = dict[str, object]
ESCAPED = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})
"""Escapes for the characters that could end a script element, or begin one."""


def deal_data(names: Sequence[str], dealer: int, steps: Iterable[ReplayStep]) -> str:
    """Encode a deal for a script element of HTML; `names` are by seat."""
    return _text({"names": names, "dealer": dealer, "steps": list(_encode_steps(steps))})


def _text(data: object) -> str:
    return json.dumps(data, separators=(",", ":")).translate(ESCAPED)


def _encode_steps(steps: Iterable[ReplayStep]) -> Iterator[Json]:
    tables: list[Json] = [_table(step) for step in steps]
    yield from tables[:1]
    for old, new in pairwise(tables):
        yield changes(old, new)


def changes(old: Json, new: Json) -> Json:
    """Return only the keys whose values differ, also within nested objects."""
    different: Json = {}
    for key, value in new.items():
        before = old[key]
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := changes(before, value):
                different[key] = inner
        elif value != before:
            different[key] = value
    return different


def _table(step: ReplayStep) -> Json:
    table = step.table
    return {
        "mark": step.mark,
        "seats": {str(number): _seat(seat) for number, seat in enumerate(table.seats)},
        "pot": table.pot,
        "turned": "" if table.turned is None else str(table.turned),
        "trump": "" if table.trump is None else str(table.trump),
        "trick": [[played.seat, str(played.card), int(played.wrong)] for played in table.trick],
        "number": table.number,
        "winner": table.winner,
        "acting": table.acting,
        "renege": _renege(table.renege),
        "asked": [step.asked.seat, step.asked.question] if step.asked else None,
    }


def _renege(renege: RenegePicture | None) -> list[object] | None:
    return None if renege is None else [renege.seat, str(renege.card), _cards(renege.legal)]


def _seat(seat: SeatPicture) -> Json:
    return {
        "hand": _cards(seat.hand),
        "status": seat.status,
        "drew": seat.drew,
        "tricks": seat.tricks,
        "chips": seat.chips,
        "barred": seat.barred,
    }


def _cards(cards: tuple[Card | None, ...]) -> str:
    """Encode cards; a question mark is one that the reader may not see."""
    return " ".join("?" if card is None else str(card) for card in cards)
