"""Which rooms may begin at the door: a bot sits in one at a time, and nobody waits for a room that waits."""

from __future__ import annotations

from pathlib import Path

from bourre_referee.model.spec import Clock, Entry, RoomSpec
from bourre_referee.runner.door_rooms import choose
from bourre_referee.runner.room_task import RoomTask


def task(room: str) -> RoomTask:
    """A room of these bots; those in capitals are started on this machine."""
    entries = tuple(Entry(bot, ("run", bot) if bot.isupper() else None, Path()) for bot in room)
    return RoomTask(RoomSpec(room, entries, (), 1, Clock(), 10, Path()))


def chosen(waiting: str, playing: str = "", here: str = "abcdef", free: int = 9, spare: int = 9) -> str:
    """The rooms that begin, each word a room."""
    rooms = choose(map(task, waiting.split()), map(task, playing.split()), here, free, spare)
    return " ".join(each.room.room for each in rooms)


def test_a_bot_sits_in_one_room_at_a_time() -> None:
    assert chosen("ab cd ac ef") == "ab cd ef"
    assert chosen("ab cd ef", playing="bx") == "cd ef"


def test_the_same_bot_of_this_machine_may_sit_in_several() -> None:
    assert chosen("aX bX") == "aX bX"


def test_rooms_whose_bots_are_here_come_first() -> None:
    assert chosen("ab ac de", here="acde") == "ac de"
    assert chosen("ab cd", here="cd") == "cd ab"


def test_rooms_of_remote_bots_alone_take_no_job() -> None:
    assert chosen("ab cd", free=0, spare=0) == "ab cd"


def test_a_mixed_room_takes_a_free_job_and_one_that_has_to_wait_only_a_spare_one() -> None:
    assert chosen("aX bX cX", free=2, spare=0) == "aX bX"
    assert chosen("aX bX", here="b", free=2, spare=0) == "bX"
    assert chosen("aX bX", here="b", free=2, spare=2) == "bX aX"
    assert chosen("aX bX", here="b", free=1, spare=1) == "bX"
