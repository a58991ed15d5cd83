"""What the referee reads of the file that a bot's command starts, and of what lies beside it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bourre.bot_code.start_diagnosis import diagnose
from bourre_referee.model.spec import Entry
from bourre_referee.sandbox.started_file import read_started_file

OPENS = """Traceback (most recent call last):
  File "/bot/bot.py", line 3, in <module>
    W = open("weights.txt").read()
        ^^^^^^^^^^^^^^^^^^^
FileNotFoundError: [Errno 2] No such file or directory: 'weights.txt'
"""
IMPORTS = """Traceback (most recent call last):
  File "/bot/bot.py", line 1, in <module>
    import own
ModuleNotFoundError: No module named 'own'
"""


@pytest.fixture(params=["", "bots"])
def entry(request: pytest.FixtureRequest, tmp_path: Path) -> Entry:
    """A bot whose `files` lack two of its own, beside the file of another bot."""
    place = tmp_path / request.param
    place.mkdir(exist_ok=True)
    for name in ("bot.py", "weights.txt", "own.py", "grpc.py"):
        (place / name).write_text(name)
    listed = Path(request.param, "bot.py").as_posix()
    return Entry("ada", (sys.executable, "bot.py"), tmp_path, (listed,), own_folder=request.param)


@pytest.mark.parametrize(("printed", "name"), [(OPENS, "weights.txt"), (IMPORTS, "own.py")])
def test_the_line_that_lists_the_missing_file_is_told(entry: Entry, printed: str, name: str) -> None:
    place = Path(entry.own_folder)
    line = f'write files = ["{place / "bot.py"}", "{place / name}"]'
    assert diagnose(printed, 1, 0.1, read_started_file(entry)).mend == line


def test_what_the_bot_does_not_find_hides_no_module(entry: Entry) -> None:
    file = read_started_file(entry)
    assert (file.name, file.text, set(file.beside)) == ("bot.py", "bot.py", {"bot.py"})
    assert "grpc" not in diagnose("", 0, 0.1, file).cause


def test_a_bot_of_which_only_the_command_is_known_finds_all(tmp_path: Path) -> None:
    for name in ("bot.py", "grpc.py"):
        (tmp_path / name).touch()
    file = read_started_file(Entry("ada", (sys.executable, "bot.py"), tmp_path))
    assert (set(file.beside), file.unlisted) == ({"bot.py", "grpc.py"}, {})
