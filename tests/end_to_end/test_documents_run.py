"""Every command in README and docs is run as written, and does what is shown.

tests/documents.py explains how blocks are read, and how to mark one that cannot run here. The README is run in a shell,
as its reader would. In all other documents `bourre` is called in this process, which saves its start, and only the rest
goes to a shell. A contest whose outcome is not shown is played short.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dev
from tests.documents import DOCUMENTS, ELSEWHERE, Block, Command, blocks_of, commands_of, file_of
from tests.referee.command import Ended, called_in
from tests.referee.in_process import rooms_in_process

NOT_RUN_HERE = {
    "ladder.md: apt-get install podman runc pipx",  # builds images for minutes; test_built_images.py
    "compare.md: bourre compare mybot.py tight",  # its seed decides on the exit code; the first command is run
    "learn.md: python examples/learner/learner.py 10",  # trains for minutes; test_learner.py trains for a moment
    "learn.md: bourre run examples/learner/contest.toml",  # needs what was trained
    "write-a-bot.md: bourre new mybot --lang node",  # downloads packages; test_node.py plays this bot
    "quick-start.md: bourre replay runs/demo m0001 --deal 9",  # of the whole demo: test_cli_documents.py
    "quick-start.md: bourre practice mybot/bot.py --against lowest",  # after an edit: test_cli_documents.py
    "models.md: python -m bourre_seats.models.stand_in --skill counter --trouble wrong_card --every 20",  # it serves
    'models.md: bourre practice "mini=python -m bourre_seats.models --model mini --base-url http://127.0.0.1:8765/v1" '
    "--decision-seconds 60",
    "ladder.md: bourre ladder start runs/ladder --monitor-port 9464",  # it serves; test_monitor.py asks it
    "ladder.md: bourre ladder verify runs/ladder",  # after two epochs; test_ladder.py verifies one
    "scale.md: bourre run contest.toml --cluster tls://head:8786",  # test_dask.py has clusters
    "scale.md: createdb bourre",  # needs a server; test_run_in_database.py and the next ones do the same
    "scale.md: bourre ladder init runs/ladder ladder.toml --db postgresql://me@host/bourre",
    "scale.md: bourre copy runs/demo --to postgresql://me@host/bourre",
    "scale.md: pg_dump --format=custom --file=bourre.dump postgresql://me@host/bourre",
    "play.md: python3 dev.py play",  # waits for a person; test_seat_in_browser.py and test_cli_play.py play
    "play.md: bourre play",
    "play.md: bourre play --puzzle runs/demo",
    "play.md: export BOURRE_ADDRESS=referee.example:7000 BOURRE_TOKEN=...",
    "teach.md: bourre grade class/ada/bot.py --plan grade.toml",  # a minute; test_grade.py marks smaller contests
    "teach.md: bourre grade --calibrate --plan grade.toml --seeds 4",
}
"""The blocks marked `elsewhere`: document and first command."""
SCRIPT = re.compile(r"(?:research/measurements|benchmarks)/\w+\.py")
SCRIPTS = re.compile(rf"\S*python3? ({SCRIPT.pattern}|dev\.py|-m docs\.|-m pytest tests/)|bash \.ci/run")
"""For readers who doubt a figure or change the project: other tests try them; that they exist is tested below."""
SERVES = ("bourre view ", "bourre ladder start ")
"""Run until Ctrl-C: tests/referee/web and test_ladder.py start and end them."""
IN_SHELL = {"README.md"}
"""The document that every reader begins with, which runs entirely in a shell, including `.venv/bin/bourre`."""
SHELL = re.compile(r"[|&;<>$`*~]")
"""What only a shell understands."""
LINE_UP = ("lowest", "counter", "drawer")
"""The bots of the contest that documents assume."""
SECONDS = 600
BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]
Runner = Callable[[str, Path], Ended]
"""Runs a command in a folder."""


def is_run(command: Command) -> bool:
    """Whether a command can run in the folder in which a document is tried."""
    return (
        command.text.split()[0] not in ELSEWHERE
        and not SCRIPTS.match(command.text)
        and not any(serves in command.text for serves in SERVES)
    )


def is_elsewhere(block: Block) -> bool:
    return "elsewhere" in block.words


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the documents assume: the examples, a finished contest, and bots of the reader's own."""
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(dev.ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("node*", "__pycache__"))
    shutil.copy(dev.ROOT / "docs/verify_deals.py", folder)
    head, *entries = (dev.ROOT / "examples/contest.toml").read_text("utf-8").split("[[bots]]\n")
    bots = [entry for entry in entries if entry.split('"')[1] in LINE_UP]
    assert len(bots) == len(LINE_UP)
    contest = "[[bots]]\n".join([head.replace("seats = 7", "seats = 3"), *bots])
    (folder / "contest.toml").write_text(contest.replace('["python", "', '["python", "examples/'))
    shorten(folder / "contest.toml")
    (first_bot,) = [block.text for block in blocks_of(dev.ROOT / "README.md") if block.language == "python"]
    for name in ("mybot.py", "old.py", "other.py"):
        (folder / name).write_text(first_bot)
    with rooms_in_process():
        ended = called_in(folder, "run", "contest.toml")
    assert ended.code == 0, ended.err
    shutil.copytree(folder / "runs/demo", folder / "runs/NAME")
    return folder


def shorten(contest: Path) -> None:
    """Reduces deals, rounds and starts of bots, because no test looks at the results."""
    text = re.sub(r"^deals = \d+", "deals = 3", contest.read_text("utf-8"), flags=re.MULTILINE)
    text = re.sub(r"^rounds = \d+", "rounds = 1", text, flags=re.MULTILINE)
    if not re.search(r"^(fresh|format|tables) =", text, re.MULTILINE):
        text = text.replace("[table]\n", "[table]\nfresh = false\n", 1)
    contest.write_text(text)


def in_shell(command: str, folder: Path) -> Ended:
    """Runs a command as a reader does, in a shell that finds `bourre` and `python` (see `tests/conftest.py`)."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Like `in_shell`, without starting a process for `bourre`."""
    monkeypatch.setenv("NO_COLOR", "1")

    def run(command: str, folder: Path) -> Ended:
        if not command.removeprefix(".venv/bin/").startswith("bourre ") or SHELL.search(command):
            return in_shell(command, folder)
        return called_in(folder, *shlex.split(command)[1:])

    return run


@pytest.mark.timeout(900)
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(dev.ROOT).as_posix())
def test_the_commands_shown_do_what_is_shown(
    document: Path, desk: Path, tmp_path: Path, in_process: Runner, request: pytest.FixtureRequest
) -> None:
    folder = shutil.copytree(desk, tmp_path / "desk")
    (folder / ".venv").symlink_to(sys.prefix)
    for block in blocks_of(document):
        if name := file_of(block):
            (folder / name).write_text(block.text)
        if is_elsewhere(block) or ("long" in block.words and not request.config.getoption("long")):
            continue
        run_block(block, folder, in_shell if document.name in IN_SHELL else in_process)


def run_block(block: Block, folder: Path, run: Runner) -> None:
    """Runs the commands of a block in order; a `cd` lasts until the end of the block."""
    for command in filter(is_run, commands_of(block)):
        if command.text.startswith("cd "):
            folder = folder / command.text.removeprefix("cd ")
            continue
        contest = re.search(r"bourre run (\S+)", command.text)
        if contest and command.shown is None and (folder / contest[1]).is_file():
            shorten(folder / contest[1])
        ended = run(command.text, folder)
        told = f"{block.name}: `{command.text}`"
        assert ended.code == command.code, f"{told} ended with {ended.code}:\n{ended.out}{ended.err}"
        if command.shown is not None:
            printed = (ended.out, ended.out + ended.err, ended.err + ended.out)
            assert any(is_shown(text, command.shown) for text in printed), f"{told} printed:\n{printed[1]}"


def is_shown(printed: str, shown: str) -> bool:
    """Whether the output is what is shown; `...` stands for any lines, and any number of seconds matches."""
    parts = [re.sub(r"in\\ \d+\\ s\b", r"in\\ \\d+\\ s", re.escape(part)) for part in shown.split("...\n")]
    return re.fullmatch("(?:.*\n)*?".join(parts), printed) is not None


def test_what_cannot_be_run_here_is_listed() -> None:
    first = {f"{block.document.name}: {commands_of(block)[0].text}" for block in BLOCKS if is_elsewhere(block)}
    assert first == NOT_RUN_HERE


def test_a_fence_says_nothing_that_nobody_reads() -> None:
    assert {word for block in BLOCKS for word in block.words} <= {"long", "elsewhere"}


def scripts_shown() -> dict[str, set[str]]:
    """The options that documents show for each script of measurements and benchmarks."""
    shown: dict[str, set[str]] = {}
    for command in (command for block in BLOCKS for command in commands_of(block)):
        if found := SCRIPT.search(command.text):
            shown.setdefault(found[0], set()).update(re.findall(r"--[a-z-]+", command.text))
    return shown


def test_the_scripts_shown_define_their_options() -> None:
    texts = {script: (dev.ROOT / script).read_text("utf-8") for script in scripts_shown()}
    undefined = {
        script: options - {*re.findall(r'"(--[a-z-]+)"', texts[script])} for script, options in scripts_shown().items()
    }
    assert not any(undefined.values()), undefined


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, marks=[pytest.mark.long] * (script != "benchmarks/hello.py"))
        for script in sorted(scripts_shown())
    ],
)
def test_the_scripts_shown_know_their_options(script: str) -> None:
    told = in_shell(f"python {script} --help", dev.ROOT)
    assert told.code == 0, told.err
    assert scripts_shown()[script] <= set(re.findall(r"--[a-z-]+", told.out))


def test_the_chores_shown_exist() -> None:
    shown = {
        words[2]
        for block in BLOCKS
        for command in commands_of(block)
        if (words := command.text.split())[1:2] == ["dev.py"]
    }
    assert {"demo", "test"} <= shown <= {chore.__name__ for chore in dev.CHORES}
