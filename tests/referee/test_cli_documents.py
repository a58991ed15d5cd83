"""What README and docs show is what happens: the first bot, its table, the demo's standings, every command."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import dev
from bourre_referee.cli.app import app
from tests.referee.command import Bourre, commander

README = (dev.ROOT / "README.md").read_text("utf-8")
DOCUMENTS = [dev.ROOT / "README.md", *sorted((dev.ROOT / "docs").glob("*.md"))]
COMMANDS = {command.name for command in typer.main.get_command(app).commands.values()}  # type: ignore[attr-defined]


def blocks(text: str, language: str | None = None) -> list[str]:
    """The fenced blocks of this language, "" for none; by default all."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block for known, block in fenced if language in (None, known)]


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Bourre:
    monkeypatch.chdir(tmp_path)
    return commander(monkeypatch, capsys)


def test_the_first_bot_has_ten_lines_and_wins_as_shown(bourre: Bourre) -> None:
    (bot,) = blocks(README, "python")
    (session,) = [block for block in blocks(README, "") if block.startswith("$ ")]
    words, _, table = session.partition("\n")
    Path("mybot.py").write_text(bot)
    done = bourre(*words.split()[2:])
    assert (done.code, done.out) == (0, table)
    assert len([line for line in bot.splitlines() if line]) == 10
    assert done.out.splitlines()[1].startswith("mybot")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_bot_shown_plays_without_a_mistake(bourre: Bourre, document: Path) -> None:
    for bot in blocks(document.read_text("utf-8"), "python"):
        Path("shown.py").write_text(bot)
        assert bourre("practice", "shown.py", "--deals", 100).code == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_shown_exists(document: Path) -> None:
    assert commands_in(document) <= COMMANDS


def test_the_documents_show_every_command() -> None:
    assert set().union(*map(commands_in, DOCUMENTS)) == COMMANDS


def commands_in(document: Path) -> set[str]:
    return set(re.findall(r"(?:^|`|bin/)bourre ([a-z]+)", document.read_text("utf-8"), re.MULTILINE))


@pytest.mark.long
def test_the_standings_shown_are_those_of_the_demo(tmp_path: Path) -> None:
    words = ["run", str(dev.ROOT / "examples/contest.toml"), "--out", str(tmp_path / "demo")]
    command = [sys.executable, "-m", "bourre_referee", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert blocks(README, "")[0] == done.stdout.partition("\n\nDifference")[0] + "\n"
