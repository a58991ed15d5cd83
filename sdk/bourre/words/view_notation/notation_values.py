"""Reads and writes the values of a view and its house rules. `read_x` reads the text of `show_x`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from bourre.rules.cards import Card, Suit, parse_cards, show
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.tricks import Trick, trick_of
from bourre.rules.view import Renege

NOTHING = "-"
DEFAULT_PRESET = "limit"
"""The default preset, as in practice."""
PLAYS: dict[str, bool | None] = {"in": True, "pass": False, "?": None}
"""The words for a seat that is in, has passed, or has not declared."""


def read_int(text: str) -> int:
    """Reads a whole number; raises ValueError."""
    try:
        return int(text)
    except ValueError:
        raise ValueError("it is not a whole number") from None


def read_ints(text: str) -> tuple[int, ...]:
    """Reads whole numbers. An empty text has none."""
    try:
        return tuple(map(int, text.split()))
    except ValueError:
        raise ValueError("these are not whole numbers.\nhint: use numbers such as '0 -3 3'") from None


def show_ints(numbers: Iterable[int]) -> str:
    """Writes whole numbers."""
    return " ".join(map(str, numbers))


def read_card(text: str) -> Card | None:
    """Reads a card, or `-` for none."""
    return None if text == NOTHING else Card(text)


def read_suit(text: str) -> Suit | None:
    """Reads a suit, or `-` if it is not named yet."""
    return None if text == NOTHING else Suit.parse(text)


def show_maybe(value: object) -> str:
    """Writes a card, suit or seat, or `-` for none."""
    return NOTHING if value is None else str(value)


def read_cards(text: str) -> tuple[Card, ...]:
    """Reads cards in their order."""
    return parse_cards(text)


def read_leader(text: str) -> int | None:
    """Reads a seat, or `-` for none."""
    return None if text == NOTHING else read_int(text)


def read_plays(text: str) -> tuple[bool | None, ...]:
    """Reads one value per seat: in, pass or ?."""
    if unknown := [word for word in text.split() if word not in PLAYS]:
        raise ValueError(f"{unknown[0]!r} is no declaration.\nhint: use in, pass or ? (has not declared) for each seat")
    return tuple(PLAYS[word] for word in text.split())


def show_plays(plays: Iterable[bool | None]) -> str:
    """Writes one value per seat: in, pass or ?."""
    return " ".join("?" if seat is None else "in" if seat else "pass" for seat in plays)


def read_drawn(text: str) -> tuple[int | None, ...]:
    """Reads one value per seat: a number of cards, or `-`."""
    if any(word != NOTHING and not word.isdecimal() for word in text.split()):
        raise ValueError("a value is not a number.\nhint: use a number, or - (has not drawn), for each seat")
    return tuple(None if word == NOTHING else int(word) for word in text.split())


def show_drawn(drawn: Iterable[int | None]) -> str:
    """Writes one value per seat: a number of cards, or `-`."""
    return " ".join(map(show_maybe, drawn))


def read_recalled(text: str) -> tuple[tuple[int, Card], ...]:
    """Reads seats with their shown cards: `2:AS 0:KH`."""
    pairs = [word.partition(":") for word in text.split()]
    if any(not seat.isdecimal() or not card for seat, _, card in pairs):
        raise ValueError("a card has no seat.\nhint: use seat:card for each, such as '2:AS 0:KH'")
    return tuple((int(seat), Card(card)) for seat, _, card in pairs)


def show_recalled(recalled: Iterable[tuple[int, Card]]) -> str:
    """Writes seats with their shown cards: `2:AS 0:KH`."""
    return " ".join(f"{seat}:{card}" for seat, card in recalled)


def read_tricks(text: str, order: Sequence[int], trump: Suit) -> tuple[Trick, ...]:
    """Reads completed tricks, each after its leader: `0:AS 2S 3S / 2:KH 2H 3H`. `order` lists the seats that play."""
    return tuple(_trick(part.strip(), order, trump) for part in text.split("/") if part.strip())


def _trick(text: str, order: Sequence[int], trump: Suit) -> Trick:
    seat, colon, rest = text.partition(":")
    if not colon or not seat.strip().isdecimal():
        raise ValueError("a trick has no leader.\nhint: use a form such as '0:AS 2S 3S / 2:KH 2H 3H'")
    leader, cards = int(seat), parse_cards(rest)
    if leader not in order:
        raise ValueError(f"seat {leader} leads a trick but does not play: seats {show_ints(order)} do")
    if len(cards) != len(order):
        raise ValueError(f"each trick has {len(order)} cards here, not {show(cards)}")
    return trick_of(leader, cards, order, trump)


def show_tricks(tricks: Iterable[Trick]) -> str:
    """Writes completed tricks: `0:AS 2S 3S / 2:KH 2H 3H`."""
    return " / ".join(f"{trick.leader}:{show(trick.cards)}" for trick in tricks)


def read_correcting(text: str) -> Renege | None:
    """Reads the renege to correct: card, rule and chips, as in `2C R5.2 20`; `-` for none."""
    if text == NOTHING:
        return None
    words = text.split()
    if len(words) != 3 or not words[2].isdecimal():
        raise ValueError("it is incomplete.\nhint: use card, rule and chips, such as '2C R5.2 20'")
    return Renege(Card(words[0]), words[1], int(words[2]))


def show_correcting(renege: Renege | None) -> str:
    """Writes the renege to correct: `2C R5.2 20`; `-` for none."""
    return NOTHING if renege is None else f"{renege.card} {renege.rule} {renege.match}"


def read_house(preset: str, keys: Mapping[str, str]) -> HouseRules:
    """Reads the rules of this preset with these keys changed; raises InvalidHouse."""
    return HouseRules.preset(preset, **{key: _read_key(key, text) for key, text in keys.items()})


def show_house(house: HouseRules) -> dict[str, str]:
    """Writes these rules: the nearest preset, then the keys that differ."""
    differing = {name: _differing(house, HouseRules.preset(name)) for name in (DEFAULT_PRESET, *PRESETS)}
    nearest = min(differing, key=lambda name: len(differing[name]))
    return {"preset": nearest, **differing[nearest]}


def _differing(house: HouseRules, preset: HouseRules) -> dict[str, str]:
    values = {field.name: getattr(house, field.name) for field in fields(house)}
    return {key: show_plain(value) for key, value in values.items() if value != getattr(preset, key)}


def _read_key(key: str, text: str) -> object:
    if text in ("true", "false") and key not in CHOICES:
        return text == "true"
    return int(text) if text.removeprefix("-").isdecimal() else text


def show_plain(value: object) -> str:
    """Writes a number, a word, true or false; `none` for None."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
