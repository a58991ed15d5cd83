"""Keeps the analysis of a large finished run, whose database and manifest do not change any more."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from bourre_referee.derived.result_cache import ResultCache, database_hash
from bourre_referee.statistics.analysis import Analysis
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.run.run import Run

KIND = "analysis-1"
"""The kind of these results, with the version of the analysis. Raise it when a figure is computed in another way."""


class AnalysedRun(NamedTuple):
    """The standings of a run with their analysis."""

    standings: Standings
    analysis: Analysis


def kept_hash(run: Run, cache: ResultCache) -> str:
    """Returns the hash of the whole database of a large finished run, none of whose rows it reads. Empty for others."""
    return database_hash(run) if cache.of_run(run).folder else ""


def analysis_key(run: Run, database: str, seed: int) -> str:
    """Returns the hash of everything on which the analysis depends. Empty without the hash of the database."""
    manifest = sha256(run.manifest.model_dump_json().encode("utf-8", "surrogatepass")).hexdigest()
    return f"bourre {version('bourre')} {database} {manifest} {seed}" if database else ""


def load_analysis(cache: ResultCache, key: str) -> AnalysedRun | None:
    """Returns what is kept under this key."""
    content = cache.read(KIND, key) if key else None
    try:
        return None if content is None else TypeAdapter(AnalysedRun).validate_json(content)
    except ValidationError:
        return None


def store_analysis(cache: ResultCache, key: str, analysed: AnalysedRun) -> None:
    """Keeps the analysis under this key, if it is not empty."""
    if key:
        cache.write(KIND, key, TypeAdapter(AnalysedRun).dump_json(analysed))
