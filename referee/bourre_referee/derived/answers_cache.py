"""Keeps the answers to questions that are asked again and again: how a schedule was found, how a bot played a quiz."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

from bourre_referee.contest.schedule.annealing import Rows, SearchCache
from bourre_referee.derived.result_cache import ResultCache

SCHEDULES = "schedules-1"
"""The version of the searches: raise it when they find something else."""

WORTH_KEEPING = 50
"""How many numbers a schedule must have to be kept: a smaller one is found as fast as it is read."""

Records = tuple[str, ...]
"""The record of each match."""


def schedule_searches(cache: ResultCache) -> SearchCache:
    """Returns what searches for schedules look up in this cache."""
    return partial(_search, cache)


def _search(cache: ResultCache, name: str, find: Callable[[], Rows]) -> Rows:
    if (kept := cache.read(SCHEDULES, name)) is not None:
        return tuple(tuple(row) for row in json.loads(kept))
    found = find()
    if sum(map(len, found)) >= WORTH_KEEPING:
        cache.write(SCHEDULES, name, json.dumps(found).encode())
    return found


def quizzed(cache: ResultCache, bot: str, play: Callable[[], Records | None]) -> Records | None:
    """Returns how a bot, which `bot` describes with all its files, played the deals that all are given.

    No bot is asked twice by the same version of the referee, except one that did not play to the end.
    """
    kind = f"quizzes-{version('bourre')}"
    if (kept := cache.read(kind, bot)) is not None:
        return tuple(json.loads(kept))
    if (records := play()) is not None:
        cache.write(kind, bot, json.dumps(records).encode())
    return records
