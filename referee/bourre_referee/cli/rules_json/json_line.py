"""One line of JSON, read strictly: no key twice, no NaN, no number without end."""

from __future__ import annotations

import json
from typing import NoReturn

from bourre.rules.errors import BourreError

DIGITS = 1000
"""Of a whole number: far more than a pot ever has, and a text can still be made of any sum."""


class BadQuestion(BourreError, ValueError):
    """A question that cannot be read: names the key and the mend."""


def parsed(line: str) -> dict[str, object]:
    """The object that this line spells; raises BadQuestion."""
    try:
        values = json.loads(line, object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise BadQuestion(f"this line is no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise BadQuestion("this line is nested too deep: nothing lies deeper than in 'house'") from None
    if not isinstance(values, dict):
        raise BadQuestion("this line is no JSON object: write {...}")
    return values


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise BadQuestion(f"the key {key!r} is there twice: write it once")
        values[key] = value
    return values


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise BadQuestion(f"a number has {len(digits)} digits: write {DIGITS} at most")
    return int(digits)


def _constant(word: str) -> NoReturn:
    raise BadQuestion(f"{word} is no JSON: write a number")
