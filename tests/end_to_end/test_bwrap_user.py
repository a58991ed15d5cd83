"""Sandboxes made by an ordinary user, and what `bourre doctor` reports to one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import bourre
import bourre_referee
from bourre_referee.sandbox.bwrap.interpreter import interpreter_of

USER = 1000
HINDRANCE = """
import os, sys
from pathlib import Path
from bourre_referee.sandbox.bwrap.bwrap_probe import unavailable_reason
from bourre_referee.model.spec import Entry, Limits

folder = Path("/tmp/contest")
folder.mkdir()
(folder / "bot.py").write_text("")
(folder / "bot.py").chmod(0o600)
entry = Entry("ada", (sys.executable, "bot.py"), folder, ("bot.py",))
print(os.getuid() == 0, unavailable_reason([entry], Limits()))
"""


def as_ordinary_user(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs this Python as a user who is not root and owns nothing; what is in root's closed home is mounted."""
    if os.geteuid():
        return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, timeout=110)
    python = interpreter_of(Path(sys.executable))
    assert python is not None
    binds = {python.prefix: "/python", Path(bourre.__file__).parent: "/sdk/bourre"}
    binds[Path(bourre_referee.__file__).parent] = "/sdk/bourre_referee"
    options = [
        word for folder in ("/sdk", "/venv", "/venv/bin", "/python") for word in ("--perms", "0755", "--dir", folder)
    ]
    options += ["--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys"]
    options += ["--perms", "1777", "--tmpfs", "/tmp"]
    for name in ("usr", "bin", "sbin", "lib", "lib64", "etc"):
        options += ["--ro-bind-try", f"/{name}", f"/{name}"]
    program = f"/python/bin/{python.name}"
    if python.venv:
        binds[python.venv / "lib"] = "/venv/lib"
        options += [
            "--symlink",
            program,
            "/venv/bin/python",
            "--perms",
            "0444",
            "--ro-bind-data",
            "9",
            "/venv/pyvenv.cfg",
        ]
        program = "/venv/bin/python"
    for source, target in binds.items():
        options += ["--ro-bind", str(source), target]
    drop = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--"]
    environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": "/python/lib", "PYTHONPATH": "/sdk", "HOME": "/tmp"}
    script = 'exec bwrap "$@" 9<<END\nhome = /python/bin\nEND\n'
    return subprocess.run(
        ["/bin/sh", "-c", script, "bwrap", *options, "--chdir", "/tmp", "--", *drop, program, *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=110,
    )


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
