"""Records of matches with bad answers, in both formats, and the rows that an export makes of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bourre.record import DealRecord, Header, Recorder, duplicate_text
from bourre.record.record import chance_of
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre_referee.export.record_rows import record_rows
from bourre_referee.export.table_rows import DealRow, DecisionRow
from tests.sdk.random_answers import play_randomly
from tests.sdk.recorded import header, recorded

LIMIT = HouseRules.preset("limit")


def session(seats: int = 4, house: HouseRules = LIMIT, dice: int = 0, deals: int = 4, mischief: float = 0.1) -> str:
    """A record of format `session`."""
    return recorded(header(seats=seats, deals=deals, house=house), dice, mischief)[0]


def duplicate(seats: int = 3, house: HouseRules = LIMIT, dice: int = 0, deals: int = 2) -> str:
    """A record of format `duplicate`, with stakes, in which the bots rotate around the table."""
    head = replace(header(seats=seats, deals=deals, house=house), format="duplicate", stakes=(0, 2))
    playings = []
    for deal in range(1, deals + 1):
        for seating in range(1, seats + 1):
            line_up = tuple((seat + seating) % seats for seat in range(seats))
            played = _played(head, deal, Random(f"{dice} {deal} {seating}"))
            playings.append(replace(played, seating=seating, line_up=line_up))
    return duplicate_text(head, playings)


def _played(head: Header, deal: int, dice: Random) -> DealRecord:
    match = Match(len(head.bots), head.deals, head.house, chance_of(head), only=deal)
    recorder = Recorder(head)
    finished: list[DealRecord] = []
    for seat, action, events in play_randomly(match, dice, 0.1):
        recorder.note(seat, action, events)
        finished += recorder.finished
    (played,) = finished
    return played


def rows(text: str) -> tuple[list[DealRow], list[DecisionRow]]:
    """The rows of a record: deals, decisions."""
    found = list(record_rows(text, "here"))
    return [row for row in found if isinstance(row, DealRow)], [row for row in found if isinstance(row, DecisionRow)]
