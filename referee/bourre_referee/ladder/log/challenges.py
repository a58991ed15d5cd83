"""Unrated rooms that owners have asked for, until their bots are called to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import (
    ChallengeAnswered,
    ChallengeAsked,
    ChallengeEvent,
    ChallengesWelcomed,
    LadderError,
    RoomPaired,
)
from bourre_referee.ladder.log.waiting_list import WaitingList

MOST_CHALLENGES = 2
"""The most challenges of one owner that may wait; each of them occupies the bots of others."""

ROOMS_BETWEEN = 9
"""While others wait, so many other rooms are called after each challenge, and more if it lasted longer than they do."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that waits for its bots, or for the word of their owners."""

    number: int
    owner: str
    line_up: tuple[str, ...]
    """The bots by seat."""
    accepted: frozenset[str] = frozenset()
    """The other owners that agreed."""


class Challenges:
    """All challenges that wait, in the order in which they were asked for, and whether it is the turn of one."""

    def __init__(self) -> None:
        self.welcoming: set[str] = set()
        """The owners that agree to all challenges."""
        self._waiting: list[Challenge] = []
        self._asked = 0
        self._playing = 0
        self._since = 0
        """How many other rooms were called since the last challenge."""
        self._between = ROOMS_BETWEEN

    def __iter__(self) -> Iterator[Challenge]:
        return iter(self._waiting)

    def of(self, owner: str) -> list[Challenge]:
        """Returns those of an owner."""
        return [challenge for challenge in self if challenge.owner == owner]

    def unanswered(self, challenge: Challenge, bots: Mapping[str, LadderEntrant]) -> list[str]:
        """Returns the owners whose word is missing; `bots` are the latest versions by bot. Staff always agrees."""
        owners = dict.fromkeys(bots[bot].joined.owner for bot in challenge.line_up if not bots[bot].joined.staff)
        return [owner for owner in owners if owner not in self.welcoming | challenge.accepted | {challenge.owner}]

    def next(self, bots: Mapping[str, LadderEntrant], lists: Collection[WaitingList]) -> Challenge | None:
        """Returns the first one whose bots are all active and in no room, if all agreed and it is its turn."""
        for challenge in self:
            are_free = all(bots[bot].is_active and bots[bot].room is None for bot in challenge.line_up)
            if are_free and not self.room_problem(challenge.owner, challenge.line_up, bots, lists):
                return challenge
        return None

    def take(self, event: ChallengeEvent, bots: Mapping[str, LadderEntrant], seats: int) -> None:
        """Takes in what an owner said, at a ladder with so many seats; raises LadderError if it cannot be."""
        match event:
            case ChallengeAsked():
                if problem := challenge_problem(event.owner, event.line_up, bots, seats) or self.excess(event.owner):
                    raise LadderError(problem)
                self._asked += 1
                self._waiting.append(Challenge(self._asked, event.owner, event.line_up))
            case ChallengeAnswered():
                self._answer(event, bots)
            case ChallengesWelcomed():
                (self.welcoming.add if event.welcome else self.welcoming.discard)(event.owner)

    def _answer(self, event: ChallengeAnswered, bots: Mapping[str, LadderEntrant]) -> None:
        if problem := self.answer_problem(event, bots):
            raise LadderError(problem)
        place = [challenge.number for challenge in self].index(event.challenge)
        if event.accepted:
            challenge = self._waiting[place]
            self._waiting[place] = replace(challenge, accepted=challenge.accepted | {event.owner})
        else:
            del self._waiting[place]

    def answer_problem(self, event: ChallengeAnswered, bots: Mapping[str, LadderEntrant]) -> str:
        """Says why an owner cannot give this answer; empty if it can."""
        challenge = next((each for each in self if each.number == event.challenge), None)
        if challenge is None:
            return f"no challenge {event.challenge} waits"
        asked = self.unanswered(challenge, bots)
        owners = {bots[bot].joined.owner for bot in challenge.line_up}
        if event.owner not in (asked if event.accepted else owners):
            return f"challenge {event.challenge} does not ask {event.owner}"
        return ""

    def excess(self, owner: str) -> str:
        """Says why an owner may not ask for one more challenge now; empty if it may."""
        own = len(self.of(owner))
        return f"{owner} has {own} challenges waiting, which is the most" if own >= MOST_CHALLENGES else ""

    def called_problem(self, room: RoomPaired, bots: Mapping[str, LadderEntrant], lists: Iterable[WaitingList]) -> str:
        """Says why this room cannot have been called as a challenge; empty if it can, or is none."""
        return self.room_problem(room.asked_by, room.line_up, bots, lists) if room.asked_by else ""

    def room_problem(
        self, owner: str, line_up: Sequence[str], bots: Mapping[str, LadderEntrant], lists: Iterable[WaitingList]
    ) -> str:
        """Says why no room with this challenge may begin; empty if it may."""
        found = self._find(owner, line_up)
        if found is None:
            return f"{owner} did not ask for it"
        if missing := self.unanswered(found, bots):
            return f"{', '.join(missing)} did not agree"
        return "" if self._may_begin(line_up, lists) else "others wait, and it was not its turn"

    def call(self, owner: str, line_up: Sequence[str]) -> None:
        """Notes the next room; `owner` asked for it, and is empty if the ladder paired it."""
        if not owner:
            self._since += 1
            return
        self._playing, self._since, self._between = self._playing + 1, 0, ROOMS_BETWEEN
        if begun := self._find(owner, line_up):
            self._waiting.remove(begun)

    def end(self, rooms: int) -> None:
        """Notes the end of a challenge that lasted as long as so many usual rooms."""
        self._playing, self._between = self._playing - 1, ROOMS_BETWEEN * rooms

    def drop(self, bot: str) -> None:
        """Removes those with this bot, which was benched or has retired."""
        self._waiting = [challenge for challenge in self if bot not in challenge.line_up]

    def _find(self, owner: str, line_up: Sequence[str]) -> Challenge | None:
        return next((each for each in self if (each.owner, each.line_up) == (owner, tuple(line_up))), None)

    def _may_begin(self, line_up: Sequence[str], lists: Iterable[WaitingList]) -> bool:
        """Whether nobody else waits, or it is the turn of a challenge."""
        if not any(bot not in line_up for waiting in lists for bot in waiting.all_waiting()):
            return True
        return not self._playing and self._since >= self._between


def challenge_problem(owner: str, line_up: Sequence[str], bots: Mapping[str, LadderEntrant], seats: int) -> str:
    """Says why these bots cannot be challenged by this owner; empty if they can."""
    if not len(set(line_up)) == len(line_up) == seats:
        return f"a challenge names {seats} different bots"
    for bot in line_up:
        if bot not in bots or bots[bot].retired:
            return f"no bot called {bot!r} is on this ladder"
        if bots[bot].benched is not None:
            return f"{bot} is benched"
    if all(bots[bot].joined.owner != owner for bot in line_up):
        return f"none of the bots belongs to {owner}"
    if len({bots[bot].joined.clock_class for bot in line_up}) > 1:
        return "the bots play in different clock classes"
    return ""
