"""Contest files for tests, with the bots that they name and the rooms that play them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_file import load
from bourre_referee.storage.run.manifest import Manifest
from tests.referee.rooms import played

__all__ = ["BOTS", "FILE", "bot", "but_for_its_log", "played", "small_contest", "write_contest"]

BOTS = ("ada", "bob", "cy", "dee", "eve")

FILE = """\
[contest]
name = "small"
seed = 7

[table]
seats = 3
deals = 4

[rules]
preset = "limit"

[schedule]
rounds = 2

[clock]
decision_ms = 100

[isolation]
level = "none"

"""


def bot(name: str) -> str:
    """A bot's lines in a contest file."""
    return f'[[bots]]\nname = "{name}"\ncommand = ["python", "{name}.py"]\n'


def write_contest(folder: Path, text: str = FILE, bots: Sequence[str] = BOTS) -> Path:
    """A contest file, and a file for each of its bots."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in bots:
        (folder / f"{name}.py").write_text(f"print({name!r})\n")
    path = folder / "contest.toml"
    path.write_text(text + "\n".join(map(bot, bots)))
    return path


def small_contest(folder: Path, text: str = FILE) -> Contest:
    """Ten matches of five bots, three at a table, in this folder."""
    return load(write_contest(folder, text))


def but_for_its_log(manifest: Manifest) -> Manifest:
    """What two runs of one contest share, whenever and however often they were begun."""
    return manifest.model_copy(update={"log": ()})
