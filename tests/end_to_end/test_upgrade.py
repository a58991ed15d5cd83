"""A run that the last release began is opened, continued and verified by this one, to the same digest."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dev

LAST_RELEASE = "2464811e44ee7490b4389d6e1501d5e57a93f137"
"""The commit of 0.2.0, with the changelog of a first release."""
CONTEST = """
[contest]
name = "upgrade"
seed = 7
[table]
seats = 3
deals = 3
[schedule]
kind = "round-robin"
rounds = 2
[clock]
start_ms = 60000
decision_ms = 60000
[isolation]
level = "none"
"""
BOTS = ("tight", "lowest", "signals")
SIGNALS = """
from pathlib import Path
from bourre import Bot, run

folder = Path({folder!r})
with (folder / "starts").open("a") as starts:
    starts.write("x")
if (folder / "starts").stat().st_size == 3:
    (folder / "third").open("w").close()  # waits until the test has opened it too

class Signals(Bot):
    pass

run(Signals)
"""
"""A bot that tells the test when the third match begins."""

pytestmark = [pytest.mark.long, pytest.mark.timeout(1200)]  # installs a release of its own


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The command `bourre` of the last release, in an environment of its own."""
    source, environment = tmp_path / "source", tmp_path / "environment"
    source.mkdir()
    archive = subprocess.run(("git", "archive", LAST_RELEASE), cwd=dev.ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("this clone has not the commit of the last release: git fetch --unshallow")
    subprocess.run(("tar", "-x"), cwd=source, input=archive.stdout, check=True)
    subprocess.run((sys.executable, "-m", "venv", "--without-pip", environment), check=True)
    locked = (source / "requirements.lock").read_text("utf-8")
    (tmp_path / "pins").write_text("\n".join(re.findall(r"^([a-z0-9].*?)(?: \\)?$", locked, re.MULTILINE)), "utf-8")
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", environment / "bin/python", "install")
    variables = os.environ | {"PIP_CONSTRAINT": str(tmp_path / "pins"), "BOURRE_COMPILE": "no"}
    subprocess.run((*pip, f"{source}[referee]"), env=variables, check=True)
    return environment / "bin/bourre"


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """A contest file of six matches, next to its bots."""
    folder = tmp_path / "contest"
    folder.mkdir()
    for bot in BOTS[:2]:
        (folder / f"{bot}.py").write_text((dev.ROOT / f"examples/{bot}.py").read_text("utf-8"), "utf-8")
    (folder / "signals.py").write_text(SIGNALS.format(folder=str(tmp_path)), "utf-8")
    os.mkfifo(tmp_path / "third")
    bots = [f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{bot}.py"]\n' for bot in BOTS]
    (folder / "contest.toml").write_text(CONTEST + "".join(bots), "utf-8")
    return folder / "contest.toml"


def told(command: Path, *words: str | Path, code: int = 0) -> str:
    """What a command prints, which must end with this code."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run((command, *words), env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def manifest(run: Path) -> Any:
    return json.loads((run / "manifest.json").read_text("utf-8"))


def test_a_run_of_the_last_release_is_continued_to_its_digest(before: Path, contest: Path, tmp_path: Path) -> None:
    now = Path(sys.prefix, "bin/bourre")
    words = ("run", contest, "--jobs", "1", "--out")
    begun = subprocess.Popen((before, *words, tmp_path / "begun"), stderr=subprocess.PIPE, text=True)
    (tmp_path / "third").open().close()
    begun.send_signal(signal.SIGINT)
    assert "run again to go on from there" in begun.communicate()[1]
    assert 2 <= manifest(tmp_path / "begun")["finished"] < 6

    assert "upgrade" in told(now, "standings", tmp_path / "begun", "--json")
    assert "bourre 0.2.0 has played this run so far, and bourre" in told(now, *words, tmp_path / "begun")
    assert "no difference in the rest" in told(now, "verify", tmp_path / "begun")
    told(before, *words, tmp_path / "whole")
    assert manifest(tmp_path / "begun")["digest"] == manifest(tmp_path / "whole")["digest"] is not None
    assert "no difference in the rest" in told(now, "verify", tmp_path / "whole")
    assert "manifest.json" in told(before, "standings", tmp_path / "begun", code=2)  # the way back is refused
