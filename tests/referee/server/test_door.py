"""Which bots a door knows: those of a contest from the beginning, and those of a ladder as the tokens say."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.messages import Hello
from bourre_referee.model.door_spec import DoorSpec, Listen, hash_token
from bourre_referee.model.spec import BotsAway, Clock, Entry, MatchOutcome, PlacedRoom
from bourre_referee.server import door as server_door
from bourre_referee.server.bot_pool import Lines
from bourre_referee.server.door import Door
from bourre_referee.server.line import Line

CONTEST = DoorSpec("demo", ("ada",), Clock(), Listen(), Path())
LADDER = replace(CONTEST, bots=(), most_bots=2, versioned=True)


class Tokens:
    """A door, and the tokens that open it; the token of ada is `ada's 1`, then `ada's 2`."""

    def __init__(self, spec: DoorSpec) -> None:
        self.door = Door(spec, lambda _bot, _here: None, lambda: None)
        self._hashes: dict[str, str] = {}
        self._revoked: dict[str, str] = {}

    def give(self, bot: str, number: int = 1) -> None:
        """Makes a bot a token, instead of an earlier one."""
        self.take(bot)
        self._hashes[bot] = hash_token(f"{bot}'s {number}")
        self.door.use_tokens(dict(self._hashes), dict(self._revoked))

    def take(self, bot: str) -> None:
        """Revokes the token of a bot."""
        if bot in self._hashes:
            self._revoked[self._hashes.pop(bot)] = bot
        self.door.use_tokens(dict(self._hashes), dict(self._revoked))

    async def opened(self, token: str) -> str | Line:
        """What a token opens: a line, or nothing for this reason."""
        found = await asyncio.wait_for(self.door._find(token), 10)
        assert isinstance(found, str | Line)
        return found

    async def line(self, token: str) -> Line:
        """The line that it opens."""
        found = await self.opened(token)
        assert isinstance(found, Line)
        return found


def check(test: Coroutine[None, None, None]) -> None:
    asyncio.run(test)


def test_a_contest_has_no_line_for_others_that_have_tokens() -> None:
    async def come() -> None:
        tokens = Tokens(CONTEST)
        tokens.give("ada")
        tokens.give("bob")
        assert (await tokens.line("ada's 1")).bot == "ada"
        assert str(await tokens.opened("bob's 1")).startswith("this token opens no seat here")

    check(come())


def test_a_bot_that_joins_a_ladder_has_a_line_at_once_and_one_that_leaves_has_none() -> None:
    async def come() -> None:
        tokens = Tokens(LADDER)
        tokens.give("ada")
        line = await tokens.line("ada's 1")
        line.admit(Hello("ada's 1"))
        tokens.give("bob")
        assert await tokens.line("ada's 1") is line
        bundle = await line.outgoing()
        assert bundle is not None
        assert bundle.refusal == ""
        assert (await tokens.line("bob's 1")).bot == "bob"
        tokens.take("bob")
        assert str(await tokens.opened("bob's 1")).startswith("the token of bob was revoked")

    check(come())


def test_the_tokens_are_read_again_only_before_one_is_refused() -> None:
    async def come() -> None:
        read: list[str] = []

        def read_tokens() -> None:
            read.append("again")
            door.use_tokens({"ada": hash_token("new")}, {})

        door = Door(CONTEST, lambda _bot, _here: None, read_tokens)
        for _ in range(2):
            assert isinstance(await door._find("new"), Line)
        assert read == ["again"]
        assert isinstance(await door._find("other"), str)
        assert read == ["again"] * 2

    check(come())


def test_a_full_ladder_says_so_until_a_bot_leaves() -> None:
    async def come() -> None:
        tokens = Tokens(LADDER)
        for bot in ("ada", "bob", "cy"):
            tokens.give(bot)
        assert await tokens.opened("cy's 1") == "the ladder is full with 2 bots: ask the organiser for a place"
        assert tokens.door.full_at == 2
        (await tokens.line("ada's 1")).admit(Hello("ada's 1"))
        tokens.take("ada")
        assert (await tokens.line("cy's 1")).bot == "cy"
        assert tokens.door.full_at is None

    check(come())


def test_a_bot_that_leaves_a_ladder_and_joins_again_waits_until_its_old_stream_has_ended() -> None:
    async def come() -> None:
        tokens = Tokens(LADDER)
        tokens.give("ada")
        line = await tokens.line("ada's 1")
        line.admit(Hello("ada's 1"))
        tokens.take("ada")
        tokens.give("ada", 2)
        coming = asyncio.create_task(tokens.line("ada's 2"))
        await asyncio.sleep(0)
        assert not coming.done()
        line.hang_up()
        assert await coming is line

    check(come())


def room_of(*names: str) -> PlacedRoom:
    entries = tuple(Entry(name, None, Path()) for name in names)
    return PlacedRoom(
        room="m0001", entries=entries, matches=(), tables=1, clock=Clock(connect_ms=0), max_faults=10, logs=Path()
    )


def test_versions_play_on_the_line_of_their_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[dict[str, object]] = []

    async def play_room(spec: PlacedRoom, lines: Lines, first_table: int) -> Sequence[MatchOutcome]:
        played.append(dict(lines))
        return ()

    async def come() -> None:
        tokens = Tokens(LADDER)
        tokens.give("ada")
        line = await tokens.line("ada's 1")
        line.admit(Hello("ada's 1"))
        await tokens.door.play(room_of("ada.2"))
        tokens.take("ada")
        line.hang_up()
        with pytest.raises(BotsAway, match="ada, bob left"):  # called when their bots had just left
            await tokens.door.play(room_of("ada.2", "bob.1"))
        assert played == [{"ada.2": line}]

    monkeypatch.setattr(server_door, "AWAY_SECONDS", 0.001)
    monkeypatch.setattr(server_door, "play_room", play_room)
    check(come())
