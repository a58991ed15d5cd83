"""Challenges: unrated rooms that owners ask for, as the log has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bourre_referee.ladder.log.challenges import MOST_CHALLENGES, Challenge
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotJoined,
    BotLeft,
    BotRetired,
    ChallengeAnswered,
    ChallengeAsked,
    ChallengesWelcomed,
    Event,
    LadderError,
    RoomFinished,
    RoomPaired,
)
from tests.referee.ladder.ladders import Ladder, joined

ABC, DEF = ("a", "b", "c"), ("d", "e", "f")
ASKED = ChallengeAsked("owner of a", ABC)
YES = (ChallengeAnswered(1, "owner of b", True), ChallengeAnswered(1, "owner of c", True))
CALLED = RoomPaired(1, ABC, rated=False, asked_by="owner of a")


def asked(*events: Event) -> Ladder:
    """A ladder of three bots, after the owner of `a` has challenged `b` and `c`."""
    return Ladder(*joined(*ABC), ASKED, *events)


def waiting(ladder: Ladder) -> list[tuple[str, ...]]:
    """The line-ups of the challenges that wait."""
    return [challenge.line_up for challenge in ladder.state.challenges]


def can_begin(ladder: Ladder) -> bool:
    """Whether a challenge can begin."""
    return ladder.state.challenges.next(ladder.state.bots, ladder.state.lists.values()) is not None


def test_a_challenge_waits_until_all_its_bots_are_free() -> None:
    assert (waiting(asked()), can_begin(asked(*YES))) == ([ABC], True)
    assert (waiting(asked(BotLeft("b"))), can_begin(asked(*YES, BotLeft("b")))) == ([ABC], False)
    playing = asked(*YES, RoomPaired(1, ABC, rated=True))
    assert (waiting(playing), can_begin(playing)) == ([ABC], False)


def test_a_challenge_that_began_waits_no_more() -> None:
    assert waiting(asked(*YES, ASKED, CALLED)) == [ABC]


def test_each_challenge_has_answers_of_its_own_and_the_first_that_can_begin_does() -> None:
    later = ChallengeAsked("owner of d", DEF)
    ladder = asked(*joined(*DEF), later, *(ChallengeAnswered(2, f"owner of {bot}", True) for bot in "ef"))
    assert not can_begin(ladder), "others wait"
    ladder.note(BotLeft("b"), BotLeft("c"), BotLeft("a"))
    found = ladder.state.challenges.next(ladder.state.bots, ladder.state.lists.values())
    assert found == Challenge(2, "owner of d", DEF, frozenset({"owner of e", "owner of f"}))
    with pytest.raises(LadderError, match="owner of e did not ask for it"):
        ladder.note(RoomPaired(1, DEF, rated=False, asked_by="owner of e"))
    ladder.note(ChallengeAnswered(2, "owner of e", False))
    assert waiting(ladder) == [ABC]


@pytest.mark.parametrize("agreed", [(), YES[:1], (ChallengesWelcomed("owner of c", True),)])
def test_no_challenge_begins_without_the_word_of_every_other_owner(agreed: tuple[Event, ...]) -> None:
    ladder = asked(*agreed)
    assert not can_begin(ladder)
    with pytest.raises(LadderError, match=r"room 1 is no challenge that may begin: .*owner of [bc] did not agree"):
        ladder.note(CALLED)


def test_owners_agree_beforehand_until_they_want_to_be_asked_again() -> None:
    standing = [ChallengesWelcomed(f"owner of {bot}", True) for bot in "bc"]
    assert can_begin(asked(*standing))
    assert not can_begin(asked(*standing, ChallengesWelcomed("owner of b", False)))


@pytest.mark.parametrize("owner", ["owner of b", "owner of a"])
def test_a_challenge_ends_when_it_is_declined_or_taken_back(owner: str) -> None:
    assert waiting(asked(ChallengeAnswered(1, owner, False))) == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ChallengeAnswered(2, "owner of b", True), "no challenge 2 waits"),
        (ChallengeAnswered(1, "owner of d", False), "challenge 1 does not ask owner of d"),
        (ChallengeAnswered(1, "owner of a", True), "challenge 1 does not ask owner of a"),
    ],
)
def test_only_those_who_are_asked_answer(answer: ChallengeAnswered, words: str) -> None:
    with pytest.raises(LadderError, match=words):
        asked(answer)
    with pytest.raises(LadderError, match="does not ask owner of b"):
        asked(YES[0], YES[0])


def test_staff_always_agrees() -> None:
    bots = (*joined("tight", "loose", staff=True), *joined("a"))
    ladder = Ladder(*bots, ChallengeAsked("owner of a", ("a", "tight", "loose")))
    assert can_begin(ladder)
    ladder.note(*joined("b"))
    assert not can_begin(ladder), "another bot waits for its probation room"


def begun(ladder: Ladder, rooms: int) -> int:
    """How many challenges of `a`, `b` and `c` began, each asked for at once again, among so many rooms."""
    found = 0
    for _ in range(rooms):
        if not waiting(ladder):
            number = sum(isinstance(event, ChallengeAsked) for event in ladder.log) + 1
            ladder.note(ASKED, *(replace(answer, challenge=number) for answer in YES))
        room = ladder.state.rooms_paired + 1
        if can_begin(ladder):
            ladder.note(replace(CALLED, room=room), RoomFinished(room, 1, 1_000, (1, 1, 1)))
            found += 1
        else:
            ladder.begin()
            ladder.note(RoomFinished(room, 1, 1_000, (1, 1, 1)))
    return found


def test_challenges_take_one_room_in_ten_while_others_wait() -> None:
    ladder = Ladder(*joined(*"abcdefg"))
    assert begun(ladder, 100) == 10
    ladder.note(ASKED, *(replace(answer, challenge=11) for answer in YES))
    with pytest.raises(LadderError, match="room 101 is no challenge that may begin: others wait, and it was not its"):
        ladder.note(replace(CALLED, room=101))


def test_after_a_challenge_that_lasted_long_more_rooms_are_called() -> None:
    ladder = Ladder(*joined(*"abcdefg"))
    begun(ladder, 9)
    ladder.note(replace(CALLED, room=10), RoomFinished(10, 1, 3_000, (9, 9, 9)))
    assert [begun(ladder, 26), begun(ladder, 2)] == [0, 1]


def test_a_challenge_holds_up_nobody_but_the_next_one() -> None:
    ladder = Ladder(*joined(*"abcdefg"))
    begun(ladder, 9)
    ladder.note(replace(CALLED, room=10), ChallengeAsked("owner of d", DEF))
    ladder.note(*(ChallengeAnswered(2, f"owner of {bot}", True) for bot in "ef"))
    for _ in range(9):
        assert ladder.play().rated
    assert not can_begin(ladder)
    ladder.note(RoomFinished(10, games=1))
    assert can_begin(ladder)
    turns = [bot.turns for bot in ladder.state.bots.values()]
    assert max(turns) - min(turns) <= 2


@pytest.mark.parametrize("event", [BotBenched("b", "too many faults"), BotRetired("c"), BotRetired("a")])
def test_a_challenge_ends_with_a_bot_that_cannot_play_any_more(event: Event) -> None:
    assert waiting(asked(*joined(*DEF), ChallengeAsked("owner of d", DEF), event)) == [DEF]


def test_an_owner_has_few_challenges_waiting() -> None:
    ladder = asked(*[ASKED] * (MOST_CHALLENGES - 1), *joined("d"))
    with pytest.raises(LadderError, match="owner of a has 2 challenges waiting, which is the most"):
        ladder.note(ASKED)
    ladder.note(ChallengeAsked("owner of d", ("a", "b", "d")))
    assert len(waiting(ladder)) == MOST_CHALLENGES + 1


@pytest.mark.parametrize(
    ("line_up", "words"),
    [
        (("a", "b"), "names 3 different bots"),
        (("a", "b", "b"), "names 3 different bots"),
        (("a", "b", "x"), "no bot called 'x'"),
        (("a", "b", "gone"), "no bot called 'gone'"),
        (("b", "c", "d"), "none of the bots belongs to owner of a"),
        (("a", "b", "slow"), "different clock classes"),
        (("a", "b", "late"), "late is suspended"),
    ],
)
def test_a_challenge_that_makes_no_sense_cannot_have_been_asked_for(line_up: tuple[str, ...], words: str) -> None:
    others = (BotJoined("slow", 1, "1", "Sue", "slow"), BotJoined("late", 1, "1", "Lou", "fast"))
    ladder = Ladder(*joined("a", "b", "c", "d", "gone"), *others, BotBenched("late", "faults"), BotRetired("gone"))
    with pytest.raises(LadderError, match=words):
        ladder.note(ChallengeAsked("owner of a", line_up))
    assert waiting(ladder) == []
