"""The languages of starters: what a folder holds, and what to do first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """One language; its templates are in the folder of that name."""

    name: str
    bot: str
    """The file that the author edits."""
    entry: str
    """The lines of a contest file that start the bot."""
    steps: tuple[str, ...]
    """Commands to try in the new folder, in this order."""


PYTHON = Language(
    name="python",
    bot="bot.py",
    entry='command = ["python", "bot.py"]  # with more files: files = ["bot.py", "brain.py"]',
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
files = ["bot.js", "package.json", "sdk", "node_modules"]  # all it can read when isolated; `npm ci` makes the last""",
    steps=("npm ci", "npm test", 'bourre check --command "node bot.js" --files .', "bourre run contest.toml"),
)
LANGUAGES = {language.name: language for language in (PYTHON, NODE)}
