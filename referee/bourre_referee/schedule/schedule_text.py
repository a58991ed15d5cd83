"""A schedule in words and as JSON: who sits where, and how even it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from bourre_referee.schedule import Balance, Schedule


def document(schedule: Schedule, names: Sequence[str]) -> str:
    """One JSON document: the matches in order, and the balance reached."""
    balance = schedule.balance
    values = {
        "matches": [{"seats": [names[bot] for bot in line_up]} for line_up in schedule.line_ups],
        "balance": {
            "seat_spread": balance.seat,
            "pair_spread": balance.pair,
            "left_neighbour_spread": balance.neighbour,
        },
    }
    return json.dumps(values)


def lines(schedule: Schedule, names: Sequence[str]) -> Iterator[str]:
    """The balance first, then a line for each match."""
    size = f"{len(schedule.line_ups)} matches of {schedule.bots} bots at tables of {schedule.seats}"
    yield f"{size}: {_rounds(schedule)}"
    yield from balance_lines(schedule)
    width = len(str(len(schedule.line_ups)))
    for number, line_up in enumerate(schedule.line_ups, start=1):
        yield f"{number:>{width}}  {' '.join(names[bot] for bot in line_up)}"


def balance_lines(schedule: Schedule) -> Iterator[str]:
    """How even it is: a line about seats, and where meetings are not given, one about meetings."""
    balance = schedule.balance
    yield f"seats: every bot sits equally often in every seat{_beyond(balance.seat)}"
    if schedule.groups is None or len(schedule.groups) < schedule.bots:
        yield f"meetings: {_meetings(schedule, balance)}"


def _meetings(schedule: Schedule, balance: Balance) -> str:
    among = "every two bots" if schedule.groups is None else "every two bots of the field"
    pairs = f"{among} meet equally often{_beyond(balance.pair)}"
    if balance.pair > 1:
        pairs += ", the least that was found"
    return f"{pairs}; as left neighbours too{_beyond(balance.neighbour)}"


def _beyond(spread: int) -> str:
    return f" but for a difference of {spread}" if spread else ""


def _rounds(schedule: Schedule) -> str:
    rest = len(schedule.line_ups) - schedule.rounds * schedule.bots
    rounds = f"{schedule.rounds} round{'s' if schedule.rounds != 1 else ''}"
    return f"{rounds} and {rest} tables" if rest else rounds
