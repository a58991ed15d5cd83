"""Sums over matches, from which the standings follow exactly. New matches are added without reading the old ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations

from bourre_referee.model.results import MatchResult, SeatResult, is_no_show
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    BlockSums,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.statistics.field_rows import FieldRows

Pairs = dict[tuple[str, str], BlockSums]
"""The sums of first - second for every two bots that met. The first is the first by name."""


@dataclass(slots=True)
class BotSums:
    """Sums over the matches of one bot."""

    unit: int
    """The parts of a chip that its sums count."""
    chips: int = 0
    blocks: BlockSums = field(default_factory=BlockSums)
    adjusted: BlockSums = field(default_factory=BlockSums)
    """Less the luck of the draw, over the matches in which the luck is known."""
    wins: int = 0
    bourres: int = 0
    reneges: int = 0
    faults: int = 0
    house_deals: int = 0
    reneges_by_rule: Counter[str] = field(default_factory=Counter)

    @property
    def is_no_show(self) -> bool:
        """Whether the referee played most of the bot's deals."""
        return is_no_show(self.blocks.deals, self.house_deals)

    def count(self, seat: SeatResult) -> None:
        """Counts the results of the bot in this seat."""
        self.chips += seat.chips
        self.wins += seat.wins
        self.bourres += seat.bourres
        self.reneges += seat.reneges
        self.faults += seat.faults
        self.house_deals += seat.house_deals
        for rule, times in seat.reneges_by_rule:
            self.reneges_by_rule[rule] += times


@dataclass(slots=True)
class Tally:
    """Sums over matches, which may come in any order."""

    matches: int = 0
    unit: int = 1
    """The parts of a chip that differences count."""
    bots: dict[str, BotSums] = field(default_factory=dict)
    """The bots that have played."""
    pairs: Pairs = field(default_factory=dict)
    adjusted_pairs: Pairs | None = None
    """Less the luck of the draw where it is known. None while no match has a known luck."""
    rows: FieldRows = field(default_factory=FieldRows)
    """The rows of the field model."""

    def add(self, match: MatchResult, number: int) -> None:
        """Adds the match with this number in the schedule."""
        self.unit = self.unit if self.matches else match.unit
        self.matches += 1
        self.rows.add(match, number)
        for seat, result in enumerate(match.seats):
            sums = self.bots.get(result.bot)
            if sums is None:
                sums = self.bots[result.bot] = BotSums(match.unit)
            sums.count(result)
            for block in blocks_of(match, seat):
                sums.blocks.add(block.chips, block.deals, number)
            for block in adjusted_blocks_of(match, seat) if match.blocks else ():
                sums.adjusted.add(block.chips, block.deals, number)
        if match.blocks and self.adjusted_pairs is None:
            self.adjusted_pairs = deepcopy(self.pairs)
        _add_differences(self.pairs, match, number)
        if self.adjusted_pairs is not None:
            _add_differences(self.adjusted_pairs, match, number, adjusted=True)

    def difference(self, one: str, other: str, adjusted: bool = False) -> BlockSums:
        """Returns the sums of one - other over the matches of both bots, `adjusted` less luck where it is known."""
        pairs = self.adjusted_pairs if adjusted and self.adjusted_pairs is not None else self.pairs
        if one < other:
            return pairs.get((one, other)) or BlockSums()
        return (pairs.get((other, one)) or BlockSums()).turn()


def tally_of(results: Iterable[MatchResult]) -> Tally:
    """Adds up these results, which are in schedule order."""
    tally = Tally()
    for number, match in enumerate(results, start=1):
        tally.add(match, number)
    return tally


def _add_differences(pairs: Pairs, match: MatchResult, number: int, adjusted: bool = False) -> None:
    places = sorted((seat.bot, place) for place, seat in enumerate(match.seats))
    for (one, first), (other, second) in combinations(places, 2):
        sums = pairs.get((one, other))
        if sums is None:
            sums = pairs[one, other] = BlockSums()
        if not match.blocks:
            sums.add(match.seats[first].chips - match.seats[second].chips, match.deals, number)
            continue
        for block in (adjusted_blocks_of if adjusted else blocks_of)(match, first, second):
            sums.add(block.chips, block.deals, number)


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The difference of two bots in chips per 100 deals, over the matches of both."""

    one: str
    other: str
    raw: Estimate
    adjusted: Estimate | None
    """Less the luck of the cards, by the baseline in the manifest. None in format `session`."""
    fitted: Estimate | None = None
    """Corrected by a fit to the contest's own deals. None unless requested, and where the correction does not help."""


def pair_figures(bots: Sequence[str], tally: Tally) -> tuple[PairFigures, ...]:
    """Estimates the difference of every two bots that met, in this order of the bots."""
    found = []
    for one, other in combinations(bots, 2):
        raw = estimate_per_100(tally.difference(one, other), tally.unit)
        if not raw.deals:
            continue
        less_luck = tally.difference(one, other, adjusted=True) if tally.adjusted_pairs is not None else None
        adjusted = estimate_per_100(less_luck, tally.unit * ADJUSTED_PARTS) if less_luck else None
        found.append(PairFigures(one, other, raw, adjusted))
    return tuple(found)
