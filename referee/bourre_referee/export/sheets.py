"""The form `csv`: results for a spreadsheet, without records."""

from __future__ import annotations

import csv
from pathlib import Path

from bourre_referee.contest.folder import RunFolder
from bourre_referee.export.jsonl import whole_matches
from bourre_referee.kept import KeptMatch, KeptSeat
from bourre_referee.standings import RENEGE_RULES, as_text

MATCH = ("number", "match", "deals", "attempt", "isolation", "sha256")
SEAT = ("bot", "chips", "rank", "wins", "bourres", "reneges", "faults", "house_deals")

README = """\
A contest of Bourré for a spreadsheet. The form jsonl has the records too, and can be verified.

standings.csv   the standings
matches.csv     a line for each finished match
seats.csv       a line for each seat of each match
"""


def write_csv(run: RunFolder, folder: Path) -> None:
    """Writes the run into this empty folder."""
    (folder / "README.txt").write_text(README, "utf-8")
    (folder / "standings.csv").write_text(run.standings().to_csv(), "utf-8")
    with (
        (folder / "matches.csv").open("w", encoding="utf-8", newline="") as matches,
        (folder / "seats.csv").open("w", encoding="utf-8", newline="") as seats,
    ):
        match_sheet, seat_sheet = (csv.writer(sheet, lineterminator="\n") for sheet in (matches, seats))
        match_sheet.writerow(MATCH)
        seat_sheet.writerow(("match", "seat", *SEAT, *(f"reneges_{rule}" for rule in RENEGE_RULES)))
        for match in whole_matches(run):
            match_sheet.writerow(_match_cells(match))
            seat_sheet.writerows(_seat_cells(match.match, seat, row) for seat, row in enumerate(match.seats))


def _match_cells(match: KeptMatch) -> list[object]:
    return [match.number, match.match, match.deals, match.attempt, match.isolation, match.sha256.hex()]


def _seat_cells(match: str, seat: int, row: KeptSeat) -> list[object]:
    by_rule = dict(row.reneges_by_rule)
    bot, *numbers = (getattr(row, column) for column in SEAT)
    return [match, seat, as_text(bot), *numbers, *(by_rule.get(rule, 0) for rule in RENEGE_RULES)]
