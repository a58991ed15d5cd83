"""What README and docs show is what happens: the first bot, its table, every command."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

import dev
from bourre.bot_code.bot_file import load
from bourre.testing import assert_legal
from bourre_referee.cli.app import bourre_commands
from bourre_referee.cli.command_group import FORMER_COMMANDS
from bourre_referee.cli.former_options import modern_words
from tests.documents import DOCUMENTS, blocks_of, commands_of, prose_of
from tests.referee.command import Bourre, called

APP = typer.main.get_group(bourre_commands())
BOT = re.compile(r"^    run\(\w+\)$", re.MULTILINE)


def blocks(language: str, document: Path = dev.ROOT / "README.md") -> list[str]:
    """The fenced blocks in this language; "" means those without one."""
    return [block.text for block in blocks_of(document) if block.language == language]


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    monkeypatch.chdir(tmp_path)
    return called


def test_the_first_bot_has_ten_lines_and_wins_as_shown(bourre: Bourre) -> None:
    (bot,) = blocks("python")
    (session,) = [block for block in blocks("") if block.startswith("$ ")]
    words, _, table = session.partition("\n")
    Path("mybot.py").write_text(bot)
    done = bourre(*words.split()[2:])
    assert (done.code, done.out) == (0, table)
    assert len([line for line in bot.splitlines() if line]) == 10
    assert done.out.splitlines()[1].startswith("mybot")


def test_the_edit_of_the_quick_start_beats_lowest_as_shown(bourre: Bourre) -> None:
    document = dev.ROOT / "docs/quick-start.md"
    line, _ = blocks("python", document)
    _, (command,) = [commands_of(block) for block in blocks_of(document) if "elsewhere" in block.words]
    bourre("new", "mybot")
    bot = Path("mybot/bot.py")
    declare = re.compile(r"( def declare.*?)^ +return [^\n]*\n", re.DOTALL | re.MULTILINE)
    text, edits = declare.subn(lambda found: found[1] + line, bot.read_text("utf-8"))
    assert edits == 1
    bot.write_text(text, "utf-8")
    done = bourre(*command.text.split()[1:])
    assert (done.code, done.out) == (0, command.shown)
    assert done.out.splitlines()[1].startswith("bot")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(dev.ROOT).as_posix())
def test_every_bot_shown_plays_without_a_mistake(bourre: Bourre, document: Path) -> None:
    for bot in filter(BOT.search, blocks("python", document)):
        Path("shown.py").write_text(bot)
        assert bourre("practice", "shown.py", "--deals", 25).code == 0
        assert_legal(load("shown.py"), deals=16)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(dev.ROOT).as_posix())
def test_every_command_shown_exists_and_has_its_options(document: Path) -> None:
    for words in commands_in(document):
        assert_known(words)


def assert_known(words: list[str]) -> None:
    """Asserts that there is this command, and that it has all the options among these words."""
    context = typer.Context(APP, info_name="bourre")
    while isinstance(context.command, TyperGroup):
        name, command, words = context.command.resolve_command(context, words or ["--help"])
        assert command is not None
        context = typer.Context(command, context, name)
    known = {name for param in context.command.params for name in param.opts}
    context.command.make_parser(context).parse_args(modern_words(words, known, lambda _: None))


def test_an_option_that_there_is_not_is_found() -> None:
    assert_known(["rules", "pagat"])
    with pytest.raises(Exception, match="No such option"):
        assert_known(["standings", "runs/demo", "--jsn"])


def test_the_documents_show_every_command() -> None:
    shown = {FORMER_COMMANDS.get(words[0], words[0]).split()[0] for path in DOCUMENTS for words in commands_in(path)}
    assert shown >= {*APP.commands} - {"help"}


def commands_in(document: Path) -> list[list[str]]:
    """The words after each `bourre`, in blocks and in the running text."""
    shown = [command.text for block in blocks_of(document) for command in commands_of(block)]
    inline = re.findall(r"`((?:\.venv/bin/)?bourre [a-z][^`]*)`", prose_of(document))
    found = (re.search(r"(?:^|[ /])bourre ([a-z].*)", " ".join(text.split())) for text in [*shown, *inline])
    return [shlex.split(words[1]) for words in found if words]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_what_is_shown_of_the_demo_is_what_it_shows(bourre: Bourre, tmp_path: Path) -> None:
    words = ["run", str(dev.ROOT / "examples/contest.toml"), "--out", str(tmp_path / "demo")]
    subprocess.run([sys.executable, "-m", "bourre_referee", *words], capture_output=True, check=True)
    deal = next(block for block in blocks_of(dev.ROOT / "docs/quick-start.md") if "elsewhere" in block.words)
    (command,) = commands_of(deal)
    assert bourre("replay", tmp_path / "demo", *command.text.split()[3:]).out == command.shown
    (table,) = blocks("text")
    assert table in bourre("standings", tmp_path / "demo").out
    certainty = blocks("text", dev.ROOT / "docs/statistics.md")[0].removesuffix("...\n")
    assert bourre("stats", tmp_path / "demo").out.startswith(certainty)
