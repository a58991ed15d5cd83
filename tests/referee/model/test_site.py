"""How one machine starts a bot: in the folder of the file that its command runs, with paths seen from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest's folder with a bot in a folder of its own, and one beside the contest file."""
    for name in ("bots/ada/bot.py", "bots/ada/run", "bots/ada/weights.bin", "bob.py", "table.csv", "ada/empty"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "bots/ada/run").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "own", "words"),
    [
        (("python", "bob.py", "table.csv"), "", ("bob.py", "table.csv")),
        (("python", "bots/ada/bot.py"), "bots/ada", ("bot.py",)),
        (
            ("python", "-u", "./bots/ada/bot.py", "ada", "table.csv"),
            "bots/ada",
            ("-u", "bot.py", "ada", "../../table.csv"),
        ),
        (
            ("node", "bots/ada/bot.py", "--weights=bots/ada/weights.bin"),
            "bots/ada",
            ("bot.py", "--weights=weights.bin"),
        ),
        (("bots/ada/run", "table.csv"), "bots/ada", ("../../table.csv",)),
        (("python", "bots/ada"), "bots/ada", (".",)),
        (("/usr/bin/env", "python", "bots/ada/bot.py"), "bots/ada", ("python", "bot.py")),
        (("python", "-m", "bots.ada.bot", "table.csv"), "", ("-m", "bots.ada.bot", "table.csv")),
        (("python", "-c", "pass"), "", ("-c", "pass")),
        (("python", "bots/none.py"), "", ("bots/none.py",)),
        (("venv/bin/python3.11", "bots/ada/bot.py"), "bots/ada", ("bot.py",)),
    ],
)
def test_a_command_is_run_in_the_folder_of_its_file(
    folder: Path, command: tuple[str, ...], own: str, words: tuple[str, ...]
) -> None:
    entry = Site(folder, folder).entry(BotSpec("ada", command))
    assert entry.command is not None
    assert (entry.own_folder, entry.command[1:]) == (own, words)


def test_a_file_of_another_folder_is_run_there(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("contest")
    entry = Site(place, place).entry(BotSpec("bob", ("python", str(folder / "bob.py"))))
    assert (entry.own_folder, entry.command and entry.command[1:]) == (str(folder), (str(folder / "bob.py"),))
