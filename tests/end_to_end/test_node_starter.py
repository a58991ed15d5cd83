"""The tests in a new folder for Node.js: every legal bot passes them; a bot that breaks rules or protocol does not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.node_bots import installed, with_bot
from tests.long_tests import mostly_long

pytestmark = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="there is no Node.js here: apt-get install nodejs npm"
)
BRAIN = """\
import {{ Bot, run }} from "./sdk/index.js";
class Another extends Bot {{
  {body}
}}
run(Another, import.meta.url);
"""
LEGAL = {
    "that decides nothing itself": "",
    "that always passes": "declare() { return false; }",
    "that discards all and takes its time": """\
draw(view) { return view.hand; }
  async play(view) { return new Promise((done) => setTimeout(done, 20, view.legal.at(-1))); }""",
    "that remembers": """\
draw(view) { this.kept = view.hand.slice(2); return view.hand.slice(0, 2); }
  play(view) {
    if (!this.kept) throw new Error("asked without having drawn");
    return view.legal[0];
  }""",
}
ILLEGAL = "play(view) { return view.hand.find((card) => !view.legal.includes(card)) ?? view.legal[0]; }"
WRONG = {
    "plays what is illegal": (ILLEGAL, "is not one of the legal ones"),
    "draws what it lacks": ("draw() { return ['2S']; }", '"2S" cannot be discarded from'),
    "fails": ("play(view) { return view.cards.first; }", "the bot failed to decide: TypeError: Cannot read properties"),
    "ends early": ("play() { process.exit(3); }", "the bot ended before the goodbye, with exit code 3"),
    "ends with an error": ("onMatchEnd() { process.exitCode = 7; }", "exitCode: 7"),
}
IDS = "const { table, id } = ask;"
MISTAKES = {
    "an answer that names another ask": ("tables.js", IDS, f"{IDS.replace('id', 'id: asked')} const id = asked + 1;"),
    "an answer that names another table": ("tables.js", IDS, f"{IDS.replace('table', 'deal')} const table = 0;"),
    "a hello without the token": ("referee.js", "token: this.#token", 'token: ""'),
    "a hello of another protocol": ("referee.js", "const PROTOCOL = 1;", "const PROTOCOL = 2;"),
    "a line that is not dialled again": ("referee.js", "await this.#pauseAfter(error);", "throw error;"),
    "a goodbye that is not heeded": ("referee.js", "return message.goodbye !== null;", "return false;"),
}
SAMPLE = "sample_brain.test.js"
FIRST_TEST = "--test-name-pattern=it answers each ask legally"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of `bourre new --lang node`, ready to play."""
    return installed(tmp_path_factory)


def outcome_of(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The exit code of `node --test` in this folder, for all its tests or with these arguments."""
    return subprocess.run(["node", "--test", *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_a_new_folder_passes_its_tests(node: Path) -> None:
    done = subprocess.run(["npm", "test"], cwd=node, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "pass 3" in done.stdout


@pytest.mark.parametrize("body", mostly_long(LEGAL, ()))
def test_any_other_legal_bot_passes_them_too(node: Path, tmp_path: Path, body: str) -> None:
    done = outcome_of(with_bot(node, BRAIN.format(body=body), tmp_path / "bot"))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("body", "told"), mostly_long(WRONG, {"plays what is illegal"}))
def test_a_bot_that_breaks_the_rules_fails_and_is_told_why(node: Path, tmp_path: Path, body: str, told: str) -> None:
    done = outcome_of(with_bot(node, BRAIN.format(body=body), tmp_path / "bot"), FIRST_TEST)
    assert done.returncode == 1
    assert told in done.stdout


@pytest.mark.parametrize(("file", "right", "wrong"), mostly_long(MISTAKES, {"an answer that names another ask"}))
def test_a_broken_line_to_the_referee_fails(node: Path, tmp_path: Path, file: str, right: str, wrong: str) -> None:
    folder = with_bot(node, (node / "bot.js").read_text(), tmp_path / "bot")
    code = (folder / "sdk" / file).read_text()
    assert right in code
    (folder / "sdk" / file).write_text(code.replace(right, wrong))
    assert outcome_of(folder).returncode == 1


def test_the_brain_of_the_example_decides_as_it_says(node: Path, tmp_path: Path) -> None:
    folder = with_bot(node, (node / "bot.js").read_text(), tmp_path / "bot")
    shutil.copy(Path(__file__).with_name(SAMPLE), folder)
    done = outcome_of(folder, SAMPLE)
    assert done.returncode == 0, done.stdout
    assert "pass 5" in done.stdout
