"""Starts a seat for a person at a referee, in the browser, or with `--terminal` in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

from bourre.connection.channel import TlsError, tls_from
from bourre.connection.client import ClientRefused
from bourre.connection.standard_streams import prepare_streams
from bourre_seats.seat.person_seating import take_seat
from bourre_seats.seat.sitting import Sitting
from bourre_seats.seat.terminal import Left


def main(arguments: Sequence[str] | None = None) -> None:
    """Seats one person. Exits with status 1 if the referee refuses or the connection breaks, 2 for wrong arguments."""
    prepare_streams()
    options = _parser().parse_args(arguments)
    address, token = os.environ.get("BOURRE_ADDRESS"), os.environ.get("BOURRE_TOKEN")
    if not address or not token:
        unset = "BOURRE_ADDRESS and BOURRE_TOKEN are not set.\nhint: set them as your invitation says"
        sys.exit(f"python -m bourre_seats.seat: {unset}")
    sitting = Sitting(guided=options.guide)
    try:
        ports = () if options.terminal else (options.port,)
        asyncio.run(take_seat(sitting, ports, sitting.sit(address, token, tls_from(os.environ))))
    except (OSError, ClientRefused, TlsError) as wrong:
        sys.exit(f"python -m bourre_seats.seat: {wrong}")
    except Left:
        sys.exit("You have left the table.")
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bourre_seats.seat", description="A seat for a person.")
    parser.add_argument("--terminal", action="store_true", help="stay in the terminal instead of the browser")
    parser.add_argument("--port", type=int, default=0, help="the port of the page on this machine; 0 uses a free one")
    parser.add_argument("--guide", action="store_true", help="explain each rule when it first binds")
    return parser


if __name__ == "__main__":
    main()
