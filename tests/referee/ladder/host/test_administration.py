"""What hosts and owners do: each act is logged, and what makes no sense is refused."""

from pathlib import Path

import pytest

from bourre_referee.ladder.host.administration import Administration
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_status import BotStatus, LadderStatus, read_status
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotBenched,
    BotEvent,
    BotJoined,
    BotPaused,
    BotReinstated,
    BotResumed,
    BotRetired,
    EpochOpened,
    LadderFrozen,
    LadderThawed,
    MatchVoided,
    RoomFinished,
    RoomPaired,
    SeasonOpened,
)
from bourre_referee.ladder.matchmaking.waiting_reasons import QueueStatus
from bourre_referee.model.errors import ContestError
from tests.referee.ladder.host.ladder_folders import FILE, append, make_ladder


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    """A ladder of three bots; room 1 has ended, room 2 is being played."""
    ladder = make_ladder(tmp_path, FILE)
    for bot in "abc":
        add_remote(ladder, Newcomer(bot))
    append(ladder, EpochOpened(1, "", ""), *map(BotArrived, "abc"))
    append(ladder, RoomPaired(1, ("a", "b", "c"), rated=True), RoomFinished(1, 1))
    append(ladder, RoomPaired(2, ("c", "b", "a"), rated=True))
    return ladder


def test_the_status_says_how_the_ladder_stands_and_where_each_bot_is(ladder: LadderFolder) -> None:
    Administration(ladder).freeze(frozen=True)
    append(ladder, SeasonOpened(2), BotJoined("b", 2, "blue", "Bo", "default", command=("python", "b.py")))
    log = ladder.open_log()
    log.read()
    away = QueueStatus("it is in room 2")
    assert read_status(ladder) == LadderStatus(
        name="class",
        served=False,
        season=2,
        epoch=1,
        frozen=True,
        playing=1,
        rooms=2,
        events=log.events,
        head=log.head,
        bots=(
            BotStatus("a.1", "1", "a", "remote", 1, away),
            BotStatus("b.2", "blue", "Bo", "hosted", 0, away),
            BotStatus("c.1", "1", "c", "remote", 1, away),
        ),
    )


def test_every_act_is_an_event_of_the_log(ladder: LadderFolder) -> None:
    host, log = Administration(ladder), ladder.open_log()
    log.read_new()
    acts: list[BotEvent] = [BotPaused("a"), BotResumed("a"), BotBenched("a", "slow"), BotReinstated("a")]
    for act in (*acts, BotRetired("b")):
        host.change(act)
    host.freeze(frozen=True)
    host.freeze(frozen=False)
    assert host.open_season() == 2
    voided = host.void(1, "a worker was overloaded")
    assert voided == MatchVoided(1, 1, "a worker was overloaded")
    later = [LadderFrozen(), LadderThawed(), SeasonOpened(2), voided]
    assert [logged.event for logged in log.read_new()] == [*acts, BotRetired("b"), *later]


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (BotPaused("zorro"), "Unknown bot 'zorro'."),
        (BotReinstated("a"), "a is not suspended"),
        (BotBenched("a", " "), "the reason must be one line of printable text"),
        (BotBenched("a", "one\ntwo"), "the reason must be"),
    ],
)
def test_an_act_that_makes_no_sense_is_refused(ladder: LadderFolder, event: BotEvent, message: str) -> None:
    before = ladder.log.read_bytes()
    with pytest.raises(ContestError, match=message):
        Administration(ladder).change(event)
    assert ladder.log.read_bytes() == before


def test_a_retired_bot_is_changed_no_more(ladder: LadderFolder) -> None:
    host = Administration(ladder)
    host.change(BotRetired("a"))
    with pytest.raises(ContestError, match="a has retired: only the host can take it in again"):
        host.change(BotPaused("a"))


def test_the_final_rounds_begin_once(ladder: LadderFolder) -> None:
    host = Administration(ladder)
    with pytest.raises(ContestError, match="the ladder is not frozen"):
        host.freeze(frozen=False)
    host.freeze(frozen=True)
    with pytest.raises(ContestError, match="frozen already"):
        host.freeze(frozen=True)


@pytest.mark.parametrize(
    ("room", "message"),
    [(3, "Unknown room 3. The last one is 2."), (0, "Unknown room 0."), (2, "Room 2 is being played.")],
)
def test_only_a_match_that_ended_is_taken_back(ladder: LadderFolder, room: int, message: str) -> None:
    with pytest.raises(ContestError, match=message):
        Administration(ladder).void(room, "why not")


def test_a_match_is_taken_back_once(ladder: LadderFolder) -> None:
    host = Administration(ladder)
    host.void(1, "a worker was overloaded")
    with pytest.raises(ContestError, match="the match of room 1 is void already: a worker was overloaded"):
        host.void(1, "again")


def test_a_retired_bot_may_be_retired_while_it_plays(ladder: LadderFolder) -> None:
    Administration(ladder).change(BotRetired("c"))
    append(ladder, RoomFinished(2, 1))
