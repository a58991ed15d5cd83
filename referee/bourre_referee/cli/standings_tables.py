"""Print the standings as tables for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.model.spec import Isolation, Level
from bourre_referee.statistics.estimates import CrossTable, Estimate
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.text.amounts import signed, unsigned
from bourre_referee.text.names import printable

_WHERE = {
    Level.NONE: "bots are plain processes, which can spy on one another",
    Level.BWRAP: "each bot has its own sandbox",
    Level.CONTAINER: "each bot has a container of its own",
}


def isolation_in_words(isolation: Isolation) -> str:
    """Says the isolation level, what it means, and what a bot may use."""
    text = f"isolation {isolation.level}: {_WHERE[isolation.level]}"
    if isolation.level == Level.NONE:
        return text
    limits = isolation.limits
    return f"{text} ({limits.memory_mib} MiB, {limits.processes} processes, {limits.disk_mib} MiB of files)"


UNLIMITED = 10_000
"""A width in columns that no table reaches."""

MAX_CROSS_TABLE = 40
"""A cross-table of more bots fits no screen."""

TIED = "Bots that share a letter are tied: the results do not tell them apart (95 % for the whole table)"
BRACKETS = "Bots in one bracket are tied, and their intervals overlap: the results do not tell them apart (95 %)"
"""Below a table of older runs, and below one with brackets."""

EFFECT = "effect: chips per 100 deals above the mean of this field, from all matches together"


def print_tables(standings: Standings, console: Console) -> None:
    """Prints the table and the cross-table, in a short form if the terminal is narrow; nothing is cut within a table.

    A cross-table of more than MAX_CROSS_TABLE bots is left out, and a line says where it is.
    """
    room = console.width if console.is_terminal else UNLIMITED
    console.width = UNLIMITED
    console.print(_choose_by_width(_table(standings), _short_table(standings), room, console))
    if standings.ties is not None:
        console.print(f"\n{EFFECT}", highlight=False)
    if any(row.tied for row in standings.rows):
        console.print(f"\n{TIED}" if standings.ties is None else BRACKETS, highlight=False)
    if len(standings.rows) > MAX_CROSS_TABLE:
        bots = len(standings.rows)
        console.print(f"\nThe cross-table of {bots} bots is in --json, and on a page of `bourre view`", highlight=False)
    else:
        _print_cross_table(standings, standings.cross, "", room, console)
        if standings.adjusted_cross:
            _print_cross_table(standings, standings.adjusted_cross, ", less luck", room, console)
    if any(row.reneges_by_rule for row in standings.rows):
        console.print("\nReneges by the rule that they broke\n", highlight=False)
        console.print(_renege_table(standings))


def _print_cross_table(standings: Standings, cross: CrossTable, kind: str, room: int, console: Console) -> None:
    with_margin = _cross_table(standings, cross, _format_with_margin)
    table = _choose_by_width(with_margin, _cross_table(standings, cross, _format_difference), room, console)
    ends = "; ±: 95 % for each pair by itself" if table is with_margin else ""
    what = f"Difference in chips per 100 deals{kind}, row against column, where both sat"
    console.print(f"\n{what}{ends}\n", highlight=False)
    console.print(table)
    places = range(len(cross))
    if any(
        (cell := cross[row][column]) and standings.contradicts(row, column, cell) for row in places for column in places
    ):
        console.print("\n!: this pair alone says the opposite of its places", highlight=False)


def _choose_by_width(full: Table, short: Table, room: int, console: Console) -> Table:
    return full if room == UNLIMITED or console.measure(full).maximum <= room else short


Column = tuple[str, list[str]]
"""A heading and a cell for each row."""


def _table(standings: Standings) -> Table:
    columns = _by_score(standings) if standings.ties is None else _by_effect(standings)
    return _with_counts(standings, columns, gap=2)


def _with_counts(standings: Standings, columns: Sequence[Column], gap: int) -> Table:
    """Makes a table of these columns between the bots and their counts."""
    counts = _counts(standings)
    table = empty_table(*(heading for heading, _ in columns), *counts, gap=gap)
    for place, row in enumerate(standings.rows):
        table.add_row(*_rank_and_bot(row), *(cells[place] for _, cells in columns), *_count_cells(row, counts))
    return table


def _by_effect(standings: Standings) -> list[Column]:
    rows = standings.rows
    columns = [
        ("effect", [_chips(row.effect) for row in rows]),
        ("interval", [chips_interval(row.effect95) for row in rows]),
    ]
    columns += _ties(standings)
    columns.append(("chips/100", [_chips(row.chips_per_100) for row in rows]))
    if _knows_luck(standings):
        columns.append(("less luck", [_chips(row.adjusted_per_100) for row in rows]))
    return columns + _ratings(standings)


def _by_score(standings: Standings) -> list[Column]:
    """Returns the columns of a run that an older method ranked."""
    rows = standings.rows
    columns = _ratings(standings)
    columns.append(("chips/100", [_chips(row.chips_per_100) for row in rows]))
    columns.append(("95 % interval", [chips_interval(row.ci95) for row in rows]))
    if _knows_luck(standings):
        columns.append(("less luck", [_chips(row.adjusted_per_100) for row in rows]))
        columns.append(("95 % interval", [chips_interval(row.adjusted_ci95) for row in rows]))
    return columns


def _knows_luck(standings: Standings) -> bool:
    return any(row.adjusted_ci95 for row in standings.rows)


def _ratings(standings: Standings) -> list[Column]:
    rows = standings.rows
    mus, sigmas = [_decimals(row.mu) for row in rows], [_decimals(row.sigma) for row in rows]
    return [("score", [_decimals(row.score) for row in rows]), ("mu", mus), ("sigma", sigmas)]


def _ties(standings: Standings) -> list[Column]:
    """Draws the brackets of ties, if there are any."""
    lines = ["".join(_SIGNS[part] for part in parts) for parts in standings.bracket_columns()]
    return [("tied", lines)] if standings.ties else []


_SIGNS = {"": " ", "first": "┐", "middle": "│", "last": "┘"}


def _decimals(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def _chips(chips: float | None) -> str:
    return "-" if chips is None else signed(chips, 1)


def chips_interval(ends: tuple[float, float] | None) -> str:
    """Returns the ends of an interval of chips per 100 deals."""
    return f"{signed(ends[0], 1)} to {signed(ends[1], 1)}" if ends else "-"


def _short_table(standings: Standings) -> Table:
    """Makes the narrow table, without mu and sigma, from which the score is computed."""
    rows = standings.rows
    if standings.ties is None:
        chips = [_chips(row.chips_per_100) for row in rows]
        ends = [_short_interval(row.ci95) for row in rows]
        columns = [("score", [_decimals(row.score) for row in rows]), ("chips\n/100", chips), ("95 %", ends)]
    else:
        ends = [_short_interval(row.effect95) for row in rows]
        columns = [("effect", [_chips(row.effect) for row in rows]), ("interval", ends), *_ties(standings)]
    return _with_counts(standings, columns, gap=1)


def _short_interval(ends: tuple[float, float] | None) -> str:
    return f"{signed(ends[0], 0)}..{signed(ends[1], 0)}" if ends else "-"


def _counts(standings: Standings) -> list[str]:
    """Headings of the counts; letters, and deals that the stand-in played, only if there are any."""
    tied = ["tied"] if standings.ties is None and any(row.tied for row in standings.rows) else []
    house = ["by stand-in"] if any(row.house_deals for row in standings.rows) else []
    return [*tied, "deals", "wins", "bourrés", "reneges", "faults", *house]


def _count_cells(row: Standing, counts: list[str]) -> list[str]:
    tied = [row.tied] if "tied" in counts else []
    numbers = (row.deals, row.wins, row.bourres, row.reneges, row.faults, row.house_deals)
    return [*tied, *("-" if number is None else str(number) for number in numbers)][: len(counts)]


def _cross_table(standings: Standings, cross: CrossTable, cell: Callable[[Estimate], str]) -> Table:
    """Makes the cross-table; its columns are numbered by rank."""
    table = empty_table(*map(_rank, standings.rows), gap=2)
    for place, (row, estimates) in enumerate(zip(standings.rows, cross, strict=True)):
        marks = ("!" if each and standings.contradicts(place, at, each) else "" for at, each in enumerate(estimates))
        cells = (
            f"{cell(each)}{mark}" if each and each.deals else "-" for each, mark in zip(estimates, marks, strict=True)
        )
        table.add_row(*_rank_and_bot(row), *cells)
    return table


def _renege_table(standings: Standings) -> Table:
    """Makes a table with a column for each rule that anyone broke."""
    rules = [rule for rule in RENEGE_RULES if any(rule in row.reneges_by_rule for row in standings.rows)]
    table = empty_table(*rules, gap=2)
    for row in standings.rows:
        table.add_row(*_rank_and_bot(row), *(str(row.reneges_by_rule.get(rule, "-")) for rule in rules))
    return table


def _format_with_margin(estimate: Estimate) -> str:
    if not estimate.ci95:
        return _format_difference(estimate)
    margin = (estimate.ci95[1] - estimate.ci95[0]) / 2
    return f"{_format_difference(estimate)} ±{unsigned(margin, 0)}"


def _format_difference(estimate: Estimate) -> str:
    return signed(estimate.chips_per_100, 0)


def empty_table(*headings: str, gap: int) -> Table:
    """Makes an empty table whose first columns are rank and bot."""
    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("", justify="right")
    table.add_column("bot", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "tied" else "right", no_wrap=True)
    return table


def _rank_and_bot(row: Standing) -> tuple[str, Text]:
    """Returns rank and name; a name chosen by a stranger is neither markup nor a terminal command."""
    return _rank(row), Text(printable(row.bot))


def _rank(row: Standing) -> str:
    return "-" if row.rank is None else str(row.rank)
