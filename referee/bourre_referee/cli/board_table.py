"""Prints the board of models as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from bourre_referee.cli.standings_tables import chips_interval, empty_table
from bourre_referee.statistics.model_board import ModelPlay, ModelRow
from bourre_referee.statistics.rule_following import ALL, FAULTS, RuleRate
from bourre_referee.text.amounts import signed
from bourre_referee.text.names import printable

BOARD = "Models: chips per 100 deals, and per 100 decisions reneges and faults, with 95 % intervals"


def board_table(rows: Sequence[ModelRow]) -> Table:
    """Returns the table of these rows."""
    per = ("calls/100 deals", "tokens/100 deals", "cost/100 deals", "cost/100 chips")
    table = empty_table("deals", "chips/100", "of repeats", "reneges", FAULTS, *per, gap=2)
    for place, row in enumerate(rows, start=1):
        play = row.play
        costs = (_cost(row.calls_per_100, 1), _cost(row.tokens_per_100, 0), _cost(row.cost_per_100, 4))
        rules = [rate_text(play.following.rate_of(kind)) if play.following else "-" for kind in (ALL, FAULTS)]
        table.add_row(
            str(place),
            Text(printable(play.name)),
            str(play.deals),
            *(_skill(play), chips_interval(play.spread), *rules, *costs, _cost(row.cost_per_100_chips, 4)),
        )
    return table


def rate_text(rate: RuleRate | None) -> str:
    """Returns a rate with its interval."""
    if rate is None:
        return "-"
    interval = f" ({rate.ci95[0]:.2f} to {rate.ci95[1]:.2f})" if rate.ci95 else ""
    return f"{rate.per_100:.2f}{interval}"


def _skill(play: ModelPlay) -> str:
    if play.skill is None:
        return "-"
    interval = f" ({chips_interval(play.skill.ci95)})" if play.skill.ci95 else ""
    return f"{signed(play.skill.chips_per_100, 1)}{interval}"


def _cost(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:,.{decimals}f}"
