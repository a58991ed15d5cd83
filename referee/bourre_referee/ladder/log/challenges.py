"""Unrated rooms that owners have requested, until they begin."""

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
"""The most waiting challenges of one owner, because each occupies other owners' bots."""

ROOMS_BETWEEN = 9
"""While others wait, this many other rooms follow each challenge, and more if the challenge lasted longer."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that waits for its bots, or for the consent of their owners."""

    number: int
    owner: str
    line_up: tuple[str, ...]
    """The bots by seat."""
    accepted: frozenset[str] = frozenset()
    """The other owners that agreed."""


class Challenges:
    """All waiting challenges in the order of their requests, and whether it is the turn of one."""

    def __init__(self) -> None:
        self.welcoming: set[str] = set()
        """The owners that accept all challenges."""
        self._waiting: list[Challenge] = []
        self._asked = 0
        self._playing = 0
        self._since = 0
        """The number of other rooms since the last challenge."""
        self._between = ROOMS_BETWEEN

    def __iter__(self) -> Iterator[Challenge]:
        return iter(self._waiting)

    def of(self, owner: str) -> list[Challenge]:
        """Returns the challenges of an owner."""
        return [challenge for challenge in self if challenge.owner == owner]

    def unanswered(self, challenge: Challenge, bots: Mapping[str, LadderEntrant]) -> list[str]:
        """Returns the owners who have not answered. `bots` are the latest versions by bot. Staff always accepts."""
        owners = dict.fromkeys(bots[bot].joined.owner for bot in challenge.line_up if not bots[bot].joined.staff)
        return [owner for owner in owners if owner not in self.welcoming | challenge.accepted | {challenge.owner}]

    def next(self, bots: Mapping[str, LadderEntrant], lists: Collection[WaitingList]) -> Challenge | None:
        """Returns the first accepted challenge whose bots are all active and free, if it is its turn."""
        for challenge in self:
            are_free = all(bots[bot].is_active and bots[bot].room is None for bot in challenge.line_up)
            if are_free and not self.room_problem(challenge.owner, challenge.line_up, bots, lists):
                return challenge
        return None

    def take(self, event: ChallengeEvent, bots: Mapping[str, LadderEntrant], seats: int) -> None:
        """Applies an event, on a ladder with this many seats. Raises LadderError if it is impossible."""
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
        """Returns why an owner cannot give this answer; empty if it can."""
        challenge = next((each for each in self if each.number == event.challenge), None)
        if challenge is None:
            return f"no challenge {event.challenge} waits"
        asked = self.unanswered(challenge, bots)
        owners = {bots[bot].joined.owner for bot in challenge.line_up}
        if event.owner not in (asked if event.accepted else owners):
            return f"challenge {event.challenge} does not ask {event.owner}"
        return ""

    def excess(self, owner: str) -> str:
        """Returns why an owner may not request one more challenge now; empty if it may."""
        own = len(self.of(owner))
        return f"{owner} has {own} challenges waiting, which is the most" if own >= MOST_CHALLENGES else ""

    def called_problem(self, room: RoomPaired, bots: Mapping[str, LadderEntrant], lists: Iterable[WaitingList]) -> str:
        """Returns why this room cannot be a challenge; empty if it can, or is none."""
        return self.room_problem(room.asked_by, room.line_up, bots, lists) if room.asked_by else ""

    def room_problem(
        self, owner: str, line_up: Sequence[str], bots: Mapping[str, LadderEntrant], lists: Iterable[WaitingList]
    ) -> str:
        """Returns why no room with this challenge may begin; empty if it may."""
        found = self._find(owner, line_up)
        if found is None:
            return f"{owner} did not ask for it"
        if missing := self.unanswered(found, bots):
            return f"{', '.join(missing)} did not agree"
        return "" if self._may_begin(line_up, lists) else "others wait, and it was not its turn"

    def call(self, owner: str, line_up: Sequence[str]) -> None:
        """Counts the next room. `owner` requested it, and is empty if the ladder paired it."""
        if not owner:
            self._since += 1
            return
        self._playing, self._since, self._between = self._playing + 1, 0, ROOMS_BETWEEN
        if begun := self._find(owner, line_up):
            self._waiting.remove(begun)

    def end(self, rooms: int) -> None:
        """Counts the end of a challenge that lasted as long as this many usual rooms."""
        self._playing, self._between = self._playing - 1, ROOMS_BETWEEN * rooms

    def drop(self, bot: str) -> None:
        """Removes the challenges with this bot, which was suspended or has retired."""
        self._waiting = [challenge for challenge in self if bot not in challenge.line_up]

    def _find(self, owner: str, line_up: Sequence[str]) -> Challenge | None:
        return next((each for each in self if (each.owner, each.line_up) == (owner, tuple(line_up))), None)

    def _may_begin(self, line_up: Sequence[str], lists: Iterable[WaitingList]) -> bool:
        """Whether no other bot waits, or it is the turn of a challenge."""
        if not any(bot not in line_up for waiting in lists for bot in waiting.all_waiting()):
            return True
        return not self._playing and self._since >= self._between


def challenge_problem(owner: str, line_up: Sequence[str], bots: Mapping[str, LadderEntrant], seats: int) -> str:
    """Returns why this owner cannot challenge these bots; empty if it can."""
    if not len(set(line_up)) == len(line_up) == seats:
        return f"a challenge names {seats} different bots"
    for bot in line_up:
        if bot not in bots or bots[bot].retired:
            return f"no bot called {bot!r} is on this ladder"
        if bots[bot].benched is not None:
            return f"{bot} is suspended"
    if all(bots[bot].joined.owner != owner for bot in line_up):
        return f"none of the bots belongs to {owner}"
    if len({bots[bot].joined.clock_class for bot in line_up}) > 1:
        return "the bots play in different clock classes"
    return ""
