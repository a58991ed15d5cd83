"""Keeps answers to repeated questions: the schedule that a search found, and a bot's play of the fixed deals."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

from bourre_referee.contest.schedule.annealing import Rows, SearchCache
from bourre_referee.derived.result_cache import ResultCache

SCHEDULES = "schedules-1"
"""The version of the searches. Raise it when they find different schedules."""

WORTH_KEEPING = 50
"""The size, in numbers, from which a schedule is kept. A smaller one is found as fast as it is read."""

Records = tuple[str, ...]
"""The record of each match."""


def schedule_searches(cache: ResultCache) -> SearchCache:
    """Returns the cache of schedule searches."""
    return partial(_search, cache)


def _search(cache: ResultCache, name: str, find: Callable[[], Rows]) -> Rows:
    if (kept := cache.read(SCHEDULES, name)) is not None:
        return tuple(tuple(row) for row in json.loads(kept))
    found = find()
    if sum(map(len, found)) >= WORTH_KEEPING:
        cache.write(SCHEDULES, name, json.dumps(found).encode())
    return found


def fixed_deal_records(cache: ResultCache, bot: str, play: Callable[[], Records | None]) -> Records | None:
    """Returns a bot's records of the fixed deals. `bot` describes the bot with all its files.

    The same version of the referee asks a bot only once, unless the bot did not play to the end.
    """
    kind = f"quizzes-{version('bourre')}"
    if (kept := cache.read(kind, bot)) is not None:
        return tuple(json.loads(kept))
    if (records := play()) is not None:
        cache.write(kind, bot, json.dumps(records).encode())
    return records
