"""Times the rules alone and practice, in decisions per second of processor time.

    .venv/bin/python benchmarks/rules_and_practice.py [--rounds 15]
    python3 dev.py compile .venv/bin/python benchmarks/rules_and_practice.py

To compare two versions, run it in turns in two clones. With OpenSpiel installed, it gives the ratio to euchre as well.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from time import process_time

from bench.rules_speed import engine_rate, openspiel_rate, practice_rate
from bourre_referee.model.build import name_build

DEALS = 300
GAMES = 300
WAYS: dict[str, Callable[[], float | None]] = {
    "rules": lambda: engine_rate(DEALS, process_time),
    "practice": lambda: practice_rate(DEALS, process_time),
    "OpenSpiel's euchre": lambda: openspiel_rate("euchre", GAMES, process_time),
}
"""What is timed; None where it is not installed."""


def measure(rounds: int) -> dict[str, list[float]]:
    """Returns the rates of each, measured in rounds in which each has a turn; the first round only warms up."""
    rates: dict[str, list[float]] = {name: [] for name in WAYS}
    for number in range(rounds + 1):
        for name, rate in WAYS.items():
            if (found := rate()) is not None and number:
                rates[name].append(found)
    return {name: found for name, found in rates.items() if found}


def main() -> None:
    """Prints the median of each, and what part of euchre's it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    rates = measure(rounds)
    print(name_build())
    euchre = rates.get("OpenSpiel's euchre")
    for name, found in rates.items():
        ratio = statistics.median(a / b for a, b in zip(found, euchre, strict=True)) if euchre else None
        beside = "" if ratio is None else f"  {ratio:.2f} of euchre"
        print(f"{name:20} {statistics.median(found):>10,.0f} decisions per processor second{beside}")


if __name__ == "__main__":
    main()
