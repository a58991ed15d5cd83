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
        raise BadUsage("bench is a tool for people who change this project: in a clone, run python3 dev.py bench")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = (sys.executable, "-m", "bench", *words.args)
    os.execve(command[0], command, os.environ | {"PYTHONPATH": path})
