"""The log in words: one line for each event, whatever its text holds."""

import pytest

from bourre_referee.ladder.log.event_log import Logged, log_line
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotBenched,
    BotJoined,
    Event,
    LadderFrozen,
    RoomFinished,
    RoomPaired,
)

AT = "2026-11-23T04:30:00Z"


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
