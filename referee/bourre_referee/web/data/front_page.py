"""The first page of a contest: its heading, its standings and its best deal."""

from __future__ import annotations

from dataclasses import dataclass

from bourre_referee.web.data.charts import StripAxis, centre_with_interval, strip_axis
from bourre_referee.web.data.headline import Headline, headline
from bourre_referee.web.data.moments import Moment
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.data.standing_rows import StandingRow, standing_rows
from bourre_referee.web.data.trick_table import TrickTable, trick_table


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The heading, the standings and the deal that plays itself."""

    headline: Headline
    rows: tuple[StandingRow, ...]
    """Best first."""
    axis: StripAxis
    """The axis of all intervals."""
    by_field: bool
    """Whether bots are ranked by their effect over this field. Older runs rank them by score."""
    lucky: bool
    """Whether the luck of the draw is known."""
    featured: TrickTable | None
    """The table of the deal of the contest, if any."""


def front_page(run: RunData, featured: Moment | None) -> FrontPage:
    """Returns the first page in this state of the run."""
    table, axis = run.standings, strip_axis(map(centre_with_interval, run.standings.rows))
    return FrontPage(
        headline(table, run.total, complete=run.complete),
        standing_rows(run, axis),
        axis,
        by_field=table.ties is not None,
        lucky=any(row.adjusted_ci95 for row in table.rows),
        featured=trick_table(featured.played) if featured else None,
    )
