"""Compares engines from PyPI with ours in one process: random legal play, decisions per second.

    .venv/bin/pip install -e '.[peers]'
    .venv/bin/python benchmarks/peers.py [--rounds 8] [--seconds 0.5] [--json]

Games differ, and so does the cost of judging a decision: compare orders of magnitude. Peers that are not installed
are left out, with a message. Times include dealing, decisions do not; the random choice costs the same everywhere.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from random import Random
from typing import Any

from environments import aec

from bench.rules_speed import engine_rate, openspiel_rate, practice_rate
from bourre_referee.model.build import name_build

Roll = Callable[[], float]
PLAYERS = 5


@dataclass(frozen=True, slots=True)
class Peer:
    """A package, one of its games, and its rate: plays for about some seconds and returns decisions per second."""

    package: str
    """Its name on PyPI; empty for ours."""
    game: str
    rate: Callable[[float], float]


def time_games(play: Callable[[Roll], int], seconds: float) -> float:
    """Plays whole games for this long; `play` returns the number of decisions of one."""
    roll = Random(7).random
    decisions, began = 0, time.perf_counter()
    while (taken := time.perf_counter() - began) < seconds:
        decisions += play(roll)
    return decisions / taken


def rate_in_seconds(rate: Callable[[int], float], first: int) -> Callable[[float], float]:
    """Turns a rate for a number of deals into one for about some seconds."""

    def rate_for(seconds: float) -> float:
        began = time.perf_counter()
        rate(first)
        return rate(max(first, round(first * seconds / (time.perf_counter() - began))))

    return rate_for


def openspiel(game: str) -> Callable[[float], float]:
    """Plays OpenSpiel: C++, driven from Python."""
    return rate_in_seconds(lambda games: openspiel_rate(game, games) or 0.0, 20)


def rlcard() -> Callable[[float], float]:
    """Plays RLCard's environment, which makes an observation for every decision."""
    made: Any = importlib.import_module("rlcard").make("no-limit-holdem", config={"game_num_players": PLAYERS})

    def play(roll: Roll) -> int:
        state, _ = made.reset()
        decisions = 0
        while not made.is_over():
            legal = list(state["legal_actions"])
            state, _ = made.step(legal[int(roll() * len(legal))])
            decisions += 1
        return decisions

    return lambda seconds: time_games(play, seconds)


def pettingzoo(module: str, **options: int) -> Callable[[float], float]:
    """Plays PettingZoo's classic games, with an observation and a mask for every decision."""
    made: Any = importlib.import_module(f"pettingzoo.classic.{module}").env(**options)
    return lambda seconds: time_games(aec(made), seconds)


def pokerkit() -> Callable[[float], float]:
    """Plays pokerkit's no-limit hold'em; everything but the players' decisions is automatic."""
    kit: Any = importlib.import_module("pokerkit")
    table: Any = kit.NoLimitTexasHoldem(tuple(kit.Automation), True, 0, (1, 2), 2)

    def play(roll: Roll) -> int:
        state = table((200,) * PLAYERS, PLAYERS)
        decisions = 0
        while state.actor_index is not None:
            acts = [state.check_or_call]
            acts += [state.fold] if state.can_fold() else []
            acts += [state.complete_bet_or_raise_to] if state.can_complete_bet_or_raise_to() else []
            acts[int(roll() * len(acts))]()
            decisions += 1
        return decisions

    return lambda seconds: time_games(play, seconds)


def peers() -> Iterator[Peer]:
    """Yields ours first; a peer that is not installed is left out, with a message on stderr."""
    kind = name_build()
    yield Peer("", f"Bourré, rules and events ({kind})", rate_in_seconds(engine_rate, 20))
    yield Peer("", "Bourré, practice: views, bots, record", rate_in_seconds(practice_rate, 10))
    for package, game, maker in _others():
        try:
            rate = maker()
            yield Peer(package, game, rate)
        except ImportError as error:
            print(f"left out: {package}, {game} ({error})", file=sys.stderr)


def _others() -> list[tuple[str, str, Callable[[], Callable[[float], float]]]]:
    return [
        ("open_spiel", "euchre", lambda: _needing("pyspiel", openspiel("euchre"))),
        ("open_spiel", "hearts", lambda: _needing("pyspiel", openspiel("hearts"))),
        ("rlcard", "no-limit hold'em", rlcard),
        ("pettingzoo", "no-limit hold'em", lambda: pettingzoo("texas_holdem_no_limit_v6", num_players=PLAYERS)),
        ("pettingzoo", "connect four", lambda: pettingzoo("connect_four_v3")),
        ("pokerkit", "no-limit hold'em", pokerkit),
    ]


def _needing(module: str, rate: Callable[[float], float]) -> Callable[[float], float]:
    importlib.import_module(module)
    return rate


def measure(rounds: int, seconds: float) -> list[dict[str, object]]:
    """Returns one row per peer, measured in rounds in which each has a turn."""
    there = list(peers())
    rates: list[list[float]] = [[] for _ in there]
    for _ in range(rounds):
        for peer, found in zip(there, rates, strict=True):
            found.append(peer.rate(seconds))
    return [
        {
            "package": f"{peer.package} {version(peer.package)}" if peer.package else "ours",
            "game": peer.game,
            "decisions_per_s": round(statistics.median(found)),
            "engine_ratio": _ratio(rates[0], found),
            "practice_ratio": _ratio(rates[1], found),
        }
        for peer, found in zip(there, rates, strict=True)
    ]


def _ratio(ours: list[float], theirs: list[float]) -> float:
    """Returns the median of the ratios, round by round."""
    return round(statistics.median(one / other for one, other in zip(ours, theirs, strict=True)), 2)


def main() -> None:
    """Prints a table, or the rows as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each game in each round")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.rounds, options.seconds)
    if options.json:
        print(json.dumps({"rounds": options.rounds, "peers": rows}, indent=2))
        return
    for row in rows:
        print(f"{row['package']!s:18} {row['game']!s:42} {row['decisions_per_s']:>10,} decisions/s")


if __name__ == "__main__":
    main()
