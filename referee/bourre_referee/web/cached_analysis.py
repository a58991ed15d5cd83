"""Makes the documents of `bourre stats --json` and `bourre verify`, in a separate process."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from bourre.rules.errors import BourreError
from bourre_referee.derived.result_cache import ResultCache
from bourre_referee.derived.run_analysis import analyse_run
from bourre_referee.statistics.analysis import analysis_json
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.versions import versions
from bourre_referee.text.names import printable
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from bourre_referee.verify.verify_text import lines


@dataclass(frozen=True, slots=True)
class AnalysisTask:
    """A run to analyse, and the cache for its results."""

    place: RunLocation
    cache: ResultCache


def analyse_folder(task: AnalysisTask) -> tuple[str, str]:
    """Returns the document, or the reason why there is none."""
    try:
        run = Run.open(task.place)
        table, analysis = analyse_run(run, task.cache, jobs=1)
        return analysis_json(table, analysis, run.published_usage()), ""
    except BourreError as error:
        return "", str(error)


def check_folder(place: RunLocation) -> tuple[str, str]:
    """Returns the output of `bourre verify` for a run, with release and time, or the reason why there is none."""
    by = f"checked    by bourre {versions().bourre} on this server, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    try:
        return "\n".join((by, *lines(verify(source_of(place), jobs=1)))), ""
    except Difference as difference:
        return f"{by}\ndifference: {printable(str(difference))}", ""
    except BourreError as error:
        return "", str(error)
