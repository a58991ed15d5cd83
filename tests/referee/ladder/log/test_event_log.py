"""The log of a ladder: what is written is read back, and every change is found where it is."""

import json
from datetime import datetime
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.ladder.log.event_log import FIRST_LINK, Logged, LogWriter, event_name, link_of, log_line
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotBenched,
    BotJoined,
    BotLeft,
    Event,
    LadderError,
    LadderFrozen,
    LadderOpened,
    RoomFinished,
    RoomPaired,
)
from bourre_referee.ladder.log.ladder_names import BotName, Declared
from tests.referee.ladder.ladders import read_log

AT = "2026-11-23T04:30:00Z"
TIMES = st.datetimes(datetime(2000, 1, 1)).map(lambda time: f"{time:%Y-%m-%dT%H:%M:%SZ}")
NAMES = st.text("aZ0_-", min_size=1, max_size=24)
OF_TYPES = {BotName: NAMES, Declared: st.text("aé9.", max_size=64), tuple[BotName, ...]: st.lists(NAMES).map(tuple)}


def events_of(kind: type) -> st.SearchStrategy[Any]:
    """Events of a kind, in which names are names."""
    found = {
        name: OF_TYPES[hint] for name, hint in get_type_hints(kind, include_extras=True).items() if hint in OF_TYPES
    }
    return st.builds(kind, **found)


LOGS = st.lists(st.builds(Logged, TIMES, st.one_of([*map(events_of, get_args(Event))])), max_size=8)
OPENED, JOINED = (
    LadderOpened(5, owners_apart=True),
    BotJoined("renard", 2, "2.0", "Zoë", "fast", files=(("bot.py", "ab"),)),
)


def written(*events: Event) -> list[str]:
    """The lines of a log of these events."""
    writer = LogWriter()
    return [writer.line(event, AT) for event in events]


@given(LOGS)
def test_every_event_is_read_back(log: list[Logged]) -> None:
    writer = LogWriter()
    lines = [writer.line(logged.event, logged.at) + "\n" for logged in log]
    assert read_log(lines) == log


def test_a_line_is_readable_and_bears_the_hash_of_the_one_before() -> None:
    first, second = written(OPENED, JOINED)
    assert first == f'{{"previous":"{FIRST_LINK}","at":"{AT}","ladder_opened":{{"seats":5,"owners_apart":true}}}}'
    assert json.loads(second)["previous"] == link_of(first)


def test_what_a_later_version_added_is_written_only_if_it_says_something() -> None:
    old, new = written(RoomFinished(7, games=1), RoomFinished(8, games=1, took_ms=900, thought_ms=(3, 40)))
    assert old.endswith('"room_finished":{"room":7,"games":1}}')
    assert new.endswith('"room_finished":{"room":8,"games":1,"took_ms":900,"thought_ms":[3,40]}}')
    with pytest.raises(LadderError, match="line 1 is not written as a ladder writes it"):
        read_log([old.replace('"games":1', '"games":1,"took_ms":0')])


def test_a_log_goes_on_from_its_head() -> None:
    writer = LogWriter()
    first = writer.line(OPENED, AT)
    assert LogWriter(writer.head).line(JOINED, AT) == written(OPENED, JOINED)[1]
    assert writer.head == link_of(first)


def test_names_of_events_differ() -> None:
    assert event_name(RoomPaired) == "room_paired"
    assert len({event_name(kind) for kind in get_args(Event)}) == len(get_args(Event))


LOG = written(OPENED, JOINED, BotLeft("renard"), BotLeft("owl"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([LOG[0], LOG[1].replace("Zo", "Jo"), *LOG[2:]], "line 3 does not follow the line before it"),
        ([LOG[0], LOG[2]], "line 2 does not follow"),
        ([LOG[1]], "line 1 does not follow"),
        ([LOG[0], LOG[2], LOG[1]], "line 2 does not follow"),
        ([LOG[0].replace(":5", ": 5"), *LOG[1:]], "line 1 is not written as a ladder writes it"),
        ([LOG[0].replace("5,", '5,"tables":3,'), *LOG[1:]], "line 1: ladder_opened has 'tables', which this"),
        ([LOG[0].replace("5,", '"5",')], "line 1 is not written as"),
        ([LOG[0].replace("true", "1")], "line 1 is not written as"),
        ([LOG[0].replace("5,", '"V",')], r"line 1: ladder_opened\.seats: Input should be a valid integer"),
        ([LOG[0].replace("-23T", "-23 ")], "line 1 is no event of a ladder"),
        ([LOG[0].replace('"at"', '"on"')], "line 1 is no event of a ladder"),
        ([LOG[1].replace("renard", "re.nard")], r"line 1: bot_joined\.bot: write 1 to 24 of the characters"),
        ([LOG[1].replace("2.0", "2.0 ")], r"line 1: bot_joined\.version: write at most 64 printable characters"),
        ([LOG[0].replace('"seats":5,', "")], r"line 1: ladder_opened\.seats: Field required"),
        (
            [LOG[0].replace("ladder_opened", "ladder_closed")],
            "line 1 has an event ladder_closed, which this",
        ),
        (["[]"], "line 1 is no event"),
        (["{}"], "line 1 is no event"),
        (["cards"], "line 1 is no event"),
        (["[" * 100_000], "line 1 is no event"),
        ([" " * 1_000_001], "line 1 has 1,000,001 characters"),
    ],
)
def test_a_changed_log_is_refused_and_the_line_named(lines: list[str], message: str) -> None:
    with pytest.raises(LadderError, match=message):
        read_log(lines)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (LadderFrozen(), "ladder frozen"),
        (RoomPaired(7, ("ada", "bob"), rated=True), "room paired: room 7, line up ada bob, rated"),
        (RoomFinished(7, 1, 900, (3, 40)), "room finished: room 7, games 1, took ms 900, thought ms 3 40"),
        (BoardUpdated("default", (("a", "b"), ("b", "c"))), "board updated: clock class default, undecided a:b b:c"),
        (BotBenched("ada", "\x1b[31m\n"), r"bot benched: bot ada, reason \x1b[31m\n"),
        (
            BotJoined("ada", 1, "β", "Ann", "default", command=("python", "ada.py"), files=(("ada.py", "00"),)),
            "bot joined: bot ada, number 1, version β, owner Ann, clock class default, command python ada.py, "
            "files ada.py:00",
        ),
    ],
)
def test_an_event_takes_one_line(event: Event, words: str) -> None:
    assert log_line(Logged(AT, event)) == f"{AT} {words}"
