"""Plays a whole contest of trivial bots, from its file to stored standings, in a temporary folder."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.extent import MANY, SEATS
from bench.room_speed import decisions_in, write_trivial_bot
from bourre_referee.model.errors import ContestFailed
from bourre_referee.storage.database.sqlite_connection import record_bytes
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run

_PROCESS = Path(__file__).with_name("contest_process.py")
_FILE = """
[contest]
name = "bench"
seed = 7
[table]
seats = {seats}
deals = {deals}
tables = {tables}
[schedule]
rounds = {rounds}
[clock]
start_ms = 120000
decision_ms = 30000
match_ms = 3600000
[isolation]
level = "none"
"""
_BOT = """
[[bots]]
name = "trivial{number}"
command = ["python", "trivial_bot.py"]
"""


@dataclass(frozen=True, slots=True)
class ContestTiming:
    """The time and the resources of one contest."""

    deals: int
    decisions: int
    seconds: float
    """The time from the call to its return, with stored standings, without the start of Python."""
    peak_mib: float
    """The sum of the peak memory of the main process and of its largest worker."""
    record_bytes: int
    main_seconds: float
    """Processor seconds of the main process, which collects, stores and rates."""
    room_seconds: float
    """Processor seconds of the workers and all bots."""

    @property
    def decisions_per_second(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds

    @property
    def bytes_per_deal(self) -> float:
        """Bytes of record per deal in the database."""
        return self.record_bytes / self.deals


def play_contest(rounds: int, deals: int, tables: int = MANY, jobs: int | None = None) -> ContestTiming:
    """Plays this many rounds of five matches, each of this many deals. Raises ContestFailed if play fails.

    `jobs` is the number of rooms that play at a time; None means one per core.
    """
    with tempfile.TemporaryDirectory(prefix="bourre-bench-") as place:
        folder = Path(place)
        write_trivial_bot(folder)
        bots = "".join(_BOT.format(number=number) for number in range(SEATS))
        terms = _FILE.format(seats=SEATS, deals=deals, tables=tables, rounds=rounds)
        (folder / "contest.toml").write_text(terms + bots)
        figures = _play_in_a_process(folder / "contest.toml", folder / "run", jobs)
        run = Run.open(folder / "run")
        decisions = sum(decisions_in(match.record) for match in run.stored_matches() if match.record)
        size = record_bytes(FolderLocation(folder / "run").database)
    return ContestTiming(deals=rounds * SEATS * deals, decisions=decisions, record_bytes=size, **figures)


def _play_in_a_process(file: Path, folder: Path, jobs: int | None) -> dict[str, float]:
    """Plays in a separate process, so that the bench's own memory does not count."""
    command = [sys.executable, "-P", str(_PROCESS), str(file), str(folder)]
    command += [] if jobs is None else [str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ContestFailed(f"the contest of the bench failed:\n{done.stderr}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures
