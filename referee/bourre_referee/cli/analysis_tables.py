"""Print the analysis of a run as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bourre.notes import Usage
from bourre_referee.cli.board_table import BOARD, board_table, rate_text
from bourre_referee.cli.standings_tables import UNLIMITED, chips_interval, empty_table
from bourre_referee.statistics.analysis import Analysis
from bourre_referee.statistics.bootstrap import Ranking
from bourre_referee.statistics.chip_dumping import ALLOWANCE
from bourre_referee.statistics.estimates import Estimate
from bourre_referee.statistics.match_sums import PairFigures
from bourre_referee.statistics.model_board import model_board
from bourre_referee.statistics.pair_findings import PairFlow
from bourre_referee.statistics.play_style import SeatWorth, Style
from bourre_referee.statistics.reported_usage import ReportedUsage, reported_usage
from bourre_referee.statistics.rule_following import ALL, FAULTS, Conduct, RuleFollowing, broken_rules, fault_kinds
from bourre_referee.text.amounts import signed, unsigned
from bourre_referee.text.names import printable

UNSEEN = (
    "not seen by this test: soft play (a bot that passes where its friend is in), friends who always sit together, "
    "small gifts, and losing to everyone. So it clears nobody."
)

UNSEEN_BY_JUDGE = (
    "not seen by these tests: what a bot does alike at every table, small favours, and friends at tables of two. "
    "So they clear nobody."
)
JUDGED = (
    "and, as the champion judges: gifts, the chips per 100 deals that decisions cost more while the other may win the "
    "pot; how much more\noften a bot comes in while it may, and passes if it is in; "
    "how much lower its cards are on the other's tricks"
)

FLOWS = 10
"""How many pairs are shown when none is suspicious; `--json` has all."""

PAIRS = 45
"""Of more pairs, only neighbours in the standings are shown."""


def print_analysis(
    analysis: Analysis, console: Console, usage: Mapping[str, Usage] | None = None, *, fitted: bool = False
) -> None:
    """Prints every table at full width; of the chip flows only the least usual, of the usage only if there is any."""
    console.width = UNLIMITED
    say = _printer(console)
    _print_ranking(analysis, say, console)
    _print_pairs(analysis, say, console, fitted)
    say("\nSeats, in chips per 100 deals")
    console.print(_seat_table(analysis.seats))
    say("\nReneges by rule, and faults by kind")
    console.print(_conduct_table(analysis.conduct))
    say("\nRule-following: per 100 decisions, with 95 % intervals")
    console.print(_rules_table(analysis.rules))
    say("\nStyle, by the hand as it was dealt")
    console.print(_style_table(analysis.style))
    if usage:
        say("\nThe usage that bots reported, and their chips per unit")
        console.print(_usage_table(reported_usage(analysis.rows, usage)))
        say(f"\n{BOARD}")
        console.print(board_table(model_board(analysis.models, usage)))
    _print_flow(analysis.flow, say, console)


def _printer(console: Console) -> Callable[[str], None]:
    return lambda text: console.print(text, markup=False, highlight=False)


def _print_ranking(analysis: Analysis, say: Callable[[str], None], console: Console) -> None:
    if analysis.raw is None:
        say("\nfewer than two blocks were played: it is too early for chances")
        return
    kinds = [("By chips per 100 deals", analysis.raw), ("The same, less the luck of the draw", analysis.adjusted)]
    for heading, ranking in kinds:
        if ranking:
            say(f"\n{heading}: the chance in % that the row's bot is above the column's")
            console.print(_ranking_table(ranking))
            say(
                f"all ranks the same in {ranking.again:.0%} of {ranking.resamples} resamples of {ranking.blocks} blocks"
            )
    for group in analysis.tied:
        say(f"tied in the standings: {', '.join(map(printable, group))}")


def _ranking_table(ranking: Ranking) -> Table:
    columns = [str(place) for place in range(1, len(ranking.ranks) + 1)]
    table = empty_table("rank, 95 %", "same rank", *columns, gap=2)
    for place, (rank, chances) in enumerate(zip(ranking.ranks, ranking.above, strict=True)):
        low, high = rank.interval
        cells = [f"{100 * chance:.0f}" if other != place else "-" for other, chance in enumerate(chances)]
        table.add_row(str(rank.rank), _name(rank.bot), f"{low} to {high}", f"{rank.again:.0%}", *cells)
    return table


def _print_pairs(analysis: Analysis, say: Callable[[str], None], console: Console, fitted: bool) -> None:
    """Prints every pair, raw and less luck side by side, which only format `duplicate` knows."""
    if not any(pair.adjusted for pair in analysis.pairs):
        return
    shown, neighbours = analysis.pairs, {*pairwise(row.bot for row in analysis.rows)}
    if len(shown) > PAIRS:
        shown = tuple([pair for pair in shown if (pair.one, pair.other) in neighbours])
    say("\nDifferences in chips per 100 deals, with 95 % for each pair by itself")
    console.print(_pair_table(shown, fitted))
    if len(shown) < len(analysis.pairs):
        say(f"and {len(analysis.pairs) - len(shown)} more pairs, which are no neighbours: --json has all")
    if fitted:
        helped = sum(pair.fitted is not None for pair in analysis.pairs)
        say(f"a correction fitted to these deals helps {helped} of {len(analysis.pairs)} pairs. No standing uses it.")


def _pair_table(pairs: Sequence[PairFigures], fitted: bool) -> Table:
    table = _table("pair", "deals", "raw", "less luck", *(["fitted"] if fitted else []))
    for pair in pairs:
        figures = (pair.raw, pair.adjusted, *([pair.fitted] if fitted else []))
        name = f"{printable(pair.one)} - {printable(pair.other)}"
        table.add_row(Text(name), str(pair.raw.deals), *(_difference(figure) for figure in figures))
    return table


def _difference(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    margin = f" ± {unsigned((estimate.ci95[1] - estimate.ci95[0]) / 2, 1)}" if estimate.ci95 else ""
    return f"{signed(estimate.chips_per_100, 1)}{margin}"


def _seat_table(seats: tuple[SeatWorth, ...]) -> Table:
    table = _table("seat", "deals", "chips/100", "95 % interval")
    for worth in seats:
        known = worth.estimate
        chips = signed(known.chips_per_100, 1), chips_interval(known.ci95)
        table.add_row(_place(worth.place), str(known.deals), *chips)
    return table


def _place(place: int) -> str:
    return f"{place} on the dealer's left" if place else "the dealer"


def _conduct_table(conducts: tuple[Conduct, ...]) -> Table:
    rules = sorted({rule for conduct in conducts for rule, _ in conduct.reneges})
    kinds = sorted({kind for conduct in conducts for kind, _ in conduct.faults})
    table = _table("bot", "matches", *rules, *(kind.replace("_", " ") for kind in kinds), "deals by stand-in")
    for conduct in conducts:
        counts = dict(conduct.reneges) | dict(conduct.faults)
        cells = [str(counts.get(what, "-")) for what in (*rules, *kinds)]
        table.add_row(_name(conduct.bot), str(conduct.matches), *cells, str(conduct.house_deals))
    return table


def _rules_table(followings: tuple[RuleFollowing, ...]) -> Table:
    broken, kinds = broken_rules(followings), fault_kinds(followings)
    headings = (kind.replace("_", " ") for kind in kinds)
    table = _table("bot", "decisions", "reneges", *broken, FAULTS, *headings, "corrected")
    for one in followings:
        cells = [rate_text(one.rate_of(rule)) for rule in (ALL, *broken, FAULTS, *kinds)]
        corrected = f"{one.corrected} of {one.reneges}" if one.reneges else "-"
        table.add_row(_name(one.bot), str(one.decisions), *cells, corrected)
    return table


def _style_table(styles: tuple[Style, ...]) -> Table:
    table = _table("bot", "hand", "deals", "played", "discards", "tricks", "bourrés", "chips/100", justify_second=False)
    for style in styles:
        table.add_row(_name(style.bot), style.strength.value, *_style_cells(style))
    return table


def _style_cells(style: Style) -> list[str]:
    """Cells of a row; discards, tricks and bourrés are means per deal played."""
    counts = (style.discards, style.tricks)
    means = [f"{count / style.played:.2f}" if style.played else "-" for count in counts]
    bourres = f"{style.bourres / style.played:.1%}" if style.played else "-"
    chips = signed(100 * style.chips / style.deals, 1)
    return [str(style.deals), f"{style.played / style.deals:.1%}", *means, bourres, chips]


def _usage_table(usage: Sequence[ReportedUsage]) -> Table:
    per = ("chips/100 calls", "chips/1,000 tokens", "chips/unit of money")
    table = _table("bot", "calls", "tokens in", "tokens out", "cost", *per)
    for used in usage:
        counts = f"{used.calls:,}", f"{used.tokens_in:,}", f"{used.tokens_out:,}", f"{used.cost:,.2f}"
        ratios = used.per_100_calls, used.per_1000_tokens, used.per_unit_of_money
        table.add_row(_name(used.bot), *counts, *("-" if ratio is None else signed(ratio, 2) for ratio in ratios))
    return table


def _print_flow(flow: tuple[PairFlow, ...], say: Callable[[str], None], console: Console) -> None:
    suspicious = [pair for pair in flow if pair.suspicious]
    judged = any(pair.favours for pair in flow)
    say(
        "\nChips per 100 deals from one bot to another, and the chance (p) of more than "
        f"{ALLOWANCE} times the expected flow"
    )
    if judged:
        say(JUDGED)
    shown = flow[: max(FLOWS, len(suspicious))]
    console.print(_flow_table(shown, judged))
    if len(shown) < len(flow):
        say(f"and {len(flow) - len(shown)} more pairs, less unusual than these: --json has all")
    if all(pair.smallest_p is None for pair in flow):
        say("no pair can be tested: that takes tables with and without the other, so more bots than seats")
    for pair in suspicious:
        say(f"look at {printable(pair.payer)}: {_suspicion(pair)}")
    say(UNSEEN_BY_JUDGE if judged else UNSEEN)


def _flow_table(pairs: Sequence[PairFlow], judged: bool) -> Table:
    favours = ("gifts", "p", "comes in", "p", "passes", "p", "cards", "p") if judged else ()
    table = _table("from", "to", "deals", "flow", "expected", "p", *favours, "p of all pairs", justify_second=False)
    for pair in pairs:
        expected = "-" if pair.expected_per_100 is None else unsigned(pair.expected_per_100, 1)
        cells = [str(pair.deals), unsigned(pair.per_100, 1), expected, _chance(pair.p)]
        if pair.favours:
            gifts, *shares = pair.favours.tests
            cells += [signed(gifts.effect, 1), _chance(gifts.p)] if gifts else ["-", "-"]
            for share in shares:
                cells += [f"{share.effect:+.0%}", _chance(share.p)] if share else ["-", "-"]
        table.add_row(_name(pair.payer), _name(pair.taker), *cells, _chance(pair.p_holm))
    return table


def _chance(p: float | None) -> str:
    return "-" if p is None else f"{p:.4f}"


def _suspicion(pair: PairFlow) -> str:
    """Says in words what the test with the smallest p-value found."""
    to, test = printable(pair.taker), pair.p_values.index(pair.smallest_p)
    return (
        f"it pays far more to {to} than to others",
        f"its mistakes cost far more while {to} may win the pot than while others may",
        f"it comes in far more often while {to} may win the pot than while others may",
        f"it passes far more often if {to} is in than if others are",
        f"it plays far lower cards on tricks of {to} than on those of others",
    )[test]


def _table(first: str, *headings: str, justify_second: bool = True) -> Table:
    """Makes an empty table with words on the left and numbers on the right."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(first, no_wrap=True)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number or justify_second else "left", no_wrap=True)
    return table


def _name(bot: str) -> Text:
    return Text(printable(bot))
