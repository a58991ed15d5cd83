"""One working directory at every level: the bot's own files, and nothing that it writes reaches its author's folder."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.contest.contest_file import load
from bourre_referee.model.spec import BotEntry, Isolation, Level
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.launch import Credentials
from bourre_referee.sandbox.levels import launcher_of
from tests.referee.contests import FILE, write_contest

BOT = """
import json
from pathlib import Path
here = sorted(str(path) for path in Path().rglob("*") if "__pycache__" not in path.parts)
from own import WEIGHTS
def written():
    try:
        return Path("debug.log").write_text("x")
    except OSError as error:
        return error.strerror
print(json.dumps([here, WEIGHTS, written()]))
"""


FILES = {"bot.py": BOT, "own.py": 'WEIGHTS = open("weights.txt").read()', "weights.txt": "1 2 3"}
LISTED = '["python", "bot.py"]\nfiles = ["bot.py", "own.py", "weights.txt"]'


@pytest.fixture(params=["", "bots/ada/"], ids=["beside the contest file", "in a folder of its own"])
def bot(request: pytest.FixtureRequest, tmp_path: Path) -> BotEntry:
    """A bot of three files, which need no list in a folder of their own, and another bot with the name of a module."""
    others = '[[bots]]\nname = "{}"\ncommand = ["python", "json.py"]\n'
    command = f'["python", "{request.param}bot.py"]' if request.param else LISTED
    file = tmp_path / "contest" / request.param / "bot.py"
    file.parent.mkdir(parents=True)
    for name, text in FILES.items():
        file.with_name(name).write_text(text)
    (tmp_path / "contest" / "json.py").write_text("raise SystemExit('imported')")
    bots = f'[[bots]]\nname = "ada"\ncommand = {command}\n{others.format("bob")}{others.format("cy")}'
    return load(write_contest(tmp_path / "contest", FILE + bots, ())).entries[0]


async def printed_by(bot: BotEntry, isolation: Isolation, place: Path) -> Any:
    """What a bot prints before it ends."""
    credentials = Credentials(place / "seat", "token")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(credentials.socket))
        process = await BotProcess.start(bot, credentials, place / "log", launcher_of(isolation, place / "copies"))
        await process.wait_for_end(30)
        await process.end(0)
    return json.loads((place / "log").read_text())


@pytest.mark.parametrize(("level", "written"), [(Level.NONE, 1), (Level.BWRAP, "Read-only file system")])
def test_a_bot_starts_among_its_own_files(bot: BotEntry, tmp_path: Path, level: Level, written: object) -> None:
    before = sorted(tmp_path.glob("contest/**/*"))
    printed = asyncio.run(printed_by(bot, Isolation(level), tmp_path))
    assert printed == [["bot.py", "own.py", "weights.txt"], "1 2 3", written]
    assert sorted(tmp_path.glob("contest/**/*")) == before
