"""Modules that a bot's start imports in vain are loaded at their first use, and only in a bot's process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bourre.bot_code.deferred_imports import NAMES

LOAD = """
import sys
from bourre import Bot, run
class MyBot(Bot): pass
kinds = {name: type(sys.modules[name]).__name__ for name in sys.argv[1:] if name in sys.modules}
"""
USE = """
import inspect, ssl, threading, typing, typing_extensions
found = []
threads = [threading.Thread(target=lambda: found.append(inspect.signature(run))) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 8 and inspect.getsource(inspect.signature).startswith("def signature")
assert ssl.create_default_context().check_hostname and type(ssl) is type(sys) and typing_extensions.Self is typing.Self
for wrong in (lambda: ssl.nothing, lambda: inspect.nothing):
    try: wrong()
    except AttributeError as error: print(error)
"""


def printed(folder: Path, program: str, **variables: str) -> str:
    """What a program beside its files prints."""
    file = folder / "bot.py"
    file.write_text(program, "utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "BOURRE_ADDRESS"} | variables
    command = [sys.executable, str(file), *sorted(NAMES)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert not done.stderr
    return done.stdout.strip()


def test_a_bot_loads_them_at_their_first_use(tmp_path: Path) -> None:
    lines = printed(tmp_path, f"{LOAD}print(set(kinds.values()))\n{USE}", BOURRE_ADDRESS="unix:nowhere").splitlines()
    assert lines == [
        "{'_Deferred'}",
        "module 'ssl' has no attribute 'nothing'",
        "module 'inspect' has no attribute 'nothing'",
    ]


@pytest.mark.parametrize("variables", [{}, {"BOURRE_ADDRESS": "unix:nowhere"}])
def test_a_file_beside_the_bot_and_other_programs_are_loaded_at_once(tmp_path: Path, variables: dict[str, str]) -> None:
    (tmp_path / "calendar.py").write_text("print('mine')\nIllegalMonthError = ValueError\n", "utf-8")
    said = printed(tmp_path, f"{LOAD}print(kinds['calendar'], kinds['ssl'])", **variables)
    assert said == f"mine\nmodule {'_Deferred' if variables else 'module'}"
