"""The stages of a contest. A new one begins when bots join or leave, or when an adaptive round is due."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from bourre.rules.deck import derive
from bourre.rules.house import HouseRules
from bourre_referee.contest.schedule import LineUp
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in
from bourre_referee.model.spec import MatchSpec

_MATCH_ID = re.compile(r"m\d{4,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stage:
    """The matches of one schedule, and its bots."""

    number: int
    """The stage's number, starting at 1."""
    bots: tuple[str, ...]
    pairing: ScheduleChoice
    first: int
    """The number of its first match in the contest, starting at 1."""
    places: int
    """How many of its matches count. If the bots changed, only the matches up to the last one begun count."""
    missing: frozenset[int] = frozenset()
    """The numbers of its matches that will never finish."""

    @property
    def numbers(self) -> range:
        """The numbers of its matches in the contest."""
        return range(self.first, self.first + self.places)

    def schedule_size(self, seats: int) -> int:
        """Counts the matches of its schedule, including those that do not count."""
        return matches_in(self.pairing, len(self.bots), seats)

    def size_before_cut(self, seats: int) -> int | None:
        """Counts the matches of its schedule if some of them do not count; otherwise None."""
        whole = self.schedule_size(seats)
        return whole if self.places < whole else None

    def label(self, of: str) -> str:
        """Returns the label for deriving a seed, which differs between stages."""
        return of if self.number == 1 else f"{of} of stage {self.number}"

    def matches(self, line_ups: Iterable[LineUp], house: HouseRules, deals: int, master: bytes) -> Iterator[MatchSpec]:
        """Yields its matches, including missing ones, in the order of the schedule."""
        for number, line_up in zip(self.numbers, line_ups, strict=False):  # the schedule may have been cut short
            yield self.match(number, tuple(self.bots[bot] for bot in line_up), house, deals, master)

    def match(self, number: int, line_up: tuple[str, ...], house: HouseRules, deals: int, master: bytes) -> MatchSpec:
        """Returns the match with this number in the contest. The line-up has a bot for each seat."""
        return MatchSpec(match_id(number), line_up, house, deals, derive(master, self.label(f"match {number}")))


@dataclass(frozen=True, slots=True)
class Closed:
    """A stage that is over."""

    bots: tuple[str, ...]
    pairing: ScheduleChoice
    places: int
    missing: Collection[int]


def stages_of(
    closed: Iterable[Closed], bots: tuple[str, ...], pairings: Iterable[ScheduleChoice], seats: int
) -> tuple[Stage, ...]:
    """Returns all stages: first the closed ones, then the ones of these bots."""
    now = [Closed(bots, pairing, matches_in(pairing, len(bots), seats), ()) for pairing in pairings]
    stages: list[Stage] = []
    first = 1
    for number, stage in enumerate((*closed, *now), start=1):
        stages.append(Stage(number, stage.bots, stage.pairing, first, stage.places, frozenset(stage.missing)))
        first += stage.places
    return tuple(stages)


def match_id(number: int) -> str:
    """Returns the id of the match with this number, starting at 1."""
    return f"m{number:04d}"


def is_match_id(text: str) -> bool:
    """Whether this is a possible match id."""
    return _MATCH_ID.fullmatch(text) is not None


def match_number(match: str) -> int:
    """Returns the number, starting at 1, of the match with this id."""
    return int(match[1:])
