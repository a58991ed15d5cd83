"""Compares a room of five trivial bots with a bare gRPC echo of the same routing; `python3 dev.py bench` measures more.

    .venv/bin/python benchmarks/wire.py [--pairs 8] [--deals 200] [--tables 1] [--json]

Room and echo take turns, so that a machine whose speed drifts affects both; the ratio is taken pair by pair.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from bench.echo_routes import routes_of
from bench.extent import RoomExtent, matches
from bench.room_speed import time_echo, time_room
from bench.summary import compare_with_echo


def main() -> None:
    """Prints the medians and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--deals", type=int, default=200, help="at each table")
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    routes = routes_of(matches(options.deals, options.tables))
    pairs = [(time_room(options.deals, options.tables), time_echo(routes)) for _ in range(options.pairs)]
    found = asdict(compare_with_echo(RoomExtent(options.tables, options.deals), pairs))
    print(json.dumps(found) if options.json else "\n".join(f"{key:16} {value}" for key, value in found.items()))


if __name__ == "__main__":
    main()
