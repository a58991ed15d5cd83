"""Starts an MCP server that is also a bot of the referee."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from collections.abc import Sequence

from bourre.connection.channel import TlsError, is_local, tls_from
from bourre.connection.standard_streams import prepare_streams
from bourre.extras import install_command

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""The hosts for `--http`. Clients on other machines need an encrypted tunnel or proxy."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves one agent over stdin and stdout, or over HTTP. Exits with status 1 or 2 if it cannot."""
    prepare_streams()
    options = _parser().parse_args(arguments)
    try:
        asyncio.run(_serve(options.http, options.legal))
    except ModuleNotFoundError as missing:
        sys.exit(f"python -m bourre_seats.mcp needs {missing.name}.\nhint: {install_command('mcp')}")
    except (OSError, TlsError) as wrong:
        sys.exit(f"python -m bourre_seats.mcp: {wrong}")
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bourre_seats.mcp", description="A seat for an agent that speaks MCP.")
    parser.add_argument("--http", type=_loopback, metavar="HOST:PORT", help="serve HTTP on loopback instead of stdio")
    parser.add_argument("--legal", action="store_true", help="show the agent which cards are legal")
    return parser


def _loopback(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if host not in LOOPBACK or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no loopback address.\nhint: use 127.0.0.1:PORT")
    return host, int(port)


async def _serve(http: tuple[str, int] | None, show_legal: bool) -> None:
    from bourre_seats.mcp.agent_seating import AgentSeating
    from bourre_seats.mcp.mcp_server import make_server, serve_http
    from bourre_seats.mcp.tools import AgentTools
    from bourre_seats.question_queue.desk import Desk

    tls = tls_from(os.environ)
    seating = AgentSeating(Desk())
    address, token = os.environ.get("BOURRE_ADDRESS"), os.environ.get("BOURRE_TOKEN")
    if address and token:
        seating.join(address, token, tls)
    key = os.environ.get("BOURRE_MCP_KEY") or secrets.token_urlsafe(24)
    server = make_server(AgentTools(seating, tls, show_legal), key if http else "")

    def announce(url: str) -> None:
        known = "of BOURRE_MCP_KEY" if "BOURRE_MCP_KEY" in os.environ else key
        print(f"bourre: agents connect to {url} with the bearer token {known}", file=sys.stderr, flush=True)

    serving = asyncio.ensure_future(serve_http(server, *http, announce) if http else server.run_stdio_async())
    try:
        if address and is_local(address):  # the referee started this program and waits for its end
            await asyncio.wait([serving, asyncio.ensure_future(seating.ended())], return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.wait([serving])
        if serving.done():
            serving.result()
    finally:
        serving.cancel()
        await seating.leave()


if __name__ == "__main__":
    main()
