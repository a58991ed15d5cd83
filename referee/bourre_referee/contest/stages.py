"""The stages of a contest: one schedule after another, as bots come or go and neighbours are not told apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from bourre.rules.deck import derive
from bourre.rules.house import HouseRules
from bourre_referee.contest.pairing import Pairing, matches_in, schedule_of
from bourre_referee.model.spec import MatchSpec
from bourre_referee.schedule import LineUp, Memory, Schedule, afresh

_MATCH_ID = re.compile(r"m\d{4,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stage:
    """Bots, and the matches of one schedule of theirs."""

    number: int
    """From 1."""
    bots: tuple[str, ...]
    pairing: Pairing
    first: int
    """The place of its first match in the contest, from 1."""
    places: int
    """As many of its schedule count: all, or those up to the last that was begun before the field changed."""
    missing: frozenset[int] = frozenset()
    """Places in the contest, among them, that were never played to an end, and never will be."""

    @property
    def numbers(self) -> range:
        """Its places in the contest."""
        return range(self.first, self.first + self.places)

    def whole(self, seats: int) -> int:
        """How many matches its schedule has, also those that do not count."""
        return matches_in(self.pairing, len(self.bots), seats)

    def cut_from(self, seats: int) -> int | None:
        """How many its schedule has, where not all of them have a place; None where they have."""
        whole = self.whole(seats)
        return whole if self.places < whole else None

    def label(self, of: str) -> str:
        """What a seed is derived by. Those of one stage are no use in another."""
        return of if self.number == 1 else f"{of} of stage {self.number}"

    def schedule(self, seats: int, master: bytes, memory: Memory = afresh) -> Schedule:
        """The whole of it, also what will not be played."""
        return schedule_of(self.pairing, self.bots, seats, derive(master, self.label("schedule")), memory)

    def matches(self, line_ups: Iterable[LineUp], house: HouseRules, deals: int, master: bytes) -> Iterator[MatchSpec]:
        """Its matches, also those that are missing, in the order of the line-ups of its schedule."""
        for number, line_up in zip(self.numbers, line_ups, strict=False):  # a schedule that was cut short
            yield MatchSpec(
                match=match_id(number),
                line_up=tuple(self.bots[bot] for bot in line_up),
                house=house,
                deals=deals,
                seed=derive(master, self.label(f"match {number}")),
            )


@dataclass(frozen=True, slots=True)
class Closed:
    """What is known of a stage that is over."""

    bots: tuple[str, ...]
    pairing: Pairing
    places: int
    missing: Collection[int]


def stages_of(
    closed: Iterable[Closed], bots: tuple[str, ...], pairings: Iterable[Pairing], seats: int
) -> tuple[Stage, ...]:
    """All stages: those that are over, then those of these bots."""
    now = [Closed(bots, pairing, matches_in(pairing, len(bots), seats), ()) for pairing in pairings]
    stages: list[Stage] = []
    first = 1
    for number, stage in enumerate((*closed, *now), start=1):
        stages.append(Stage(number, stage.bots, stage.pairing, first, stage.places, frozenset(stage.missing)))
        first += stage.places
    return tuple(stages)


def match_id(number: int) -> str:
    """How the `number`-th match of a contest (from 1) is called."""
    return f"m{number:04d}"


def is_match_id(text: str) -> bool:
    """Whether any match could be called so."""
    return _MATCH_ID.fullmatch(text) is not None


def match_number(match: str) -> int:
    """Which place in the contest (from 1) a match of this id has."""
    return int(match[1:])
