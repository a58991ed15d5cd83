"""A stranger who pairs a log again: who was seated otherwise than by state and seed is found."""

from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.ladder.log.events import (
    ChallengeAnswered,
    ChallengeAsked,
    EpochOpened,
    Event,
    LadderError,
    RoomPaired,
)
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.pairing_check import check_pairings
from tests.referee.ladder.ladders import SEED, Ladder, joined, read_log

DATA = Path(__file__).parents[3] / "data"
OLD = DATA / "ladder_of_pairing_1.jsonl"
"""A log of 72 rooms as the first rule of pairing gave them, with challenges, void rooms, versions and pauses."""
LATER = {
    "ladder_of_pairing_2": "a.3:0/0/5/1 b.4:3/3/8/1 d.4:0/0/30/1 f.5:3/3/9/1 g.2:52/52/69/1 tight.5:2/2/11/1 "
    "loose.1:47/47/67/1 c.1:37/37/43/1 e.6:3/3/4/1 h.3:17/17/22/1 i.1:34/34/39/2",
    "ladder_of_pairing_2_with_overdue_bots": "a.1:13/13/60/4 b.2:8/8/65/4 d.2:8/9/64/4 f.2:9/9/64/6 g.1:26/27/66/5 "
    "tight.4:9/9/57/5 loose.3:3/3/66/5 c.3:1/2/65/4 e.3:2/2/65/4 h.2:4/4/62/6 i.1:16/16/64/6",
}
"""Logs with all that may happen to bots and rooms, 12 of them paired by the first rule and 228 or 108 by the second.

To what they come: by version, its games, rooms, turns and opponents.
"""


def played() -> list[Event]:
    """The log of six rooms of seven bots."""
    ladder = Ladder(*joined(*"abcdefg"))
    for _ in range(6):
        ladder.play()
    return ladder.log


def test_an_honest_log_has_no_difference() -> None:
    assert list(check_pairings(played(), {1: SEED})) == []


def test_a_log_of_the_first_rule_is_paired_again_by_it() -> None:
    events = [logged.event for logged in read_log(OLD.read_text().splitlines())]
    assert list(check_pairings(events, {1: bytes(32)})) == []


@pytest.mark.parametrize("name", LATER)
def test_a_log_of_both_rules_is_paired_again_and_comes_to_the_same_state(name: str) -> None:
    lines = (DATA / f"{name}.jsonl").read_text().splitlines()
    state, events = LadderState(), [logged.event for logged in read_log(lines)]
    assert list(check_pairings(events, {1: bytes(32), 2: bytes(32)})) == []
    for event in events:
        state.apply(event)
    bots = {bot: state.lists["fast"].opponents(bot, owners_apart=True) for bot in state.bots.values()}
    found = [f"{bot.name}:{bot.games}/{bot.rooms}/{bot.turns}/{opponents}" for bot, opponents in bots.items()]
    assert [text for text in found if text[0] not in "xyz"] == LATER[name].split()


def test_a_host_that_seats_bots_as_it_likes_is_found() -> None:
    log = played()
    place = next(number for number, event in enumerate(log) if isinstance(event, RoomPaired) and event.room == 6)
    event = log[place]
    assert isinstance(event, RoomPaired)
    log[place] = replace(event, line_up=tuple(reversed(event.line_up)))
    (difference,) = check_pairings(log, {1: SEED})
    assert difference.room == 6
    line_up = ", ".join(event.line_up)
    backwards = ", ".join(reversed(event.line_up))
    assert str(difference) == f"room 6: the log has {backwards} (rated), but its state gives {line_up} (rated)"


def test_a_room_that_could_not_begin_is_found() -> None:
    ladder = Ladder(*joined(*"ab"))
    ladder.note(RoomPaired(1, ("a", "b"), rated=True))
    (difference,) = check_pairings(ladder.log, {1: SEED})
    assert str(difference) == "room 1: the log has a, b (rated), but its state gives no room"


def test_a_challenge_is_nobodys_pairing() -> None:
    asked = ChallengeAsked("owner of a", ("a", "b", "c"))
    ladder = Ladder(*joined(*"abc"), asked, *(ChallengeAnswered(1, f"owner of {bot}", True) for bot in "bc"))
    ladder.note(RoomPaired(1, ("a", "b", "c"), rated=False, asked_by="owner of a"))
    assert list(check_pairings(ladder.log, {1: SEED})) == []


def test_a_challenge_to_which_nobody_agreed_is_found() -> None:
    ladder = Ladder(*joined(*"abc"), ChallengeAsked("owner of a", ("a", "b", "c")))
    log = [*ladder.log, RoomPaired(1, ("a", "b", "c"), rated=False, asked_by="owner of a")]
    with pytest.raises(LadderError, match="room 1 is no challenge that may begin: owner of b, owner of c did"):
        list(check_pairings(log, {1: SEED}))


def test_an_epoch_whose_seed_is_secret_is_left_out() -> None:
    ladder = Ladder(*joined(*"abcdef"))
    ladder.note(EpochOpened(2, "00" * 32, ""), RoomPaired(1, ("a", "b"), rated=True))
    assert list(check_pairings(ladder.log, {1: SEED})) == []


def test_a_seed_that_was_not_committed_to_is_refused() -> None:
    with pytest.raises(LadderError, match="epoch 1: the seed differs"):
        list(check_pairings(played(), {1: bytes(32)}))


def test_a_room_of_strangers_is_refused() -> None:
    log: list[Event] = [*Ladder().log, RoomPaired(1, ("x", "y"), rated=True)]
    with pytest.raises(LadderError, match="no bot called 'x'"):
        list(check_pairings(log, {1: SEED}))
