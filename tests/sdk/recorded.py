"""Records of matches with bad answers, and ways to falsify them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from bourre.record import DealRecord, Header, Recorder, chance_of, duplicate_text
from bourre.rules.deck import SeededChance, master_seed
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from tests.sdk.random_answers import RandomStep, play_randomly

LIMIT = HouseRules.preset("limit")


def header(seats: int = 5, deals: int = 6, seed: int = 7, house: HouseRules = LIMIT) -> Header:
    return Header("demo-3", tuple(f"bot {seat}" for seat in range(seats)), deals, master_seed(seed), house)


def recorded(header: Header, dice: int = 0, mischief: float = 0.1) -> tuple[str, list[RandomStep]]:
    """The record of a match with bad answers, and what really happened."""
    match = Match(len(header.bots), header.deals, header.house, SeededChance(header.seed))
    recorder = Recorder(header)
    noted = []
    for seat, action, events in play_randomly(match, Random(dice), mischief):
        recorder.note(seat, action, events)
        noted.append((seat, action, events))
    return recorder.text(), noted


def recorded_duplicate(header: Header, dice: int = 0, mischief: float = 0.1) -> str:
    """The record of such a match in `duplicate`; from one seating to the next all bots move by one seat."""
    seats, chance = len(header.bots), Random(dice)
    playings = []
    for deal in range(1, header.deals + 1):
        for shift in range(seats):
            line_up = tuple((seat + shift) % seats for seat in range(seats))
            playings.append(replace(_playing(header, deal, chance, mischief), seating=shift + 1, line_up=line_up))
    return duplicate_text(header, playings)


def _playing(header: Header, deal: int, dice: Random, mischief: float) -> DealRecord:
    match = Match(len(header.bots), header.deals, header.house, chance_of(header), deal)
    recorder = Recorder(header)
    for noted in play_randomly(match, dice, mischief):
        recorder.note(*noted)
    return recorder.finished[-1]


def changed(text: str, line: int, change: Callable[[dict[str, Any]], object]) -> str:
    """The record with one line changed, still in the right form."""
    lines = text.splitlines()
    values = json.loads(lines[line])
    change(values)
    lines[line] = json.dumps(values, separators=(",", ":"))
    return "\n".join(lines) + "\n"
