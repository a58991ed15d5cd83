"""Which bots a listener knows, and when a room begins: once its remote bots are here, or their time to come is over."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.messages import Hello
from bourre.rules.house import HouseRules
from bourre_referee.model.listener_spec import Listen, ListenerSpec, hash_token
from bourre_referee.model.spec import BotEntry, BotsAway, Clock, MatchOutcome, MatchSpec, PlacedRoom
from bourre_referee.server import remote_listener
from bourre_referee.server.bot_pool import Lines
from bourre_referee.server.remote_listener import RemoteListener
from bourre_referee.server.remote_session import RemoteSession
from tests.referee.server.listening_referee import said_to_hello

CONTEST = ListenerSpec("demo", ("ada",), Clock(), Listen(), Path())
LADDER = replace(CONTEST, bots=(), most_bots=2, versioned=True)


def room_of(*names: str, connect_ms: int = 0) -> PlacedRoom:
    return PlacedRoom(
        room="m0001",
        entries=tuple(BotEntry(name, None, Path()) for name in names),
        matches=(),
        tables=1,
        clock=Clock(connect_ms=connect_ms),
        max_faults=10,
        logs=Path(),
    )


class Tokens:
    """A listener, and the tokens that open it; the token of ada is `ada's 1`, then `ada's 2`."""

    def __init__(self, spec: ListenerSpec) -> None:
        self.listener = RemoteListener(spec, lambda _bot, _here: None, lambda: None)
        self._hashes: dict[str, str] = {}
        self._revoked: dict[str, str] = {}

    def give(self, bot: str, number: int = 1) -> None:
        """Makes a bot a token, instead of an earlier one."""
        self.take(bot)
        self._hashes[bot] = hash_token(f"{bot}'s {number}")
        self.listener.use_tokens(dict(self._hashes), dict(self._revoked))

    def take(self, bot: str) -> None:
        """Revokes the token of a bot."""
        if bot in self._hashes:
            self._revoked[self._hashes.pop(bot)] = bot
        self.listener.use_tokens(dict(self._hashes), dict(self._revoked))

    async def opened(self, token: str) -> str | RemoteSession:
        """What a token opens: a line, or nothing for this reason."""
        found = await asyncio.wait_for(self.listener._find(token), 10)
        assert isinstance(found, str | RemoteSession)
        return found

    async def line(self, token: str) -> RemoteSession:
        """The line that it opens."""
        found = await self.opened(token)
        assert isinstance(found, RemoteSession)
        return found


async def test_a_contest_has_no_line_for_others_that_have_tokens() -> None:
    tokens = Tokens(CONTEST)
    tokens.give("ada")
    tokens.give("bob")
    assert (await tokens.line("ada's 1")).bot == "ada"
    assert str(await tokens.opened("bob's 1")).startswith("unknown token")


async def test_a_bot_that_joins_a_ladder_has_a_line_at_once_and_one_that_leaves_has_none() -> None:
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


async def test_the_tokens_are_read_again_only_before_one_is_refused() -> None:
    read: list[str] = []

    def read_tokens() -> None:
        read.append("again")
        listener.use_tokens({"ada": hash_token("new")}, {})

    listener = RemoteListener(CONTEST, lambda _bot, _here: None, read_tokens)
    for _ in range(2):
        assert isinstance(await listener._find("new"), RemoteSession)
    assert read == ["again"]
    assert isinstance(await listener._find("other"), str)
    assert read == ["again"] * 2


async def test_a_full_ladder_says_so_until_a_bot_leaves() -> None:
    tokens = Tokens(LADDER)
    for bot in ("ada", "bob", "cy"):
        tokens.give(bot)
    assert await tokens.opened("cy's 1") == "the ladder is full with 2 bots: ask the organiser for a place"
    assert tokens.listener.full_at == 2
    (await tokens.line("ada's 1")).admit(Hello("ada's 1"))
    tokens.take("ada")
    assert (await tokens.line("cy's 1")).bot == "cy"
    assert tokens.listener.full_at is None


async def test_a_bot_that_leaves_a_ladder_and_joins_again_waits_until_its_old_stream_has_ended() -> None:
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


async def test_versions_play_on_the_line_of_their_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[dict[str, object]] = []

    async def play_room(spec: PlacedRoom, lines: Lines, first_table: int) -> Sequence[MatchOutcome]:
        played.append(dict(lines))
        return ()

    monkeypatch.setattr(remote_listener, "AWAY_SECONDS", 0.001)
    monkeypatch.setattr(remote_listener, "play_room", play_room)
    tokens = Tokens(LADDER)
    tokens.give("ada")
    line = await tokens.line("ada's 1")
    line.admit(Hello("ada's 1"))
    await tokens.listener.play(room_of("ada.2"))
    tokens.take("ada")
    line.hang_up()
    with pytest.raises(BotsAway, match="ada, bob left"):  # called when their bots had just left
        await tokens.listener.play(room_of("ada.2", "bob.1"))
    assert played == [{"ada.2": line}]


ROOM = room_of("ada", "bob", connect_ms=86_400_000)


class Desk:
    """A listener whose bots come and go by hand, and whose rooms are over as soon as they begin."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, most_bots: int | None = None) -> None:
        monkeypatch.setattr("bourre_referee.server.remote_listener.play_room", self._begin)
        spec = ListenerSpec("contest", ("ada", "bob", "cy"), ROOM.clock, Listen(), Path(), most_bots)
        self.begun: list[PlacedRoom] = []
        self.first_tables: list[int] = []
        self.listener = RemoteListener(spec, lambda _bot, _here: None, lambda: None)
        self.listener.use_tokens({bot: bot for bot in spec.bots}, {})

    async def _begin(self, room: PlacedRoom, lines: Lines, first_table: int) -> list[MatchOutcome]:
        self.begun.append(room)
        self.first_tables.append(first_table)
        return []

    def come(self, bot: str) -> None:
        self.lines[bot].admit(Hello("token"))

    def leave(self, bot: str) -> None:
        self.lines[bot].hang_up()

    @property
    def lines(self) -> dict[str, RemoteSession]:
        return self.listener._lines


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


async def a_while() -> None:
    """Lets whatever may happen now happen."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_room_begins_once_its_bots_are_here_at_the_same_time(desk: Desk) -> None:
    playing = asyncio.create_task(desk.listener.play(ROOM))
    for change in (desk.come, desk.leave):
        change("ada")
        await a_while()
    desk.come("bob")
    desk.come("cy")
    await a_while()
    assert not desk.begun
    desk.come("ada")
    await playing
    assert [room.clock for room in desk.begun] == [Clock(connect_ms=0)]


async def test_a_room_begins_without_who_does_not_come_in_time(desk: Desk) -> None:
    desk.come("ada")
    await desk.listener.play(replace(ROOM, clock=Clock(connect_ms=1)))
    assert len(desk.begun) == 1


async def test_a_room_whose_bots_are_here_begins_at_once(desk: Desk) -> None:
    desk.come("ada")
    desk.come("bob")
    with pytest.raises(StopIteration):
        desk.listener.play(ROOM).send(None)
    assert len(desk.begun) == 1


async def test_a_ladders_room_whose_bot_is_away_is_soon_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though `connect_ms` is a day."""
    monkeypatch.setattr("bourre_referee.server.remote_listener.AWAY_SECONDS", 0.001)
    desk = Desk(monkeypatch, most_bots=9)
    desk.come("ada")
    with pytest.raises(BotsAway, match="bob left before it began"):
        await desk.listener.play(ROOM)
    assert not desk.begun


async def test_no_two_tables_of_a_listener_have_the_same_number(desk: Desk) -> None:
    desk.come("ada")
    desk.come("bob")
    matches = tuple(MatchSpec(f"m000{number}", ("ada", "bob"), HouseRules(), 1, bytes(32)) for number in (1, 2, 3))
    for room in (replace(ROOM, matches=matches), ROOM, ROOM):
        await desk.listener.play(room)
    first, *others = desk.first_tables
    assert others == [first + 3] * 2


async def test_a_failure_of_the_referee_is_that_of_the_room_that_waits_then(desk: Desk) -> None:
    desk.come("ada")
    with pytest.raises(KeyError):
        desk.lines["ada"].fail(KeyError("an earlier mistake"))
    for bot in ("bob", "cy"):
        playing = asyncio.create_task(desk.listener.play(replace(ROOM, entries=room_of("ada", bot).entries)))
        await a_while()
        if bot == "cy":
            with pytest.raises(KeyError):
                desk.lines["ada"].fail(KeyError("a mistake of ours"))
        desk.come(bot)
        await asyncio.wait({playing})
    with pytest.raises(KeyError, match="a mistake of ours"):
        await playing
    assert len(desk.begun) == 1


async def test_a_listener_counts_refused_hellos_by_kind_and_bot() -> None:
    tokens = Tokens(LADDER)
    tokens.give("ada")
    tokens.take("ada")
    async with tokens.listener.open() as port:
        for token, said in (("ada's 1", "was revoked"), ("x", "unknown token"), ("y", "unknown token")):
            assert said in await said_to_hello(f"127.0.0.1:{port}", token)
        assert tokens.listener.take_refusals() == {("revoked token", "ada"): 1, ("unknown token", ""): 2}
        assert tokens.listener.take_refusals() == {}
