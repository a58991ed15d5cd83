"""This Python as a user who is not root and owns nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bourre
import bourre_referee
from bourre_referee.sandbox.bwrap.interpreter import interpreter_of

USER = 1000


def ordinary_command(*words: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """The command and environment by which an ordinary user runs this Python; what root's home holds is mounted."""
    if os.geteuid():
        return (sys.executable, *words), dict(os.environ)
    python = interpreter_of(Path(sys.executable))
    assert python is not None
    binds = {python.prefix: "/python"}
    for package in ("bourre", "bourre_lab", "bourre_seats"):
        binds[Path(bourre.__file__).parents[1] / package] = f"/sdk/{package}"
    binds[Path(bourre_referee.__file__).parent] = "/sdk/bourre_referee"
    folders = ("/sdk", "/venv", "/venv/bin", "/python")
    options = [word for folder in folders for word in ("--perms", "0755", "--dir", folder)]
    options += ["--bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys"]
    options += ["--perms", "1777", "--tmpfs", "/tmp"]
    for name in ("usr", "bin", "sbin", "lib", "lib64", "etc"):
        options += ["--ro-bind-try", f"/{name}", f"/{name}"]
    program = f"/python/bin/{python.name}"
    if python.venv:
        binds[python.venv / "lib"] = "/venv/lib"
        options += ["--symlink", program, "/venv/bin/python"]
        options += ["--perms", "0444", "--ro-bind-data", "9", "/venv/pyvenv.cfg"]
        program = "/venv/bin/python"
    for source, target in binds.items():
        options += ["--ro-bind", str(source), target]
    drop = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--"]
    script = 'exec bwrap "$@" 9<<END\nhome = /python/bin\nEND\n'
    environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": "/python/lib", "PYTHONPATH": "/sdk", "HOME": "/tmp"}
    return ("/bin/sh", "-c", script, "bwrap", *options, "--chdir", "/tmp", "--", *drop, program, *words), environment
