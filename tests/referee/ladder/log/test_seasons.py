"""Seasons and epochs: which rooms they hold, and where the match of each room is found."""

import pytest

from bourre_referee.ladder.log.events import (
    EpochClosed,
    EpochOpened,
    Event,
    LadderError,
    LastBoardKept,
    MatchVoided,
    RoomFinished,
    RoomPaired,
    SeasonOpened,
)
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.log.waiting_list import LAST, RoomLengths
from tests.referee.ladder.ladders import Ladder, joined


def played(*rated: bool, first: int = 1) -> list[Event]:
    """Rooms of these bots, one after another."""
    rooms = enumerate(rated, start=first)
    pairs = [(RoomPaired(room, ("a", "b"), rated=each), RoomFinished(room, games=1)) for room, each in rooms]
    return [event for pair in pairs for event in pair]


def two_epochs() -> Ladder:
    """Rooms 1 to 5, of which 2 and 4 are unrated, then epoch 2 with rooms 6 and 7, of which 6 is unrated."""
    first = played(True, False, True, False, True)
    return Ladder(*joined("a", "b"), *first, EpochOpened(2, "22", "33"), *played(False, True, first=6))


def test_rooms_are_numbered_by_epoch_rated_ones_and_others_apart() -> None:
    places = [two_epochs().state.seasons.place_of(room) for room in range(9)]
    assert places == [
        None,
        Place(1, rated=True, match=1),
        Place(1, rated=False, match=1),
        Place(1, rated=True, match=2),
        Place(1, rated=False, match=2),
        Place(1, rated=True, match=3),
        Place(2, rated=False, match=1),
        Place(2, rated=True, match=1),
        None,
    ]


def test_an_open_epoch_has_the_line_ups_that_its_run_folders_list() -> None:
    ladder = two_epochs()
    first, second = ladder.state.seasons.epochs
    assert (first.rated, first.unrated) == ([("a.1", "b.1")] * 3, [("a.1", "b.1")] * 2)
    assert (second.number, second.rooms) == (2, 2)
    ladder.note(EpochClosed(1, "digest", ""))
    assert (first.rated, first.unrated, first.rooms) == ([], [], 5)
    assert ladder.state.seasons.place_of(5) == Place(1, rated=True, match=3)


def test_an_open_room_knows_its_place() -> None:
    ladder = two_epochs()
    ladder.note(RoomPaired(8, ("b", "a"), rated=True))
    assert ladder.state.rooms[8].place == Place(2, rated=True, match=2)


def test_an_epoch_closes_once_and_no_room_is_paired_when_none_is_open() -> None:
    ladder = Ladder(*joined("a", "b"), EpochClosed(1, "", ""))
    assert ladder.state.seasons.current is None
    with pytest.raises(LadderError, match="epoch 1 is not open"):
        ladder.note(EpochClosed(1, "", ""))
    with pytest.raises(LadderError, match="no epoch was open for room 1"):
        ladder.note(RoomPaired(1, ("a", "b"), rated=True))


def test_an_epoch_belongs_to_the_season_in_which_it_opened() -> None:
    ladder = Ladder(SeasonOpened(1), EpochOpened(2, "", ""), SeasonOpened(2), EpochOpened(3, "", ""))
    assert [epoch.season for epoch in ladder.state.seasons.epochs] == [0, 1, 2]
    assert ladder.state.seasons.last == 2


def test_the_last_boards_of_a_season_that_is_over_are_kept_in_order() -> None:
    ladder = Ladder(SeasonOpened(1), SeasonOpened(2), LastBoardKept(1, "aa"), LastBoardKept(1, "bb"))
    assert ladder.state.seasons.last_boards == {1: ("aa", "bb")}
    for season in (0, 2):
        with pytest.raises(LadderError, match=f"season {season} is not over"):
            ladder.note(LastBoardKept(season, "cc"))


def test_a_match_is_taken_back_once_and_its_bots_keep_their_turns() -> None:
    ladder = two_epochs()
    ladder.note(MatchVoided(1, 3, "a worker was overloaded"))
    assert ladder.state.seasons.voided == {3: "a worker was overloaded"}
    assert [bot.turns for bot in ladder.state.bots.values()] == [4, 4]
    with pytest.raises(LadderError, match="the match of room 3 is void already"):
        ladder.note(MatchVoided(1, 3, "again"))
    with pytest.raises(LadderError, match="room 7 was paired in epoch 2, not 1"):
        ladder.note(MatchVoided(1, 7, "the wrong epoch"))


def lengths_of(*lengths: int) -> RoomLengths:
    """The lengths of these rooms, in milliseconds."""
    found = RoomLengths()
    for length in lengths:
        found.add(length)
    return found


def test_nothing_is_long_while_no_length_is_known() -> None:
    unknown = lengths_of(0, 0)
    assert (unknown.usual_ms, unknown.has_overlong, unknown.is_overlong(10**9)) == (0, False, False)
    assert (unknown.rooms(10**9), unknown.turns(10**9, 5)) == (1, 1)


def test_the_usual_length_is_the_lower_median_of_the_last_rooms() -> None:
    assert lengths_of(3_000, 0, 900).usual_ms == 900
    assert lengths_of(3_000, 900, 1_000).usual_ms == 1_000
    assert [lengths_of(*[9] * LAST, *[50] * slow).usual_ms for slow in (100, 101)] == [9, 50]


def test_a_room_is_overlong_after_three_usual_ones_while_it_is_among_the_last() -> None:
    usual = lengths_of(900, 900, 2_700)
    assert (usual.has_overlong, usual.is_overlong(2_700), usual.is_overlong(2_701)) == (False, False, True)
    usual.add(2_701)
    assert usual.has_overlong
    assert not lengths_of(2_701, *[900] * LAST).has_overlong


def test_a_bot_is_charged_two_turns_for_each_share_of_a_room_beyond_two() -> None:
    usual = lengths_of(900)
    assert [usual.rooms(took) for took in (0, 900, 901, 1_801)] == [1, 1, 2, 3]
    assert [usual.turns(thought, 3) for thought in (0, 300, 899, 900, 1_199, 1_200)] == [1, 1, 1, 3, 3, 5]
