"""The same true sentence from every command that gets a folder without what it looks for."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from bourre_referee.model.errors import ContestError

RUN_HINT = "hint: pass a results folder, such as runs/demo"


def no_run(folder: Path) -> ContestError:
    """Returns the error for a folder that holds no run, or does not exist."""
    if not folder.is_dir():
        return ContestError(f"No folder '{folder}'.\n{RUN_HINT}")
    return ContestError(f"'{folder}' is not a results folder, because it has no manifest.json.\n{RUN_HINT}")


def no_ladder(folder: Path) -> ContestError:
    """Returns the error for a folder that holds no ladder, or does not exist."""
    hint = f"hint: bourre ladder init {quote(str(folder))} ladder.toml"
    if not folder.is_dir():
        return ContestError(f"No folder '{folder}'.\n{hint}")
    return ContestError(f"'{folder}' is not a ladder, because it has no ladder.jsonl.\n{hint}")
