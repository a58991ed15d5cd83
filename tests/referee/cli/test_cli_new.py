"""`bourre new`: folders that can play at once, whatever their names, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from bourre.bot_code.example_folders import example_folders
from bourre_referee.contest.contest_file import load
from bourre_referee.evaluation.starters import starter
from bourre_referee.evaluation.starters.starter import LANGUAGES
from tests.referee.command import Bourre, called

BOT = {"python": "bot.py", "node": "bot.js"}
BODIES = {
    "as it stands": "",
    "always passes": "def declare(self, view): return False",
    "plays with any trump": "def declare(self, view): return any(card.suit == view.trump for card in view.hand)",
}
"""Different bots."""


@pytest.fixture
def bourre(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bourre:
    """Runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return called


def made(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_new_bot_practises_without_a_mistake(bourre: Bourre) -> None:
    assert bourre("new", "mybot").code == 0
    done = bourre("practice", "mybot/bot.py", "--against", "tight,random", "--deals", 100, "--seed", 7)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].startswith("bot")


@pytest.mark.parametrize(
    "body",
    [pytest.param(body, id=id, marks=[pytest.mark.long] * (id != "as it stands")) for id, body in BODIES.items()],
)
def test_any_legal_bot_passes_the_tests_of_the_new_folder(bourre: Bourre, tmp_path: Path, body: str) -> None:
    bourre("new", "mybot")
    if body:
        (tmp_path / "mybot" / "bot.py").write_text(f"from bourre import Bot\n\nclass MyBot(Bot):\n    {body}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    done = subprocess.run(command, cwd=tmp_path / "mybot", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_the_new_contest_is_played_to_its_end(bourre: Bourre, tmp_path: Path) -> None:
    bourre("new", "mybot")
    contest = tmp_path / "mybot" / "contest.toml"
    text = contest.read_text().replace("deals = 50", "deals = 4\ntables = 4").replace("rounds = 2", "rounds = 1")
    contest.write_text(text)  # one room: every bot is started once
    done = bourre("run", contest)
    assert done.code == 0, done.err
    assert "mybot" in done.out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_told_to_do_next_stands_in_the_readme_and_its_files_are_there(bourre: Bourre, lang: str) -> None:
    done = bourre("new", "mybot", "--lang", lang)
    assert (done.code, done.out) == (0, "")
    told = [line.removeprefix("bourre:   ") for line in done.err.splitlines()[1:]]
    assert told == ["cd mybot", *LANGUAGES[lang].steps]
    readme = Path("mybot/README.md").read_text()
    assert readme.startswith("# mybot\n")
    assert "$" not in readme
    assert [step for step in told[1:] if f"\n{step}  " not in readme] == []
    assert {BOT[lang], "contest.toml", "opponents/tight.py"} <= made(Path("mybot"))


def test_who_is_there_is_not_told_to_go_there(bourre: Bourre) -> None:
    told = bourre("new", ".").err.splitlines()
    assert told[1:] == [f"bourre:   {step}" for step in LANGUAGES["python"].steps]


def test_a_bot_for_node_gets_the_example_and_the_protocol(bourre: Bourre) -> None:
    bourre("new", "mybot", "--lang", "node")
    for path in ("bot.js", "bot.test.js", "package.json", "package-lock.json", "sdk/referee.js", "sdk/view.js"):
        assert Path("mybot", path).read_bytes() == (dev.ROOT / "examples/node" / path).read_bytes()
    for path in ("bourre/v1/game.proto", "bourre/v1/referee.proto"):
        assert Path("mybot/sdk/proto", path).read_bytes() == (dev.ROOT / "proto" / path).read_bytes()
    assert not Path("mybot/node_modules").exists()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("my bot", "my-bot"),
        ("-", "mybot"),
        ("class", "class"),
        ("a:b, c", "a-b-c"),
        ("$name'\"#", "name"),
        ("\N{SNOWMAN}", "mybot"),
        ("x" * 100, "x" * 32),
        ("deep/er/.hidden", "hidden"),
        ("random", "my-random"),
        (".", "empty"),
    ],
)
def test_any_folder_gets_a_contest_that_can_be_read(bourre: Bourre, tmp_path: Path, path: str, name: str) -> None:
    here = tmp_path / "empty"
    here.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        assert bourre("new", "--", path).code == 0
    contest = load(here / path / "contest.toml")
    assert contest.name == name
    assert contest.doubts == ()
    assert [entry.name for entry in contest.entries] == [name, "counter", "tight", "random"]
    assert "class MyBot(Bot)" in (here / path / "bot.py").read_text()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("full", "full is not empty."),
        ("full/file", "full/file is a file."),
        ("full/file/below", "full/file is a file.\n"),
    ],
)
def test_what_is_there_already_is_left_alone(bourre: Bourre, path: str, told: str) -> None:
    Path("full").mkdir()
    Path("full/file").write_text("mine")
    done = bourre("new", path)
    assert done.code != 0
    assert done.err.startswith(f"bourre: {told}")
    assert made(Path("full")) == {"file"}


def test_where_the_package_lacks_a_file_no_folder_is_made(
    bourre: Bourre, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed = tmp_path / "installed"
    shutil.copytree(dev.ROOT / "examples", installed / "examples", ignore=shutil.ignore_patterns("node_modules"))
    monkeypatch.setattr(starter, "PACKAGE", installed)
    monkeypatch.setattr(starter, "CHECKOUT", installed)
    done = bourre("new", "mybot", "--lang", "node")
    assert (done.code, done.out) == (2, "")
    why = "**/*.proto, a part of this package, is missing."
    assert done.err.startswith(f"bourre: {installed / 'proto'}: {why}\n")
    assert not Path("mybot").exists()


def test_another_language_is_refused_with_those_there_are(bourre: Bourre) -> None:
    done = bourre("new", "mybot", "--lang", "cobol")
    assert (done.code, done.err) == (2, "bourre: Unknown language 'cobol'.\nhint: use --lang python or --lang node\n")
    assert not Path("mybot").exists()


def test_it_needs_no_extra_but_that_of_the_commands(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('sqlmodel', 'trueskill', 'jinja2', 'grpc', 'google'): sys.modules[name] = None\n"
        "sys.argv = ['bourre', 'new', 'mybot', '--lang', sys.argv[1]]\n"
        "from bourre_referee.cli import main\n"
        "main()\n"
    )
    for lang in LANGUAGES:
        folder = tmp_path / lang
        folder.mkdir()
        command = [sys.executable, "-c", code, lang]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_lock_of_the_example_names_no_registry() -> None:
    lock = (dev.ROOT / "examples/node/package-lock.json").read_text()
    assert '"integrity"' in lock
    assert '"resolved"' not in lock
    assert "registry" not in lock


def test_the_opponents_are_examples() -> None:
    names = {path.name for folder in example_folders() for path in folder.glob("*.py")}
    assert {"counter.py", "tight.py", "random_bot.py"} <= names
