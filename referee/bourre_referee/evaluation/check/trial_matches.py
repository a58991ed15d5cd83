"""What a bot is tried on: which matches, under which house rules, with which cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from bourre.rules.deck import derive, master_seed
from bourre.rules.house import MAX_SEATS, PRESET_SEATS, HouseRules
from bourre_referee.model.spec import MatchSpec

TESTED = "bot"
"""The name of the bot at its tables."""
REPEATED = 24
"""So many matches, the first ones, are played again: in another process, and at many tables at once."""
MANY_TABLES = 16
CORRECTION, SILENT = "correction", "silent"
"""The matches in which cards are misplayed for the bot, and in which a renege meets silence."""
EXTRA_DEALS = 24
_USUAL_SEATS = 5


@dataclass(frozen=True, slots=True)
class Terms:
    """What decides the matches of a check."""

    presets: tuple[str, ...]
    seats: tuple[int, ...]
    """The sizes of tables that are tried."""
    deals: int
    """About how many in all, without those that are played again."""
    seed: int
    decision_ms: int
    start_ms: int = 10_000


@dataclass(frozen=True, slots=True)
class Sitting:
    """One match of the check."""

    match: str
    preset: str
    seats: int
    deals: int
    policy: str | None = None
    """Another `renege_policy` than that of the preset."""

    def spec(self, seed: int) -> MatchSpec:
        """The match for a room: the bot under test in a seat that follows from the match's name."""
        own = derive(master_seed(seed), f"check {self.match}")
        guests = [guest(number) for number in range(1, self.seats)]
        at = own[0] % self.seats
        keys = {"renege_policy": self.policy} if self.policy else {}
        house = HouseRules.preset(self.preset, **keys)
        return MatchSpec(self.match, (*guests[:at], TESTED, *guests[at:]), house, self.deals, own)


def guest(number: int) -> str:
    """The name of one of the others at the table, from 1."""
    return f"guest{number}"


def sittings(terms: Terms) -> tuple[Sitting, ...]:
    """Every preset with every number of seats, as evenly mixed from the first match on as can be."""
    kinds = list(_kinds(terms))
    number = matches_for(len(kinds))
    deals = max(1, terms.deals // number)
    found: dict[str, Sitting] = {}
    for preset, seats in islice(cycle(kinds), number):
        copies = sum(other.preset == preset and other.seats == seats for other in found.values())
        match = f"{preset}-{seats}" + (f"-{copies + 1}" if copies else "")
        found[match] = Sitting(match, preset, seats, deals)
    return tuple(found.values())


def extras(terms: Terms) -> tuple[Sitting, ...]:
    """The matches about cards that break a rule: what the bot does when asked for another, and when nobody asks."""
    preset = "limit" if "limit" in terms.presets else terms.presets[0]
    seats = _USUAL_SEATS if _USUAL_SEATS in terms.seats else terms.seats[0]
    return tuple(
        Sitting(match, preset, seats, EXTRA_DEALS, policy)
        for match, policy in ((CORRECTION, "prompt"), (SILENT, "silent"))
    )


def matches_for(kinds: int) -> int:
    """How many matches there are for so many kinds of tables: of each as many, and enough for many tables at once."""
    return kinds * -(-REPEATED // kinds)


def is_played(preset: str, seats: int) -> bool:
    """Whether the game that a preset is named after has room for so many."""
    return seats <= PRESET_SEATS.get(preset, MAX_SEATS)


def _kinds(terms: Terms) -> Iterator[tuple[str, int]]:
    for turn in range(len(terms.seats)):
        for place, preset in enumerate(terms.presets):
            seats = terms.seats[(place + turn) % len(terms.seats)]
            if is_played(preset, seats):
                yield preset, seats
