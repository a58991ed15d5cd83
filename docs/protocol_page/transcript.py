"""A short match played over gRPC, as one bot sent and received it: JSON, abridged the same way each time."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias, cast

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from bourre.connection.client import play as play_bot
from bourre.rules.house import HouseRules
from bourre_referee.model.listener_spec import Listen, ListenerSpec, hash_token
from bourre_referee.model.spec import BotEntry, Clock, MatchSpec, PlacedRoom
from bourre_referee.server.remote_listener import RemoteListener
from docs.protocol_page import raw_bot
from examples.lowest import Lowest

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json]"
SEED = bytes(31) + b"\x04"
DEALS = 2
SAME = "unchanged"
_WIDTH = 110


def transcript() -> str:
    """Returns every message between the referee and the bot in seat 0, in order."""
    told = Transcript()
    with tempfile.TemporaryDirectory() as logs:
        asyncio.run(_play(_room(Path(logs)), told))
    return "```json\n" + "\n".join(told.lines) + "\n```"


def _room(logs: Path) -> PlacedRoom:
    names = ("raw", "lowest")
    entries = tuple(BotEntry(name, None, logs) for name in names)
    match = MatchSpec("m0001", names, HouseRules.preset("limit"), DEALS, SEED)
    patient = Clock(start_ms=30_000, connect_ms=30_000, decision_ms=10_000, bank_ms=30_000)
    return PlacedRoom(
        room="m0001",
        entries=entries,
        matches=(match,),
        tables=1,
        clock=patient,
        max_faults=10,
        logs=logs,
    )


async def _play(spec: PlacedRoom, told: Transcript) -> None:
    """Plays; the other bot connects after the first one's welcome, so that messages are always grouped the same way."""

    async def play_other(address: str, token: str) -> None:
        await told.welcomed.wait()
        await play_bot(Lowest, address, token)

    raw, other = "raw's token", "lowest's token"
    listener = RemoteListener(
        ListenerSpec("example", ("raw", "lowest"), spec.clock, Listen(), Path()), lambda *_: None, lambda: None
    )
    listener.use_tokens({"raw": hash_token(raw), "lowest": hash_token(other)}, {})
    async with listener.open() as port, asyncio.TaskGroup() as tasks:
        tasks.create_task(raw_bot.play(f"127.0.0.1:{port}", raw, told.tell))
        tasks.create_task(play_other(f"127.0.0.1:{port}", other))
        await listener.play(spec)
        listener.say_goodbye("the contest is over")


class Transcript:
    """Writes down messages; of each view after the first, only the changes."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.welcomed = asyncio.Event()
        self._view: Mapping[str, Json] = {}

    def tell(self, message: Message) -> None:
        """Writes down a message, under a line that names its sender."""
        speaker = "bot" if message.DESCRIPTOR.name == "BotMessage" else "referee"
        said = cast("dict[str, Json]", MessageToDict(message, preserving_proto_field_name=True))
        _mask(said)
        for ask in cast("list[dict[str, Json]]", said.get("asks", [])):
            ask["view"] = self._changes(cast("dict[str, Json]", ask["view"]))
        goodbye = said.pop("goodbye", None) if len(said) > 1 else None  # it may come alone or not
        self.lines += [f"// {speaker}", _format_json(said)]
        if goodbye:
            self.lines += [f"// {speaker}", _format_json({"goodbye": goodbye})]
        if "welcome" in said:
            self.welcomed.set()

    def _changes(self, view: dict[str, Json]) -> dict[str, Json]:
        known, self._view = self._view, view
        if not known:
            return view
        new = {key: value for key, value in view.items() if known.get(key) != value}
        gone = {key: type(value)() for key, value in known.items() if key not in view}
        return new | gone | {"...": SAME}


def _mask(said: dict[str, Json]) -> None:
    """Replaces what differs from one run to the next: the token, the number of the table, and the time left."""
    for key in ("seatings", "asks", "match_ends", "answers"):
        for part in cast("list[dict[str, Json]]", said.get(key, [])):
            part["table"] = 7
    if isinstance(hello := said.get("hello"), dict):
        hello["token"] = "(64 characters)"
    for ask in cast("list[dict[str, Json]]", said.get("asks", [])):
        ask["match_ms"] = 600_000


def _format_json(value: Json, indent: int = 0, used: int = 0) -> str:
    """Formats JSON in few lines: small entries share a line, larger ones are broken up."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent + used <= _WIDTH or not isinstance(value, (dict, list)):
        return flat
    inner = " " * (indent + 2)
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines = f"\n{inner}".join(_lines(list(_entries(value, indent + 2)), _WIDTH - indent - 2))
    return f"{opening}\n{inner}{lines}\n{' ' * indent}{closing}"


def _entries(value: dict[str, Json] | list[Json], indent: int) -> Iterator[str]:
    if isinstance(value, list):
        yield from (_format_json(part, indent) for part in value)
        return
    for key, part in value.items():
        name = f"{json.dumps(key)}: "
        yield name + _format_json(part, indent, len(name))


def _lines(entries: list[str], width: int) -> Iterator[str]:
    """Yields lines of entries with commas, as many on each as fit; an entry of several lines stands alone."""
    line = ""
    for number, entry in enumerate(entries):
        entry += "," if number < len(entries) - 1 else ""
        if line and (len(line) + len(entry) >= width or "\n" in entry):
            yield line
            line = ""
        line = f"{line} {entry}" if line else entry
        if "\n" in entry:
            yield line
            line = ""
    if line:
        yield line
