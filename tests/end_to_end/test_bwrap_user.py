"""Sandboxes made by an ordinary user, and what `bourre doctor` reports to one."""

from __future__ import annotations

import json
import subprocess

from tests.end_to_end.ordinary_user import ordinary_command

HINDRANCE = """
import os, sys
from pathlib import Path
from bourre_referee.sandbox.bwrap.bwrap_probe import unavailable_reason
from bourre_referee.model.spec import BotEntry, Limits

folder = Path("/tmp/contest")
folder.mkdir()
(folder / "bot.py").write_text("")
(folder / "bot.py").chmod(0o600)
entry = BotEntry("ada", (sys.executable, "bot.py"), folder, ("bot.py",))
print(os.getuid() == 0, unavailable_reason([entry], Limits()))
"""


def as_ordinary_user(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs this Python to its end."""
    command, environment = ordinary_command(*words)
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=110)


def test_an_ordinary_user_makes_boxes_too() -> None:
    done = as_ordinary_user("-c", HINDRANCE)
    assert (done.stdout, done.stderr) == ("False None\n", "")


def test_the_doctor_tells_an_ordinary_user_what_there_is() -> None:
    done = as_ordinary_user("-m", "bourre_referee", "doctor", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    found = {check["check"]: check for check in report["checks"]}
    assert (report["playable"], report["level"]) == (True, "bwrap")
    assert all(found[name]["ok"] for name in ("python", "grpc", "database", "bubblewrap", "namespaces", "box"))
