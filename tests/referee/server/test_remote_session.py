"""The line to a remote bot: one stream over many rooms, and what each room and the bot hear through it."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from bourre.messages import Answer, Bundle, Hello, MatchEnd, Seating
from bourre.rules.actions import Declare
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import Clock
from bourre_referee.server.connection import SPARE_ANSWERS, Connection
from bourre_referee.server.remote_session import RemoteSession
from tests.referee.connection_desk import Heard, ManualClock

HELLO = Hello("token")
PASS = Answer(1, 1, Declare(False))


class Desk:
    """A line, and rooms that borrow it."""

    def __init__(self) -> None:
        self.presence: list[bool] = []
        self.line = RemoteSession("tight", "demo", Clock(), lambda _bot, here: self.presence.append(here))
        self.heard = Heard()

    def connection(self) -> Connection:
        """The connection of another room."""
        return Connection("tight", "m0001", Clock(), self.heard, ManualClock())

    @contextmanager
    def room(self) -> Iterator[Connection]:
        """Another room, which borrows the line."""
        connection = self.connection()
        with self.line.lent_to(connection):
            yield connection

    async def start_endless_write(self) -> asyncio.Task[None]:
        """Starts to write a message that the bot never reads to its end."""

        async def write() -> None:
            with self.line.sending():
                await asyncio.Event().wait()

        writing = asyncio.create_task(write())
        await asyncio.sleep(0)
        return writing

    async def sent(self) -> Bundle:
        """What goes out next."""
        bundle = await asyncio.wait_for(self.line.outgoing(), 10)
        assert bundle is not None
        return bundle


@pytest.fixture
def absent() -> Desk:
    """A line whose bot has not come yet."""
    return Desk()


@pytest.fixture
def desk(absent: Desk) -> Desk:
    """One whose bot has."""
    absent.line.admit(HELLO)
    return absent


def seating(table: int) -> Seating:
    return Seating(table, f"m{table:04}", 0, 2, 1, HouseRules())


async def test_a_bot_is_welcomed_once_for_the_whole_contest_and_sits_down_in_room_after_room(desk: Desk) -> None:
    welcome = (await desk.sent()).welcome
    assert welcome is not None
    assert (welcome.bot, welcome.room, welcome.stays) == ("tight", "demo", True)
    for table in (1, 2):
        with desk.room() as room:
            assert room.arrived.is_set()
            room.seat(seating(table))
            sent = await desk.sent()
            assert (sent.welcome, [each.table for each in sent.seatings]) == (None, [table])
            room.end_match(MatchEnd(table, (0, 0)))
            room.say_goodbye("every match of this room is played")
        sent = await desk.sent()
        assert ([end.table for end in sent.match_ends], sent.goodbye) == ([table], "")
    desk.line.say_goodbye("the contest is over")
    assert (await desk.sent()).goodbye == "the contest is over"


async def test_a_bot_that_comes_while_a_room_has_the_line_is_there_at_once(absent: Desk) -> None:
    with absent.room() as room:
        assert not room.arrived.is_set()
        absent.line.admit(HELLO)
        assert room.arrived.is_set()
        assert absent.presence == [True]
        absent.line.hang_up()
        assert (room.live, absent.presence) == (False, [True, False])


async def test_a_bot_that_a_room_has_given_up_may_wait_for_the_next_one(absent: Desk) -> None:
    room, later = absent.connection(), absent.connection()
    with absent.line.lent_to(room):
        room.seat(seating(1))
        room.close()
        absent.line.admit(HELLO)
        assert not room.arrived.is_set()
    assert (await absent.sent()).seatings == []
    with absent.line.lent_to(later):
        assert later.arrived.is_set()


async def test_a_room_that_fails_amid_a_match_breaks_the_stream(desk: Desk) -> None:
    with desk.room() as room:
        room.seat(seating(1))
        await desk.sent()
    assert await desk.line.outgoing() is None
    desk.line.hang_up()
    desk.line.admit(HELLO)
    assert (await desk.sent()).seatings == []


async def test_answers_that_no_room_wants_are_ignored_but_a_flood_is_cut_off(desk: Desk) -> None:
    desk.line.receive([PASS] * SPARE_ANSWERS)
    assert desk.line.refusal == ""
    desk.line.receive([])
    assert desk.line.refusal == "tight sent more than 32 unrequested answers"
    desk.line.hang_up()
    desk.line.admit(HELLO)
    assert desk.line.refusal == ""


async def test_each_room_hears_the_answers_of_its_own_time(desk: Desk) -> None:
    with desk.room():
        desk.line.receive([PASS])
    assert desk.heard.strays == [PASS]
    desk.line.receive([PASS])
    assert desk.heard.strays == [PASS]


async def test_the_wire_is_free_for_a_room_once_the_message_of_the_earlier_one_is_written(desk: Desk) -> None:
    await desk.sent()
    room = desk.connection()
    with desk.line.sending(), desk.line.lent_to(room):
        assert not room._free
    with desk.line.lent_to(room):
        assert room._free
    room = desk.connection()
    with ExitStack() as stack:
        with desk.line.sending():
            stack.enter_context(desk.line.lent_to(room))
        assert room._free


async def test_a_revoked_bot_is_told_why(desk: Desk) -> None:
    await desk.sent()
    desk.line.revoke("the token of tight was revoked")
    assert (await desk.sent()).refusal == "the token of tight was revoked"


async def test_a_revoked_bot_that_does_not_read_is_put_out_all_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bourre_referee.server.remote_session._LAST_WORDS_SECONDS", 0.0)
    writing = await desk.start_endless_write()
    desk.line.revoke("the token of tight was revoked")
    with pytest.raises(asyncio.CancelledError):
        await writing


async def test_a_failure_of_the_referee_is_the_room_s_or_else_nobody_s(absent: Desk) -> None:
    error = KeyError("a mistake of ours")
    with pytest.raises(KeyError):
        absent.line.fail(error)
    with absent.room():
        absent.line.fail(error)
    assert absent.heard.failures == [error]


async def test_a_bot_is_told_the_latest_notice_in_a_room_or_between_rooms_and_an_absent_one_none(absent: Desk) -> None:
    absent.line.tell("nobody hears this")
    absent.line.admit(HELLO)
    assert (await absent.sent()).notice == ""
    absent.line.tell("you are 3rd")
    absent.line.tell("you are 2nd")
    sent = await absent.sent()
    assert (sent.notice, sent.asks, sent.welcome) == ("you are 2nd", [], None)
    with absent.room():
        absent.line.tell("you are 3rd")
        assert (await absent.sent()).notice == "you are 3rd"


async def test_each_room_and_the_time_between_rooms_have_an_allowance_of_their_own(desk: Desk) -> None:
    for _ in range(3):
        desk.line.receive([PASS] * SPARE_ANSWERS)
        assert desk.line.refusal == ""
        with desk.room():
            pass


async def test_what_rooms_left_unsent_is_told_in_order_with_the_news_of_the_next_one(desk: Desk) -> None:
    await desk.sent()
    for table in (1, 2):
        with desk.room() as room:
            room.seat(seating(table))
            room.end_match(MatchEnd(table, (0, 0)))
    with desk.room() as room:
        for table in (3, 4):
            room.seat(seating(table))
        room.end_match(MatchEnd(3, (0, 0)))
        sent = await desk.sent()
        room.end_match(MatchEnd(4, (0, 0)))
    assert [each.table for each in sent.seatings] == [1, 2, 3, 4]
    assert [end.table for end in sent.match_ends] == [1, 2, 3]


async def test_the_news_of_a_room_that_gets_the_line_while_another_one_waits_are_sent(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.sent()
    first, later = desk.connection(), desk.connection()
    with ExitStack() as stack:
        lending = stack.enter_context(ExitStack())
        lending.enter_context(desk.line.lent_to(first))

        async def change_rooms() -> Bundle:
            lending.close()
            stack.enter_context(desk.line.lent_to(later))
            later.seat(seating(2))
            return Bundle(seatings=[seating(1)])

        monkeypatch.setattr(first, "outgoing", change_rooms)
        told = [[each.table for each in (await desk.sent()).seatings] for _ in range(2)]
        later.end_match(MatchEnd(2, (0, 0)))
    assert told == [[1], [2]]


async def test_a_stream_that_broke_while_it_was_revoked_or_written_leaves_nothing_to_the_next_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bourre_referee.server.remote_session._LAST_WORDS_SECONDS", 0.0)
    writing = await desk.start_endless_write()
    writing.cancel()
    await asyncio.wait({writing})
    desk.line.revoke("the token of tight was revoked")
    desk.line.hang_up()
    desk.line.admit(HELLO)
    with desk.room() as room:
        assert room._free
    with desk.line.sending():
        for _ in range(5):
            await asyncio.sleep(0)  # the earlier stream's last moment passes
    assert (await desk.sent()).refusal == ""
