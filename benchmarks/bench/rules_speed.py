"""Times the rules alone and practice, and games of OpenSpiel if it is installed."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from bench.extent import SEATS
from bench.room_speed import decisions_in
from bourre.bot import Bot
from bourre.practice import practice
from bourre.rules.actions import PLAYS, Action, Declare, Draw
from bourre.rules.before_play import DECLARE, DRAW
from bourre.rules.cards import Card, cards_in
from bourre.rules.deal import Deal
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match

_PASS: Final = Declare(False)
_PLAYS: Final = {1 << card: play for card, play in PLAYS.items()}
"""The play of each card, by the card set that holds only this card."""

Clock = Callable[[], float]
"""Seconds since some moment; `time.process_time` gives rates per second of processor time."""


def engine_rate(deals: int, clock: Clock = time.perf_counter) -> float:
    """Returns decisions per second of random play, including dealing and settling."""
    roll = Random(7).random
    began = clock()
    match = Match(SEATS, deals, HouseRules.preset("limit"), SeededChance(bytes(32)))
    match.start()
    decisions = 0
    while not match.over:
        deal = match.deal
        match.apply(deal.to_act, random_action(deal, roll))
        decisions += 1
    return decisions / (clock() - began)


def random_action(deal: Deal, roll: Callable[[], float]) -> Action:
    """Returns a legal decision of the seat to act; `roll` gives numbers from 0 up to 1."""
    if deal.tricks is not None:
        legal = deal.tricks.legal
        if not legal & (legal - 1):
            return _PLAYS[legal]
        for _ in range(int(roll() * legal.bit_count())):
            legal &= legal - 1
        return _PLAYS[legal & -legal]
    decision = deal.decision
    if decision is DECLARE:
        if roll() >= 0.5:
            return _PASS
        return Declare(True, _discards(deal, roll) if deal.house.declares_in_turn else ())
    if decision is DRAW:
        return Draw(_discards(deal, roll))
    return deal.default()


def _discards(deal: Deal, roll: Callable[[], float]) -> tuple[Card, ...]:
    """Returns the lowest cards of the hand, from none to the allowed number of discards."""
    return cards_in(deal.hands[deal.to_act])[: int(roll() * (deal.entry.max_discards + 1))]


def openspiel_rate(game: str, games: int, clock: Clock = time.perf_counter) -> float | None:
    """Returns players' decisions per second of random play; None without OpenSpiel.

    The time for dealing counts, as it does for our rules. OpenSpiel deals by many chance decisions, which are not
    counted as decisions; each is drawn uniformly, which is cheapest, and right for card games.
    """
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    roll = Random(7).random
    loaded = pyspiel.load_game(game)
    began = clock()
    decisions = sum(_play_game(loaded.new_initial_state(), roll) for _ in range(games))
    return decisions / (clock() - began)


def _play_game(state: Any, roll: Callable[[], float]) -> int:
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        legal = state.legal_actions()
        state.apply_action(legal[int(roll() * len(legal))])
    return decisions


def practice_rate(deals: int, clock: Clock = time.perf_counter) -> float:
    """Returns decisions per second of practice."""
    began = clock()
    result = practice([Bot] * SEATS, deals=deals, seed=7)
    seconds = clock() - began
    return sum(decisions_in(match.record) for match in result.matches) / seconds
