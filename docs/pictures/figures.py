"""The drawings of docs/statistics.md, one for each figure: `.venv/bin/python -m docs.pictures.figures`.

All but one show the demo, which is played for them. `luck.svg` shows the comparison of docs/compare.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from bourre_referee.derived.run_standings import standings_of
from bourre_referee.export.plots.contest_plots import chip_histories
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.field_verdict import FieldVerdict, judge_field
from bourre_referee.statistics.match_sums import Tally
from bourre_referee.statistics.ranking import INNER_LEVEL
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.run.run import Run
from docs.pictures.drawing import Axis, Drawing, Tone
from docs.site.demo import CONTEST

HERE = Path(__file__).parent
COMPARED = ("compare", "tight", "loose", "--in-process", "--seed", "5", "--json")
BETTER = 10
"""The exit code of `bourre compare` if the first bot is better."""
WIDTH, NAMES, ROW, TOP = 480, 108, 22, 20
"""In pixels: narrow enough for phones to show words of a readable size."""
AXIS = 40
"""The height of an axis."""
TONES: tuple[Tone, ...] = ("blue", "ink", "orange")
POINTS = 200
"""More than a bot of the demo has matches."""


def main() -> None:
    """Plays the demo and draws; the pictures lie beside this file."""
    with tempfile.TemporaryDirectory() as place:
        bourre("run", str(CONTEST), "--out", f"{place}/demo")
        run = Run.open(Path(place, "demo"))
        drawings = drawings_of(standings_of(run), run.results(), json.loads(bourre(*COMPARED, code=BETTER)))
    for name, drawing in drawings.items():
        (HERE / f"{name}.svg").write_text(drawing.svg(), "utf-8")


def bourre(*words: str, code: int = 0) -> str:
    """Returns what a command prints on stdout."""
    done = subprocess.run(
        [sys.executable, "-m", "bourre_referee", *words], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != code:
        sys.exit(f"bourre {words[0]} ended with {done.returncode}, not with {code}")
    return done.stdout


def drawings_of(table: Standings, results: Sequence[MatchResult], compared: dict[str, Any]) -> dict[str, Drawing]:
    """Returns each drawing by its name."""
    return {
        "effect": draw_effects(table),
        "bracket": draw_brackets(table),
        "score": draw_scores(table),
        "chips": draw_chips(table, results),
        "luck": draw_luck(compared),
        "deals": draw_deals(table, results),
    }


def rows_of(table: Standings, title: str, axis: bool = True) -> tuple[Drawing, dict[str, float]]:
    """Returns a drawing with the bots' names and room for an axis, and the height of each."""
    drawing = Drawing(WIDTH, TOP + ROW * len(table.ranked) + (AXIS if axis else 0), title)
    heights = {row.bot: TOP + ROW * (row.rank or 0) - ROW / 2 for row in table.ranked}
    for bot, y in heights.items():
        drawing.text((NAMES - 8, y), bot, anchor="end")
    return drawing, heights


def draw_effects(table: Standings) -> Drawing:
    """Draws each effect as a dot on its interval."""
    drawing, heights = rows_of(table, "Effects and intervals of the demo")
    ends = [end for row in table.ranked for end in row.effect95 or (row.effect or 0.0,)]
    axis = Axis.over(ends, NAMES, WIDTH - 26)
    axis.draw(drawing, TOP, drawing.height - AXIS, "chips per 100 deals above the mean")
    for row in table.ranked:
        if row.effect is not None and row.effect95 is not None:
            y = heights[row.bot]
            drawing.line([(axis.place(end), y) for end in row.effect95], "blue", 2.5)
            drawing.dot((axis.place(row.effect), y), "blue")
    return drawing


def draw_brackets(table: Standings) -> Drawing:
    """Draws each bracket beside the names that it ties."""
    drawing, heights = rows_of(table, "Brackets of the demo", axis=False)
    for place, tied in enumerate(table.ties or ()):
        x, top, bottom = NAMES + 14.0 + 16 * place, heights[tied[0]] - 6, heights[tied[-1]] + 6
        drawing.line([(x - 8, top), (x, top), (x, bottom), (x - 8, bottom)], "blue", 2)
        drawing.text((NAMES + 60, (top + bottom) / 2), f"these {len(tied)} are not told apart", "blue")
    alone = [row.bot for row in table.ranked if not any(row.bot in tied for tied in table.ties or ())]
    for bot in alone:
        drawing.text((NAMES + 60, heights[bot]), "told apart from all others")
    return drawing


def draw_scores(table: Standings) -> Drawing:
    """Draws mu as a dot, and the score three sigma to its left."""
    drawing, heights = rows_of(table, "Ratings and scores of the demo")
    rated = [(row.bot, row.mu, row.score) for row in table.ranked if row.mu is not None and row.score is not None]
    axis = Axis.over([end for _, mu, score in rated for end in (mu, score)], NAMES, WIDTH - 26)
    axis.draw(drawing, TOP, drawing.height - AXIS, "TrueSkill; 25 is the mean")
    for bot, mu, score in rated:
        y, right, left = heights[bot], axis.place(mu), axis.place(score)
        drawing.line([(right, y), (left, y)], "faint", 2)
        drawing.line([(left, y - 7), (left, y + 7)], "orange", 3)
        drawing.dot((right, y), "blue")
    _, mu, score = rated[0]
    drawing.text((axis.place(score), TOP - 8), "score", "orange", "middle")
    drawing.text((axis.place(mu), TOP - 8), "mu", "blue", "middle")
    return drawing


def draw_chips(table: Standings, results: Sequence[MatchResult]) -> Drawing:
    """Draws the chips of the first, the middle and the last bot after each match, and the mean slope of each."""
    drawing = Drawing(WIDTH, 240, "Chips of three bots of the demo, match by match")
    ranked = table.ranked
    shown = [row.bot for row in (ranked[0], ranked[-3], ranked[-1])]
    histories = chip_histories(results, shown, POINTS)
    chips = [each for history in histories for each in history.chips]
    across = Axis.over([deals for history in histories for deals in history.deals], 12, WIDTH - 180)
    up = Axis((min(chips), max(chips)), 190, 24)
    across.draw(drawing, 10, 200, "deals")
    drawing.line([(across.first, up.place(0)), (across.last, up.place(0))], "faint")
    for history, tone in zip(histories, TONES, strict=True):
        points = [(across.place(deals), up.place(won)) for deals, won in zip(history.deals, history.chips, strict=True)]
        drawing.line([points[0], points[-1]], tone, 1, dashed=True)
        drawing.line(points, tone, 2)
        row = next(row for row in ranked if row.bot == history.bot)
        drawing.text((across.last + 8, points[-1][1] - 8), f"{row.bot}: {row.chips:+,} chips", tone)
        drawing.text((across.last + 8, points[-1][1] + 8), f"{row.chips_per_100:+.1f} per 100 deals", tone)
    return drawing


def draw_luck(compared: dict[str, Any]) -> Drawing:
    """Draws the difference of two bots as played, and less luck."""
    drawing = Drawing(WIDTH, 130, "The difference of two bots, as played and less luck")
    axis = Axis.over([0, *compared["raw"]["ci95"], *compared["adjusted"]["ci95"]], NAMES, WIDTH - 26)
    axis.draw(drawing, 10, 80, f"{compared['first']} - {compared['second']}, in chips per 100 deals")
    lines: tuple[tuple[float, str, str, Tone], ...] = (
        (30, "as played", "raw", "orange"),
        (60, "less luck", "adjusted", "blue"),
    )
    for y, words, key, tone in lines:
        drawing.text((NAMES - 8, y), words, anchor="end")
        drawing.line([(axis.place(end), y) for end in compared[key]["ci95"]], tone, 2.5)
        drawing.dot((axis.place(compared[key]["chips_per_100"]), y), tone)
    return drawing


def draw_deals(table: Standings, results: Sequence[MatchResult]) -> Drawing:
    """Draws how many pairs were told apart after each match."""
    drawing = Drawing(WIDTH, 240, "Pairs that the demo tells apart, match by match")
    bots = sorted(row.bot for row in table.rows)
    pairs = len(bots) * (len(bots) - 1) // 2
    counts, tally = [0], Tally()
    for number, match in enumerate(results, start=1):
        tally.add(match, number)
        counts.append(count_apart(judge_field(tally.rows, bots, INNER_LEVEL)))
    across, up = Axis.over((0, len(results)), 32, WIDTH - 20), Axis.over((0, pairs), 190, 10)
    across.draw(drawing, 10, 190, f"matches of {results[0].playings} deals")
    for level in up.ticks:
        drawing.line([(across.first, up.place(level)), (across.last, up.place(level))], "faint", 0.4)
        drawing.text((across.first - 8, up.place(level)), f"{level:g}", "faint", "end")
    points = [(across.place(number), up.place(count)) for number, count in enumerate(counts)]
    drawing.line(points, "blue", 2.5)
    drawing.text((across.last, points[-1][1] - 12), f"{counts[-1]} of {pairs} pairs told apart", "blue", "end")
    return drawing


def count_apart(verdict: FieldVerdict) -> int:
    """Returns how many pairs of the bots that have enough matches are told apart."""
    tested = sorted({*verdict.effects}.difference(verdict.too_few))
    tied = {pair for bracket in verdict.brackets for pair in combinations(sorted(bracket), 2)}
    return sum(pair not in tied for pair in combinations(tested, 2))


if __name__ == "__main__":
    main()
