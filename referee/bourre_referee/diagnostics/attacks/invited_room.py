"""A room with a listener on loopback, to which bots connect on their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bourre_referee.model.listener_spec import Listen, ListenerSpec, TlsFiles, hash_token, remote_bots
from bourre_referee.model.spec import MatchOutcome, PlacedRoom
from bourre_referee.runner.remote_worker import CertificateFiles
from bourre_referee.server.remote_listener import RemoteListener

Invite = Callable[[str, str, str], None]
"""Starts a bot, given its name, and the address and token to connect with."""


async def play_invited(spec: PlacedRoom, invite: Invite) -> list[MatchOutcome]:
    """Plays a room with a listener on loopback, which `invite`d bots connect to, and says goodbye to them."""
    async with open_listener(spec) as (listener, address, tokens):
        for bot, token in tokens.items():
            invite(bot, address, token)
        outcomes = await listener.play(spec)
        listener.say_goodbye("the contest is over")
        return list(outcomes)


@asynccontextmanager
async def open_listener(
    spec: PlacedRoom, changed: Callable[[str, bool], None] = lambda _bot, _here: None, tls: TlsFiles | None = None
) -> AsyncIterator[tuple[RemoteListener, str, dict[str, str]]]:
    """Opens a listener on loopback for the remote bots of a room. Yields it, its address, and the tokens by bot.

    With TLS, its certificate must be for localhost.
    """
    tokens = {bot: f"token-of-{bot}" for bot in remote_bots(spec)}
    listener_spec = ListenerSpec("contest", tuple(tokens), spec.clock, Listen("localhost:0", tls), Path())
    pems = CertificateFiles(tls).shown if tls else None
    listener = RemoteListener(listener_spec, changed, lambda: None, (lambda: pems) if pems else None)
    listener.use_tokens({bot: hash_token(token) for bot, token in tokens.items()}, {})
    async with listener.open() as port:
        yield listener, f"{'localhost' if tls else '127.0.0.1'}:{port}", tokens
