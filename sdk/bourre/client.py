"""Seats a bot at a referee: `run(MyBot)` is all that a bot's file needs at its end."""

from __future__ import annotations

import asyncio
import os
import sys
import time
import traceback

import grpc
import grpc.aio

from bourre import codec
from bourre.bot import Bot
from bourre.consult import decide, recall
from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd, Seating
from bourre.rules.actions import Fault, Missing
from bourre.rules.cards import show
from bourre.rules.errors import BourreError
from bourre.rules.events import Event, Reneged
from bourre.v1.referee_pb2 import RefereeMessage
from bourre.v1.referee_pb2_grpc import RefereeStub

CLIENT = "bourre-python 0.1"
_OPTIONS = (("grpc.max_receive_message_length", 16 * 1024 * 1024), ("grpc.enable_http_proxy", 0))


class Refused(BourreError):
    """The referee did not let the bot in, or the line broke; says why."""


def run(bot: type[Bot]) -> None:
    """Plays this bot at the referee that started the program, until the room is done.

    One instance of the class is made for each match. Address and token come from the environment variables
    BOURRE_ADDRESS and BOURRE_TOKEN. Exits with status 1 where they are missing or the referee refuses.
    """
    address, token = os.environ.get("BOURRE_ADDRESS"), os.environ.get("BOURRE_TOKEN")
    if not address or not token:
        sys.exit(
            f"{bot.__name__} plays at a referee, which sets BOURRE_ADDRESS and BOURRE_TOKEN for it.\n"
            "Enter it in a contest (`bourre run contest.toml`), or try it here: `bourre practice BOT.py --against ...`."
        )
    try:
        asyncio.run(play(bot, address, token))
    except Refused as refused:
        sys.exit(f"{bot.__name__}: {refused}")
    except KeyboardInterrupt:
        sys.exit(130)


async def play(bot: type[Bot], address: str, token: str) -> None:
    """Plays a bot at the referee at this address (`unix:...` or `host:port`); raises Refused."""
    hello = Hello(token=token, client=CLIENT, events=bot.on_event is not Bot.on_event)
    async with grpc.aio.insecure_channel(address, options=_OPTIONS) as channel:
        try:
            await _Line(bot, RefereeStub(channel).Play(wait_for_ready=True)).play(hello)
        except grpc.aio.AioRpcError as error:
            raise Refused(f"the line to the referee broke: {error.code().name.lower()} {error.details()}") from None


class _Line:
    """The bot's end of its line to the referee: one instance of the bot for each table."""

    def __init__(self, bot: type[Bot], call: grpc.aio.StreamStreamCall) -> None:  # type: ignore[type-arg]
        self._bot = bot
        self._call = call
        self._bots: dict[int, Bot] = {}
        self._seatings: dict[int, Seating] = {}
        self._flush_after = 0.25

    async def play(self, hello: Hello) -> None:
        await self._call.write(codec.hello_to_wire(hello))
        while isinstance(message := await self._call.read(), RefereeMessage):
            bundle = codec.bundle_from_wire(message, self._seatings)
            if bundle.refusal:
                raise Refused(f"the referee refuses: {bundle.refusal}")
            if bundle.welcome:
                self._flush_after = bundle.welcome.decision_ms / 4000
            await self._follow(bundle)
            if bundle.goodbye:
                return
        raise Refused("the referee closed the line")

    async def _follow(self, bundle: Bundle) -> None:
        for seating in bundle.seatings:
            self._seatings[seating.table] = seating
            self._bots[seating.table] = self._bot()
        for end in bundle.match_ends:
            self._end(end)
        await self._answer(bundle.asks)

    async def _answer(self, asks: list[Ask]) -> None:
        """Answers in order, in one message; in more where the bot takes long: its clock wants signs of life."""
        ready: list[Answer] = []
        flushed = time.monotonic()
        for ask in asks:
            ready.extend(await self._decide(ask))
            if time.monotonic() - flushed > self._flush_after:
                await self._call.write(codec.answers_to_wire(ready))
                ready, flushed = [], time.monotonic()
        if ready:
            await self._call.write(codec.answers_to_wire(ready))

    async def _decide(self, ask: Ask) -> list[Answer]:
        try:
            bot = self._bots[ask.table]
            _tell(bot, ask.events)
            _tell_renege(bot, ask)
            choice = await decide(bot, ask.view)
            recalled = await recall(bot, ask.view, choice)
            return [Answer(ask.table, ask.id, said) for said in (choice, recalled) if said is not None]
        except Exception as error:
            _report(ask, error)
            return [Answer(ask.table, ask.id, Missing(Fault.ERROR), f"{type(error).__name__}: {error}")]

    def _end(self, end: MatchEnd) -> None:
        bot = self._bots.pop(end.table)
        del self._seatings[end.table]
        try:
            _tell(bot, end.events)
            bot.on_match_end(end.balances)
        except Exception:
            traceback.print_exc()


def _tell(bot: Bot, events: tuple[Event, ...]) -> None:
    for event in events:
        bot.on_event(event)


def _tell_renege(bot: Bot, ask: Ask) -> None:
    view, correcting = ask.view, ask.view.correcting
    if correcting:
        bot.on_renege(Reneged(view.seat, correcting.card, correcting.rule, view.legal, correcting.match))


def _report(ask: Ask, error: Exception) -> None:
    """The one place where a bot's author sees what went wrong: stderr, which the referee keeps in the bot's log."""
    view = ask.view
    traceback.print_exception(error)
    print(
        f"bourre: no answer to {view.decision} in deal {view.deal} at table {ask.table}: seat {view.seat}, "
        f"hand {show(view.hand)}, trump {view.named}, "
        f"trick {show(view.trick) or '-'}, legal {show(view.legal)}. "
        "The referee acts for this seat (R8.5) and counts a fault.",
        file=sys.stderr,
        flush=True,
    )
