"""Measures how well each bot follows the rules: its reneges and faults per 100 decisions, by rule and by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from bourre.rules.actions import Fault
from bourre_referee.model.stored import StoredSeat
from bourre_referee.statistics.clustered_rate import clustered_interval
from bourre_referee.statistics.played_deals import PlayedDeal

ALL = "all"
"""The key for the reneges of all rules together."""
FAULTS = "faults"
"""The key for the faults of all kinds together: decisions without an answer that the referee could use."""


@dataclass(frozen=True, slots=True)
class RuleRate:
    """How often a bot broke one rule."""

    rule: str
    """A rule id, a kind of fault, ALL or FAULTS."""
    times: int
    per_100: float
    """Per 100 decisions."""
    ci95: tuple[float, float] | None
    """The 95 % confidence interval (`clustered_interval`). None with fewer than two blocks."""


@dataclass(frozen=True, slots=True)
class RuleFollowing:
    """How well one bot followed the rules in all its matches."""

    bot: str
    decisions: int
    """The decisions it was asked for, without forced cards and corrections."""
    rates: tuple[RuleRate, ...]
    """ALL first, then the rules that it broke, then FAULTS, then the kinds of its faults."""
    corrected: int
    """How many reneges it corrected at the second try."""

    @property
    def reneges(self) -> int:
        """The number of its reneges."""
        return sum(rate.times for rate in self.rates if rate.rule == ALL)

    def rate_of(self, rule: str) -> RuleRate | None:
        """Returns the rate of this rule. None if the bot never broke it, unless the rule is ALL or FAULTS."""
        return next((rate for rate in self.rates if rate.rule == rule), None)


def broken_rules(followings: Iterable[RuleFollowing]) -> tuple[str, ...]:
    """Returns the ids of the rules that any of these bots broke, in order."""
    return tuple(sorted({rate.rule for one in followings for rate in one.rates} - {ALL, FAULTS} - set(Fault)))


def fault_kinds(followings: Iterable[RuleFollowing]) -> tuple[str, ...]:
    """Returns the kinds of faults that any of these bots made, in order."""
    return tuple(sorted({rate.rule for one in followings for rate in one.rates} & set(Fault)))


@dataclass(slots=True)
class BlockCounts:
    """The counts of one bot, block by block."""

    decisions: list[int] = field(default_factory=list)
    """The decisions in each block: in a match, or in a `duplicate` deal over all its seatings."""
    broken: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """For each rule, the blocks in which it was broken, by number, and how often."""
    corrected: int = 0

    def extend(self, other: BlockCounts) -> None:
        """Adds the blocks of other matches."""
        first = len(self.decisions)
        self.decisions += other.decisions
        self.corrected += other.corrected
        for rule, blocks in other.broken.items():
            self.broken.setdefault(rule, []).extend((first + block, times) for block, times in blocks)

    def rate(self, rule: str, blocks: Iterable[tuple[int, int]]) -> RuleRate:
        """Returns the rate of a rule from its counts in these blocks."""
        times = [0] * len(self.decisions)
        for block, number in blocks:
            times[block] += number
        found, decisions = clustered_interval(list(zip(times, self.decisions, strict=True))), sum(self.decisions)
        per_100 = 100 * sum(times) / decisions if decisions else 0.0
        return RuleRate(rule, sum(times), per_100, found and (100 * found[0], 100 * found[1]))


@dataclass(slots=True)
class RuleCounter:
    """Counts decisions and reneges, match by match."""

    bots: dict[str, BlockCounts] = field(default_factory=dict)

    def add(self, bots: Sequence[str], deals: Iterable[PlayedDeal]) -> None:
        """Counts the deals of one match between these bots."""
        blocks: defaultdict[int, list[PlayedDeal]] = defaultdict(list)
        for deal in deals:
            blocks[deal.deal if deal.unit > 1 else 0].append(deal)
        for number, bot in enumerate(bots):
            counts = self.bots.setdefault(bot, BlockCounts())
            for block in blocks.values():
                counts.extend(_count_block(block, number))

    def __iadd__(self, other: RuleCounter) -> RuleCounter:
        """Adds the counts of other matches."""
        for bot, counts in other.bots.items():
            self.bots.setdefault(bot, BlockCounts()).extend(counts)
        return self

    def pool(self, groups: Mapping[str, Sequence[str]]) -> RuleCounter:
        """Returns the counts of each group of bots, by the group's name."""
        pooled = RuleCounter()
        for name, bots in groups.items():
            for bot in bots:
                pooled.bots.setdefault(name, BlockCounts()).extend(self.bots.get(bot, BlockCounts()))
        return pooled

    def summarise(self, bots: Sequence[str]) -> tuple[RuleFollowing, ...]:
        """Returns the rule following of each of these bots, in this order."""
        return tuple(_following(bot, self.bots[bot]) for bot in bots if bot in self.bots)


def _count_block(deals: Iterable[PlayedDeal], bot: int) -> BlockCounts:
    """Counts one bot's decisions and reneges in these deals, as one block. `bot` is its number in the match."""
    counts, broken = BlockCounts([0]), defaultdict[str, int](int)
    for deal in deals:
        seat = deal.line_up.index(bot)
        counts.decisions[0] += deal.decisions[seat]
        for who, fault in deal.faults:
            broken[fault.value] += who == seat
        for who, rule, corrected in deal.reneges:
            if who == seat:
                broken[rule] += 1
                counts.corrected += corrected
    counts.broken = {rule: [(0, times)] for rule, times in broken.items() if times}
    return counts


def _following(bot: str, counts: BlockCounts) -> RuleFollowing:
    kinds = set(Fault)
    rates = [*_rates(ALL, counts, counts.broken.keys() - kinds), *_rates(FAULTS, counts, counts.broken.keys() & kinds)]
    return RuleFollowing(bot, sum(counts.decisions), tuple(rates), counts.corrected)


def _rates(together: str, counts: BlockCounts, rules: AbstractSet[str]) -> Iterator[RuleRate]:
    """Yields the rate of these rules together, and that of each."""
    yield counts.rate(together, [block for rule in rules for block in counts.broken[rule]])
    for rule in sorted(rules):
        yield counts.rate(rule, counts.broken[rule])


@dataclass(frozen=True, slots=True)
class Conduct:
    """The reneges and faults of one bot in all its matches."""

    bot: str
    matches: int
    reneges: tuple[tuple[str, int], ...]
    """How often each rule was the first that a card broke."""
    faults: tuple[tuple[str, int], ...]
    """How often it made each kind of fault."""
    house_deals: int
    """In how many deals the referee played its seat."""


class ConductCounter:
    """Counts reneges and faults, match by match."""

    def __init__(self) -> None:
        self._matches: Counter[str] = Counter()
        self._house: Counter[str] = Counter()
        self._reneges: Counter[tuple[str, str]] = Counter()
        self._faults: Counter[tuple[str, str]] = Counter()

    def add(self, seats: Iterable[StoredSeat]) -> None:
        """Counts the seats of one match."""
        for seat in seats:
            self._matches[seat.bot] += 1
            self._house[seat.bot] += seat.house_deals
            self._reneges.update({(seat.bot, rule): times for rule, times in seat.reneges_by_rule})
            self._faults.update({(seat.bot, kind): times for kind, times in seat.faults_by_kind})

    def summarise(self, bots: Sequence[str]) -> tuple[Conduct, ...]:
        """Returns the conduct of every bot, in this order."""
        return tuple(
            Conduct(
                bot, self._matches[bot], _counts_of(bot, self._reneges), _counts_of(bot, self._faults), self._house[bot]
            )
            for bot in bots
        )


def _counts_of(bot: str, counts: Counter[tuple[str, str]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((what, times) for (who, what), times in counts.items() if who == bot))
