"""What a starter folder holds and what its author does first, in each language that has one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One language; its templates lie in the folder of its name."""

    name: str
    bot: str
    """The file that its author edits."""
    entry: str
    """How the bot is started, as lines of a contest file."""
    steps: tuple[str, ...]
    """Commands to try, in the new folder, one after another."""


PYTHON = Language(
    name="python",
    bot="bot.py",
    entry='command = ["python", "bot.py"]  # of several files: files = ["bot.py", "brain.py"]',
    steps=(
        "python -m pytest",
        "bourre practice bot.py --against tight,random",
        "bourre check bot.py",
        "bourre run contest.toml",
    ),
)
NODE = Language(
    name="node",
    bot="bot.js",
    entry="""\
command = ["node", "bot.js"]
files = ["bot.js", "package.json", "sdk", "node_modules"]  # all it can read in a box; `npm ci` makes the last""",
    steps=("npm ci", "npm test", 'bourre check --command "node bot.js" --files .', "bourre run contest.toml"),
)
LANGUAGES = {language.name: language for language in (PYTHON, NODE)}
