"""Challenges: unrated rooms that owners ask for, as the log has them."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from bourre_referee.ladder.log.challenges import MOST_CHALLENGES
from bourre_referee.ladder.log.event_log import LogWriter
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotJoined,
    BotLeft,
    BotRetired,
    ChallengeAsked,
    Event,
    LadderError,
    RoomPaired,
)
from tests.referee.ladder.ladders import Ladder, joined, read_log

ABC = ("a", "b", "c")
ASKED = ChallengeAsked("owner of a", ABC)


def asked(*events: Event) -> Ladder:
    """A ladder of four bots, after the owner of `a` has challenged `b` and `c`."""
    return Ladder(*joined("a", "b", "c", "d"), ASKED, *events)


def waiting(ladder: Ladder) -> list[tuple[str, ...]]:
    """The line-ups of the challenges that wait."""
    return [challenge.line_up for challenge in ladder.state.challenges]


def ready(ladder: Ladder) -> list[tuple[str, ...]]:
    """The line-ups of those that can begin."""
    return [challenge.line_up for challenge in ladder.state.challenges.ready(ladder.state.bots)]


def test_a_challenge_waits_until_all_its_bots_are_free() -> None:
    assert (waiting(asked()), ready(asked())) == ([ABC], [ABC])
    assert (waiting(asked(BotLeft("b"))), ready(asked(BotLeft("b")))) == ([ABC], [])
    playing = asked(RoomPaired(1, ("b", "c", "d"), rated=True))
    assert (waiting(playing), ready(playing)) == ([ABC], [])


def test_a_challenge_that_began_waits_no_more() -> None:
    assert waiting(asked(ASKED, RoomPaired(1, ABC, rated=False, asked_by="owner of a"))) == [ABC]
    assert waiting(asked(RoomPaired(1, ABC, rated=False, asked_by="owner of d"))) == [ABC]


@pytest.mark.parametrize("event", [BotBenched("b", "too many faults"), BotRetired("c"), BotRetired("a")])
def test_a_challenge_ends_with_a_bot_that_cannot_play_any_more(event: Event) -> None:
    assert waiting(asked(event)) == []


def test_an_owner_has_few_challenges_waiting() -> None:
    ladder = asked(*[ASKED] * (MOST_CHALLENGES - 1))
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
        (("b", "c", "d"), "none of the bots belongs to owner of a"),
        (("a", "b", "slow"), "different clock classes"),
        (("a", "b", "late"), "late is benched"),
    ],
)
def test_a_challenge_that_makes_no_sense_cannot_have_been_asked_for(line_up: tuple[str, ...], words: str) -> None:
    others = (BotJoined("slow", 1, "1", "Sue", "slow"), BotJoined("late", 1, "1", "Lou", "fast"))
    ladder = Ladder(*joined("a", "b", "c", "d"), *others, BotBenched("late", "faults"))
    with pytest.raises(LadderError, match=words):
        ladder.note(ChallengeAsked("owner of a", line_up))
    assert waiting(ladder) == []


def test_a_log_has_challenges() -> None:
    line = LogWriter().line(ASKED, "2026-11-23T04:30:00Z")
    assert '"challenge_asked":{"owner":"owner of a","line_up":["a","b","c"]}' in line
    (logged,) = read_log([line])
    assert asdict(logged.event) == asdict(ASKED)
