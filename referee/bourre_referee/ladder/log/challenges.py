"""Unrated rooms that owners have asked for, until their bots are called to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bourre_referee.ladder.log.entrant import Entrant
from bourre_referee.ladder.log.events import ChallengeAsked, LadderError

MOST_CHALLENGES = 2
"""The most challenges of one owner that may wait; each of them occupies the bots of others."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that waits for its bots."""

    owner: str
    line_up: tuple[str, ...]
    """The bots by seat."""


class Challenges:
    """All challenges that wait, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._waiting: list[Challenge] = []

    def __iter__(self) -> Iterator[Challenge]:
        return iter(self._waiting)

    def of(self, owner: str) -> list[Challenge]:
        """Returns those of an owner."""
        return [challenge for challenge in self if challenge.owner == owner]

    def ready(self, bots: Mapping[str, Entrant]) -> Iterator[Challenge]:
        """Yields those whose bots are all active and in no room; `bots` are the latest versions by bot."""
        for challenge in self:
            if all(bots[bot].is_active and bots[bot].room is None for bot in challenge.line_up):
                yield challenge

    def ask(self, event: ChallengeAsked, bots: Mapping[str, Entrant], seats: int) -> None:
        """Adds a challenge at a table of so many seats; raises LadderError if it cannot be one."""
        if problem := challenge_problem(event.owner, event.line_up, bots, seats) or self.excess(event.owner):
            raise LadderError(problem)
        self._waiting.append(Challenge(event.owner, event.line_up))

    def excess(self, owner: str) -> str:
        """Says why an owner may not ask for one more challenge now; empty if it may."""
        own = len(self.of(owner))
        return f"{owner} has {own} challenges waiting, which is the most" if own >= MOST_CHALLENGES else ""

    def begin(self, owner: str, line_up: Sequence[str]) -> None:
        """Removes the first such challenge, whose bots were called, if there is one."""
        begun = Challenge(owner, tuple(line_up))
        if begun in self._waiting:
            self._waiting.remove(begun)

    def drop(self, bot: str) -> None:
        """Removes those with this bot, which was benched or has retired."""
        self._waiting = [challenge for challenge in self if bot not in challenge.line_up]


def challenge_problem(owner: str, line_up: Sequence[str], bots: Mapping[str, Entrant], seats: int) -> str:
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
