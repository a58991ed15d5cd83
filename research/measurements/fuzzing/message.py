"""Plays one input of the fast target: a short deal in a room without service, streams and tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from bourre import codec
from bourre.messages import Answer, Ask, Hello
from bourre.rules.actions import Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Suit
from bourre.rules.house import PRESETS, HouseRules
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage
from bourre_referee.model.spec import BotEntry, Clock, MatchOutcome, MatchSpec, PlacedRoom
from bourre_referee.server.connection import Connection
from bourre_referee.server.room import Room
from fuzzing.choices import Choices
from fuzzing.judging import FUZZED, HONEST, Played, play_judged
from fuzzing.lies import Lies

HOUSES = [HouseRules.preset(name) for name in ("limit", *sorted(PRESETS))]


def play(data: bytes) -> Played:
    """Plays a deal by these bytes and judges it; raises Wrong, or whatever the referee raised."""
    choices = Choices(data)
    return play_judged(_play(_spec(choices), choices))


async def _play(spec: PlacedRoom, choices: Choices) -> list[MatchOutcome]:
    room = Room(spec)
    bots = []
    for bot, line in room._bots.connections.items():  # bypasses sockets and tokens, which the other target tests
        fuzzed = bot == FUZZED
        line.admit(Hello("", forced_plays=not fuzzed or choices.number(4) < 3, events=fuzzed and choices.number(2) > 0))
        bots.append(_lie(line, choices) if fuzzed else _be_honest(line))
    playing = asyncio.create_task(room.play())
    await asyncio.gather(playing, *bots)  # also notices at once if one of our bots fails
    return playing.result()


async def _be_honest(line: Connection) -> None:
    """Answers in time, with game objects: only the fuzzed bot uses protocol messages."""
    while True:
        bundle = await line.outgoing()
        with line.sending():
            pass
        if bundle.goodbye:
            return
        if bundle.asks:
            line.receive([Answer(ask.table, ask.id, _choice(ask)) for ask in bundle.asks])


def _choice(ask: Ask) -> Choice:
    match ask.view.decision:
        case Decision.DECLARE:
            return Declare(True)
        case Decision.NAME_TRUMP:
            return NameTrump(Suit.parse("S"))
        case Decision.STAY:
            return Stay(True)
        case Decision.DRAW:
            return Draw()
        case Decision.PLAY:
            return Play(ask.view.legal[0])


async def _lie(line: Connection, choices: Choices) -> None:
    """Replies to every message as the bytes choose; disconnects, and returns or not, likewise."""
    lies = Lies(choices, "")
    while True:
        bundle = await line.outgoing()
        told = codec.bundle_to_wire(bundle)
        with line.sending():
            pass
        if bundle.goodbye:
            return
        if line.live and choices.number(16) == 15:
            line.hang_up()
            if not line.closed and choices.number(3):
                line.admit(Hello(""))
        for message in _replies(lies, told, choices):
            if line.live and not line.refusal:
                line.receive(codec.answers_from_wire(message))


def _replies(lies: Lies, told: RefereeMessage, choices: Choices) -> Iterator[BotMessage]:
    if choices.spent:
        yield from map(_with_passes, lies.answers(told))
        return
    while choices.number(8) == 7:
        yield lies.unasked()
    yield from lies.answers(told)


def _spec(choices: Choices) -> PlacedRoom:
    """Makes a room of two or three seats; the first bytes choose the fuzzed seat, the rules and `faults.max`."""
    names = (FUZZED, *HONEST[: 1 + choices.number(2)])
    turned = choices.number(len(names))
    match = MatchSpec(
        "m0001", names[turned:] + names[:turned], choices.one_of(HOUSES), 1, bytes([choices.number(8)]) * 32
    )
    return PlacedRoom(
        room="r",
        entries=tuple(BotEntry(name, None, Path()) for name in names),
        matches=(match,),
        tables=1,
        clock=Clock(1000, 200, 300, 1000, 2000, choices.one_of((300, 0))),
        max_faults=choices.one_of((10, 1, 2)),
        logs=Path(),
    )


def _with_passes(message: BotMessage) -> BotMessage:
    """Turns declarations into passes, so that the deal ends once the bytes are used up."""
    for answer in message.answers:
        if answer.HasField("plays"):
            answer.plays = False
    return message
