"""`bourre benchmark`: starts the project's own measurement, which a clone has and a wheel has not."""

import os
import sys
from pathlib import Path

import typer

from bourre_referee.cli.exit_codes import BadUsage


def benchmark(words: typer.Context) -> None:
    """Measure how fast this machine plays, in a clone of the project.

    It is python3 dev.py bench, which has its options: python3 dev.py bench --help.
    """
    folders = (parent / "benchmarks" for parent in Path(__file__).parents)
    folder = next((folder for folder in folders if (folder / "bench").is_dir()), None)
    if folder is None:
        raise BadUsage(
            "The benchmark belongs to a clone of the project, and this is an installed package.\n"
            "hint: run python3 dev.py bench in a clone"
        )
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = (sys.executable, "-m", "bench", *words.args)
    os.execve(command[0], command, os.environ | {"PYTHONPATH": path})
