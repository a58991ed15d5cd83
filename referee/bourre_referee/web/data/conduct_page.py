"""The data of the page on conduct: how bots follow the rules, and what they say they used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.statistics.reported_usage import ReportedUsage, reported_usage
from bourre_referee.statistics.rule_following import ALL, NO_ANSWER, RuleFollowing, broken_rules
from bourre_referee.storage.run import Run
from bourre_referee.web.data.run_page import RunData


@dataclass(frozen=True, slots=True)
class ConductData:
    """The two tables; bots are in the order of the standings."""

    following: tuple[RuleFollowing, ...] | None
    """None while it is being counted."""
    broken: tuple[str, ...]
    """The rules that some bot broke."""
    usage: tuple[ReportedUsage, ...]
    """Empty if no bot said anything, or while the seed is secret."""

    @property
    def counted(self) -> tuple[str, ...]:
        """Return what the columns count: all reneges, those of each rule, and missing answers."""
        return ALL, *self.broken, NO_ANSWER


def conduct_data(run: Run, data: RunData, following: Sequence[RuleFollowing] | None) -> ConductData:
    """Return the data of the page; raises ContestError if the run is damaged."""
    return ConductData(
        following=None if following is None else tuple(following),
        broken=broken_rules(following or ()),
        usage=reported_usage(data.standings.rows, run.published_usage()),
    )
