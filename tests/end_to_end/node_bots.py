"""Folders of `bourre new --lang node` with their packages installed, once for all workers of a test run."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bourre_referee.evaluation.starters.starter import NODE, make
from bourre_referee.model.spec import BotEntry

FILES = ("bot.js", "package.json", "sdk", "node_modules")


def installed(factory: pytest.TempPathFactory) -> Path:
    """A new folder after `npm ci`, shared by all workers; no test may write to it."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / "nodebot", shared / "nodebot.installed"
    with (shared / "nodebot.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not done.exists():
            make(folder, NODE)
            run = subprocess.run(["npm", "ci"], cwd=folder, capture_output=True, text=True, check=False)
            assert run.returncode == 0, run.stderr
            done.touch()
    return folder


def with_bot(source: Path, code: str, folder: Path) -> Path:
    """A copy of this folder with another bot in it."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(source / "node_modules")
    (folder / "bot.js").write_text(code)
    return folder


def entry_of(folder: Path, name: str) -> BotEntry:
    """The entry for the bot in a folder."""
    node = shutil.which("node")
    assert node
    return BotEntry(name, (node, "bot.js"), folder, (*FILES, *(file.name for file in folder.glob("good.js"))))
