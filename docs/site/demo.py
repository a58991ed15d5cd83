"""The example contest as static pages, played anew: always the same bots and deals."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

CONTEST = Path(__file__).parents[2] / "examples/contest.toml"


def export_demo(out: Path) -> None:
    """Plays the example contest and writes its standings and replays into a new folder."""
    with tempfile.TemporaryDirectory() as place:
        run = Path(place, "run")
        bourre("run", CONTEST, "--out", run)
        bourre("export", run, "--format", "site", "--out", out)


def bourre(*words: str | Path) -> None:
    """Runs a command, of which only the messages are shown."""
    subprocess.run([sys.executable, "-m", "bourre_referee", *map(str, words)], check=True, stdout=subprocess.DEVNULL)
