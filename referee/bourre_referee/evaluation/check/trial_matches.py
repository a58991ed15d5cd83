"""The matches of a check: their house rules, seats and cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from bourre.rules.deck import derive, master_seed
from bourre.rules.house import MAX_SEATS, PRESET_SEATS, HouseRules
from bourre_referee.model.spec import MatchSpec

TESTED_BOT = "bot"
"""The bot's name at its tables."""
REPEATED_MATCHES = 24
"""How many of the first matches are repeated: in another process, and at many tables at a time."""
MANY_TABLES = 16
CORRECTION, SILENT = "correction", "silent"
"""The match in which the referee misplays cards for the bot, and the one in which it does not report reneges."""
EXTRA_DEALS = 24
_USUAL_SEATS = 5


@dataclass(frozen=True, slots=True)
class TrialTerms:
    """The terms that determine the matches of a check."""

    presets: tuple[str, ...]
    seats: tuple[int, ...]
    """The table sizes to try."""
    deals: int
    """The approximate number of deals, without repetitions."""
    seed: int
    decision_ms: int
    start_ms: int = 10_000


@dataclass(frozen=True, slots=True)
class TrialMatch:
    """One match of the check."""

    match: str
    preset: str
    seats: int
    deals: int
    policy: str | None = None
    """A `renege_policy` that overrides the preset's."""

    def spec(self, seed: int) -> MatchSpec:
        """Returns the match for a room. The match's name decides the seat of the bot under test."""
        own = derive(master_seed(seed), f"check {self.match}")
        guests = [guest_name(number) for number in range(1, self.seats)]
        at = own[0] % self.seats
        keys = {"renege_policy": self.policy} if self.policy else {}
        house = HouseRules.preset(self.preset, **keys)
        return MatchSpec(self.match, (*guests[:at], TESTED_BOT, *guests[at:]), house, self.deals, own)


def guest_name(number: int) -> str:
    """Names a guest by its number, from 1."""
    return f"guest{number}"


def trial_matches(terms: TrialTerms) -> tuple[TrialMatch, ...]:
    """Returns every preset with every number of seats, mixed as evenly as possible from the first match on."""
    kinds = list(_kinds(terms))
    number = count_matches(len(kinds))
    deals = max(1, terms.deals // number)
    found: dict[str, TrialMatch] = {}
    for preset, seats in islice(cycle(kinds), number):
        copies = sum(other.preset == preset and other.seats == seats for other in found.values())
        match = f"{preset}-{seats}" + (f"-{copies + 1}" if copies else "")
        found[match] = TrialMatch(match, preset, seats, deals)
    return tuple(found.values())


def extra_matches(terms: TrialTerms) -> tuple[TrialMatch, ...]:
    """Returns the two matches about illegal cards. In the first, the referee asks for another card."""
    preset = "limit" if "limit" in terms.presets else terms.presets[0]
    seats = _USUAL_SEATS if _USUAL_SEATS in terms.seats else terms.seats[0]
    return tuple(
        TrialMatch(match, preset, seats, EXTRA_DEALS, policy)
        for match, policy in ((CORRECTION, "prompt"), (SILENT, "silent"))
    )


def count_matches(kinds: int) -> int:
    """Counts the matches for this many kinds of tables: equally many of each, at least REPEATED_MATCHES in total."""
    return kinds * -(-REPEATED_MATCHES // kinds)


def allows_seats(preset: str, seats: int) -> bool:
    """Returns whether the game that the preset is named after allows this many seats."""
    return seats <= PRESET_SEATS.get(preset, MAX_SEATS)


def _kinds(terms: TrialTerms) -> Iterator[tuple[str, int]]:
    for turn in range(len(terms.seats)):
        for place, preset in enumerate(terms.presets):
            seats = terms.seats[(place + turn) % len(terms.seats)]
            if allows_seats(preset, seats):
                yield preset, seats
