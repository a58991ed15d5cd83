"""Serves answers like a model's, without a model: `python -m bourre_seats.models.stand_in --skill tight`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError

from bourre.rules.errors import BourreError
from bourre_seats.models.stand_in_player import StandInPlayer, StandInTrouble
from bourre_seats.models.stand_in_server import StandInOptions, StandInServer
from bourre_seats.models.stand_in_style import StandInStyle


def main() -> None:
    """Serves until it is interrupted."""
    given = _parser().parse_args()
    options = StandInOptions(
        given.trouble and StandInTrouble(given.trouble), given.every, given.slow_seconds, StandInStyle(given.style)
    )
    try:
        server = StandInServer(StandInPlayer(given.skill), options, given.port)
    except (BourreError, OSError) as error:
        sys.exit(f"stand_in: {error}")
    print(f"{given.skill} answers at {server.base_url}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        server.server_close()


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m bourre_seats.models.stand_in", description="Answers like a model, without one.")
    add = parser.add_argument
    add("--skill", metavar="BOT", default="tight", help="the example bot that decides (%(default)s)")
    add("--port", metavar="N", type=int, default=8765, help="the port; 0 uses a free one (%(default)s)")
    add("--trouble", choices=list(map(str, StandInTrouble)), help="the kind of trouble")
    add("--every", metavar="N", type=_positive, default=1, help="spoil every Nth answer (%(default)s)")
    add("--style", choices=list(map(str, StandInStyle)), default="bare", help="the form of every answer (%(default)s)")
    add("--slow-seconds", metavar="S", type=float, default=5.0, help="how late `slow` is (%(default)g)")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not allowed.\nhint: use a whole number of 1 or more")
    return int(text)


if __name__ == "__main__":
    main()
