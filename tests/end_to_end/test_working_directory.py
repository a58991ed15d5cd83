"""One working directory at every level: the bot's own files, and nothing that it writes reaches its author's folder."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.model.spec import Entry, Isolation, Level
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.sandbox.launch import Credentials
from bourre_referee.sandbox.levels import launcher_of

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


@pytest.fixture
def bot(tmp_path: Path) -> Entry:
    """A bot of three files, beside a contest file and another bot with the name of a module."""
    (tmp_path / "contest").mkdir()
    files = {"bot.py": BOT, "own.py": 'WEIGHTS = open("weights.txt").read()', "weights.txt": "1 2 3"}
    others = {"contest.toml": "", "json.py": "raise SystemExit('imported')"}
    for name, text in {**files, **others}.items():
        (tmp_path / "contest" / name).write_text(text)
    return Entry("ada", (sys.executable, "bot.py"), tmp_path / "contest", tuple(files))


async def printed_by(bot: Entry, isolation: Isolation, place: Path) -> Any:
    """What a bot prints before it ends."""
    credentials = Credentials(place / "seat", "token")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(credentials.socket))
        process = await BotProcess.start(bot, credentials, place / "log", launcher_of(isolation, place / "copies"))
        await process.wait_for_end(30)
        await process.end(0)
    return json.loads((place / "log").read_text())


@pytest.mark.parametrize(("level", "written"), [(Level.NONE, 1), (Level.BWRAP, "Read-only file system")])
def test_a_bot_starts_among_its_own_files(bot: Entry, tmp_path: Path, level: Level, written: object) -> None:
    before = sorted(bot.folder.rglob("*"))
    printed = asyncio.run(printed_by(bot, Isolation(level), tmp_path))
    assert printed == [["bot.py", "own.py", "weights.txt"], "1 2 3", written]
    assert sorted(bot.folder.rglob("*")) == before
