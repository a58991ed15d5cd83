"""A bot's main file: found where forges, file managers and habits put it, and never guessed among several."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.contest.main_file import settle_main_file
from bourre_referee.model.errors import ContestError

NAMES = ("command", "bot.py", "bot.js")
BOT = "from bourre import Bot, run\nclass Mine(Bot):\n    pass\nrun(Mine)\n"
NO_BOT = "def help_out(bot):\n    return bot\n"


def put(folder: Path, files: dict[str, str]) -> Path:
    """Writes these files to a new folder, and returns it."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


CLEAR: dict[str, tuple[dict[str, str], str, set[str]]] = {
    "as asked": ({"bot.py": "", "lib/a.py": ""}, "bot.py", {"bot.py", "lib"}),
    "one folder at the top": ({"mybot-main/bot.py": "", "mybot-main/lib/a.py": ""}, "bot.py", {"bot.py", "lib"}),
    "a folder of its own name": ({"m/m/bot.py": "", "m/m/m/a.py": ""}, "bot.py", {"bot.py", "m"}),
    "one level down": ({"README.md": "", "src/bot.js": "", "tests/a.py": BOT}, "bot.js", {"bot.js"}),
    "a command in a folder": ({"m/command": "", "m/bot.py": ""}, "command", {"command", "bot.py"}),
    "capitals": ({"Bot.py": "", "a.py": BOT}, "Bot.py", {"Bot.py", "a.py"}),
    "all capitals": ({"m/BOT.PY": ""}, "BOT.PY", {"BOT.PY"}),
    "another name": ({"mybot.py": BOT, "helper.py": NO_BOT}, "mybot.py", {"mybot.py", "helper.py"}),
    "the one that starts": (
        {"base.py": BOT.replace("run(Mine)", ""), "mine.py": BOT},
        "mine.py",
        {"base.py", "mine.py"},
    ),
    "a class that nothing starts": ({"mine.PY": "class A(bourre.Bot): pass\n"}, "mine.PY", {"mine.PY"}),
    "JavaScript": ({"mine.js": "class Mine extends Bot {}\nrun(Mine, import.meta.url);\n"}, "mine.js", {"mine.js"}),
}


@pytest.mark.parametrize("kind", CLEAR)
def test_what_is_clear_is_taken(tmp_path: Path, kind: str) -> None:
    files, main, tops = CLEAR[kind]
    folder = put(tmp_path / "place", files)
    assert settle_main_file(folder, NAMES) == main
    assert {path.name for path in folder.iterdir()} == tops
    assert [path.name for path in tmp_path.iterdir()] == ["place"]


UNCLEAR = {
    "nothing": ({}, "no bot.py .it is empty..\nhint: rename your bot's file to bot.py or bot.js, at the top level"),
    "no bot": ({"m/notes.txt": "", "m/a.py": NO_BOT}, "no bot.py .it holds a.py, notes.txt..\nhint"),
    "two bots": (
        {"a.py": BOT, "b.py": BOT},
        "^a.py and b.py may each be the bot.\nhint: rename your bot's file",
    ),
    "two folders": ({"a/bot.py": "", "b/bot.py": ""}, "^a/bot.py and b/bot.py may each be the bot"),
    "here or there": ({"a.py": BOT, "b/bot.py": ""}, "^a.py and b/bot.py may each be the bot"),
    "twins": ({"Bot.py": "", "BOT.py": ""}, "^BOT.py and Bot.py may each be the bot"),
    "too deep": ({"a/b/bot.py": "", "readme": ""}, "it holds a, readme"),
    "a terminal's words": ({"\x1b[2J": ""}, r"it holds \\x1b\[2J"),
    "long names": ({"x" * 200: ""}, "it holds x{59}…"),
}


@pytest.mark.parametrize("kind", UNCLEAR)
def test_what_is_not_clear_is_told_and_stays(tmp_path: Path, kind: str) -> None:
    files, words = UNCLEAR[kind]
    (tmp_path / "place").mkdir()
    folder = put(tmp_path / "place", files)
    with pytest.raises(ContestError, match=words):
        settle_main_file(folder, NAMES)
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == {*files}
