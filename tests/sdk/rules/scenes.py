"""Scenes of a match, written in one notation: the house, what the seats answer, and what they are told.

    R8.2 corrected in time, no match is owed [deals=4]
      in, in, in, 9H, 2C -> Reneged 2 2C R5.2 KH 3; ?2 play KH

The first line names the rule, the hands and the house rules that differ from the preset; `|` separates values that
all tell the same. Below it stand answers, each of the seat that is asked unless one is named (`2 !premature`), `finish`
to play the deal out, and behind `->` the events of the last answer and the question that follows; without an answer,
those of the start. An event is written as the name of its class and its values. Of a deal that is played out, and of
the next one, only chips and turns to deal are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any

from bourre.rules.actions import Decision
from bourre.rules.events import (
    CardPlayed,
    DealEnded,
    Declared,
    Drew,
    Event,
    HandDealt,
    MatchEnded,
    TrickTaken,
    TrumpTurned,
)
from tests.sdk.rules.table import Table, stacked

FOLDER = Path(__file__).parent / "scenes"
POSITIONS = FOLDER / "positions.txt"
OF_THE_NEXT_DEAL = (HandDealt, TrumpTurned, DealEnded, MatchEnded)
OF_THE_PLAY = (Declared, Drew, CardPlayed, TrickTaken)
HANDS = {
    "usual": "2H 3H 8D TC 4S / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6S",
    "no_trump": "2H 3H 8D TC 4C / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6D + 9S 5S 6S 7S 8S",
    "four": "2H 3H 8D TC 2S / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6D / QH JH TH 7H 6H",
    "ace_up": "2H 3H 8D TC AS / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6S + 5S AH AD AC",
    "low_ace": "AS 3H 8D TC 4S / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6S",
    "ace_turned": "2H 3H 8D TC 4S / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6D + AS",
    "sweep": "2H 3H 8D TC 2S / AS KS QS JS TS / KH 2C 3C 4D 6D",
    "sweep_of_4": "2H 3H 8D TC / AS KS QS JS / KH 2C 3C 4D + 9S",
    "split": "2H 3H 8H 9C 4S / AS KS 2C 3C 4C / QS JS 5C 6C 7H",
    "no_club": "2H 3H 8D TD 4S / 9H 8H 7D 6D 5D / KH 2S 3D 4D TH + AH AD AC",
    "a_club": "2H 3H 8D TC 4S / 9H 8H 7D 6D 2C / KH 2S 3D 4D TH + AH AD AC",
    "a_trump": "2H 3H 8D TD 4S / 9H 8H 7D 6D 2S / KH 3S 3D 4D TH",
    "dealer_barred": "2H 3H 8D TD 4D / 9H 8C 7D 6D 5D / KH 2S 3D 5H TH + 9S",
    "all_barred": "2H 3H 8D TD 4D / 9H 8H 7D 6D 5D / KH 2D 3D 5H TH + 9S",
    "indiana": "2C 3S 8D TC / 9H 8C 7D 6C / KH 2S 3C 4D / QH JH TH 7H + 9S",
    "honours": "2H 3H 8D TC 4S / AS QS 8C 7D 6C / KH 2C 3C 4D 6S",
    "cinch": "2H 3H 8D TC 2S / AS KS QS 9D 3D / KH 2C 3C 4D 5S",
    "claim": "2H 3H 8D TC 2S / AS KS QS JS 9S / KH 2C 3C 4D 6D",
    "sixes": "2H 3H 8D TC 4S / 6H 6S 6D 9C 9D / KH 2C 3C 4D 5S",
    "bourre": "2H 3H 8D TC 2S / AS KS QS JS TS / 3S 2C 3C 4D 6D",
    "four_tops": "2H 3H 8D TC 2S / AS KS QS JS 3D / 3S 2C 3C 4D 6D",
    "last_renege": "2H 3H 8D TC 4S / 9H 8H 7D 6C 5D / KH QH 3C 4D 2D",
    "ace_of_hearts": "AH 3H 8D TC 4S / 9H 8C 7D 6C 5D / KH 2C 3C 4D 6S",
    "two": "KH 3H 8D TC 4S / 9H 8C 7D 6C 5D",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene."""

    rule: str
    words: str
    settings: tuple[tuple[str, tuple[str, ...]], ...]
    lines: tuple[tuple[str, str], ...]
    """Answers, and what the last of them tells; empty where nothing is expected."""

    def __str__(self) -> str:
        return f"{self.rule} {self.words}"

    def tables(self) -> Iterator[Table]:
        """The table of each combination of settings."""
        names = [name for name, _ in self.settings]
        for values in product(*(values for _, values in self.settings)):
            keys: dict[str, Any] = {name: _value(word) for name, word in zip(names, values, strict=True)}
            hands, _, stock = HANDS[keys.pop("hands", "usual")].partition(" + ")
            held, dealer, deals = hands.split(" / "), keys.pop("dealer", 0), keys.pop("deals", 2)
            keys["drawn"] = str(keys.pop("drawn", "")).replace("+", " ")
            deck = stacked(*held, dealer=dealer, stock=stock)
            yield Table(deck, seats=len(held), dealer=dealer, deals=deals, **keys)


def scenes() -> Iterator[Scene]:
    """All scenes, in the order of the rules."""
    for path in sorted(FOLDER.glob("r*.txt")):
        text = re.sub(r"\n {4,}", " ", path.read_text(encoding="utf-8"))
        for block in re.split(r"\n(?=R)", text.strip()):
            title, *lines = block.splitlines()
            match = re.fullmatch(r"(R[\d.]+) ([^\[]*?)(?: \[(.*)\])?", title)
            assert match, title
            pairs = [pair.split("=") for pair in (match[3] or "").split()]
            settings = tuple((name, tuple(values.split("|"))) for name, values in pairs)
            yield Scene(match[1], match[2], settings, tuple(_line(line) for line in lines if line.strip()))


def told(table: Table, answers: str) -> str:
    """What the last of these answers tells, and the question that follows."""
    events: list[Event] = table.events
    for answer in answers.split(", ") if answers else []:
        deal = table.match.deal
        events = _finished(table) if answer == "finish" else table.say(_with_seat(table, answer))
        if answer == "finish" or table.match.deal is not deal:
            events = [event for event in events if not isinstance(event, OF_THE_NEXT_DEAL)]
    return "; ".join([*map(code, events), _question(table)])


def code(event: Event) -> str:
    """An event as the name of its class and its values."""
    values = [getattr(event, field.name) for field in fields(event)]
    return " ".join([type(event).__name__, *map(_word, values)])


def _finished(table: Table) -> list[Event]:
    return [event for event in table.finish() if not isinstance(event, OF_THE_PLAY)]


def _with_seat(table: Table, answer: str) -> str:
    return answer if re.match(r"\d ", answer) else f"{table.match.to_act} {answer}"


def _question(table: Table) -> str:
    if table.match.over:
        return "over"
    asked = "+".join(map(str, table.match.asked))
    play = table.match.decision == Decision.PLAY
    return f"?{asked} {table.match.decision}" + (f" {_word(table.view.legal)}" if play else "")


def _line(line: str) -> tuple[str, str]:
    answers, _, events = line.strip().partition("->")
    return answers.strip(), events.strip()


def _word(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(_word, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _value(word: str) -> object:
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    return {"yes": True, "true": True, "no": False, "false": False}.get(word, word)
