"""Whatever starts a bot says first, and in the same words, why it does not play: mistakes by commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted
from bourre_referee.ladder.host.ladder_host import serve_ladder
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.local_executor import local_rooms
from bourre_referee.sandbox.bot_log import NEVER_STARTED
from bourre_referee.storage.run.start_failures import find_start_failure
from tests.end_to_end.classroom import PLAN, ROOT
from tests.end_to_end.planted_starts import MISTAKES, bot
from tests.referee.command import called_in

pytestmark = [
    pytest.mark.xdist_group("processes"),
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("tireless_host"),
]


@dataclass(frozen=True, slots=True)
class Planted:
    """A file with a mistake, in a folder of its own."""

    name: str
    text: bytes
    cause: str
    """What everyone says of it."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Its other files, by name."""
    file: str = "bot.py"

    @property
    def command(self) -> tuple[str, str]:
        """What starts it in its folder."""
        return "node" if self.file.endswith("js") else "python", self.file

    def write(self, folder: Path) -> Path:
        """Makes its folder in this one, and returns it."""
        own = folder / self.name
        own.mkdir(parents=True)
        for name, text in self.beside.items():
            (own / name).write_text(text)
        (own / self.file).write_bytes(self.text)
        return own


CAUSES = {
    "calls_nothing": "bot.py ended without a call of run. hint: change line 2 to `from bourre import Bot, Card, run`",
    "runs_an_instance": "run takes the class, not an instance of it: use run(MyBot), not run(MyBot())",
    "misspells_main": "bot.py, line 16: __name__ is never 'main', so run is not called. hint: use if ",
    "misspells_an_import": "ImportError: cannot import name 'Bott' from 'bourre'. hint: use 'Bot'",
    "leaves_when_loaded": "it ended before it came to run, by sys.exit() in bot.py, line 3. ",
    "loops_when_loaded": "still busy in bot.py, line ",
    "reads_a_file": "No such file or directory: 'weights.txt'. hint: put weights.txt beside the bot, and hand in both",
    "lacks_a_package": "bot.py, line 1: ModuleNotFoundError: No module named 'no_such_package'. hint: ",
    "imports_relatively": "bot.py, line 1: ImportError: attempted relative import with no known parent package. hint: ",
    "is_empty": "bot.py is empty. hint: save your program",
    "is_latin_1": "SyntaxError: the file is not UTF-8. hint: save the file as UTF-8",
    "is_utf_16": "SyntaxError: the file is not UTF-8. hint: save the file as UTF-8",
}
HIDDEN = {
    "asyncio": "Python's module asyncio",
    "bourre": "the package bourre",
    "grpc": "the package grpc",
    "types": "Python's module types",
    "typing": "Python's module typing",
}
NEVER_START = (
    *(Planted(name, MISTAKES[name], cause) for name, cause in CAUSES.items()),
    *(
        Planted(
            f"hides_{name}",
            bot().encode(),
            f"its own file {name}.py hides {what}. hint: rename the file",
            {f"{name}.py": ""},
        )
        for name, what in HIDDEN.items()
    ),
    Planted("names_another_class", bot().replace("class MyBot", "class Mine").encode(), ": run(Mine)"),
    Planted("is_no_bot", bot(base="object").encode(), "TypeError: "),
    Planted("leaves_a_bracket_open", bot(card="view.legal[0").encode(), "SyntaxError: '[' was never closed"),
    Planted("lacks_a_node_package", b"require('@grpc/grpc-js')\n", "Node.js does not find the package", file="bot.js"),
)
IN_PLAY = (
    Planted("misspells_a_field", MISTAKES["misspells_a_field"], "Did you mean 'legal'?"),
    Planted(
        "forgets_self",
        MISTAKES["forgets_self"],
        "but 2 were given. hint: write def declare(self, view): and def play(self, view):",
    ),
    Planted("leaves_in_a_deal", MISTAKES["leaves_in_a_deal"], "SystemExit. hint: return an answer"),
)
SEATS = 8
CONTEST = """\
[contest]
name = "planted"
seed = 7
[table]
seats = 8
deals = 2
tables = 16
[isolation]
level = "{level}"
[schedule]
kind = "line-ups"
line_ups = {line_ups}
"""
LADDER = """\
[ladder]
name = "planted"
[table]
seats = 8
deals = 1
[isolation]
level = "none"
[[staff]]
name = "tight"
command = ["python", "tight.py"]
"""


def write_contest(folder: Path, level: str) -> Path:
    """Writes a contest in which each planted bot sits in one room, whose matches are played at once."""
    names = [planted.name for planted in (*NEVER_START, *IN_PLAY)]
    line_ups = [names[first : first + SEATS] for first in range(0, len(names), SEATS)]
    parts = [CONTEST.format(level=level, line_ups=line_ups)]
    for planted in (*NEVER_START, *IN_PLAY):
        planted.write(folder)
        program, file = planted.command
        command = [program, f"{planted.name}/{file}"]
        parts.append(f'[[bots]]\nname = "{planted.name}"\ncommand = {command}\n')
    path = folder / "contest.toml"
    path.write_text("".join(parts))
    return path


@pytest.mark.long
@pytest.mark.parametrize("level", ["none", "bwrap"])
def test_a_run_warns_of_the_cause_and_begins_each_log_with_it(level: str, tmp_path: Path) -> None:
    done = called_in(tmp_path, "run", write_contest(tmp_path, level), "--out", "run", "--jobs", "2")
    assert done.code == 0, done.err
    firsts = {log.parent.name: log.read_text().partition("\n")[0] for log in (tmp_path / "run/logs").glob("*/*.log")}
    assert [firsts[planted.name] for planted in IN_PLAY if planted.cause not in firsts[planted.name]] == []
    for planted in NEVER_START:
        (warning,) = [line for line in done.err.splitlines() if f"warning: {planted.name} never started: " in line]
        assert planted.cause in warning
        assert firsts[planted.name].startswith(NEVER_STARTED)
        assert planted.cause in firsts[planted.name]


@pytest.mark.long
@pytest.mark.parametrize("planted", [*NEVER_START, *IN_PLAY], ids=lambda planted: planted.name)
def test_practice_tells_the_cause_first(planted: Planted, tmp_path: Path) -> None:
    program, file = planted.command
    source = file if program == "python" else " ".join(planted.command)
    done = called_in(planted.write(tmp_path), "practice", source, "--against", "lowest", "--deals", 4)
    assert done.code in ((3,) if planted in NEVER_START else (1, 3))
    lines = [line for line in done.err.splitlines() if "warning: " not in line]
    assert planted.cause in lines[0]


@pytest.mark.long
@pytest.mark.parametrize("planted", NEVER_START, ids=lambda planted: planted.name)
def test_check_tells_the_cause_first(planted: Planted, tmp_path: Path) -> None:
    command = " ".join(planted.command)
    done = called_in(planted.write(tmp_path), "check", "--command", command, "--rules", "limit")
    assert done.code == 3
    assert planted.cause in done.out.partition("\n        - ")[2].partition("\n")[0]


@pytest.mark.long
def test_feedback_to_students_tells_the_cause_first(tmp_path: Path) -> None:
    (tmp_path / "grade.toml").write_text(PLAN.replace("deals = 6", "deals = 2"))
    for planted in NEVER_START:
        planted.write(tmp_path / "class")
    done = called_in(tmp_path, "grade", "class", "--jobs", "2")
    assert done.code == 0, done.err
    for planted in NEVER_START:
        (feedback,) = (tmp_path / "grades/week-3/students").glob(f"{planted.name}*/feedback.txt")
        told, _, points, *_ = feedback.read_text().split("\n")
        assert points == "week-3: 0 of 100 points"
        assert planted.cause in told


@pytest.mark.long
def test_the_logs_of_a_ladder_begin_with_the_cause(tmp_path: Path) -> None:
    (tmp_path / "ladder.toml").write_text(LADDER)
    (tmp_path / "tight.py").write_bytes((ROOT / "examples/tight.py").read_bytes())
    ladder = new_ladder(tmp_path / "ladder", tmp_path / "ladder.toml")
    for planted in NEVER_START:
        files = (planted.file, *planted.beside)
        add_hosted(ladder, Newcomer(planted.name), planted.command, files, planted.write(tmp_path))
    log = ladder.open_log()

    def until_all_played() -> datetime:
        log.read_new()
        if all(log.state.bots[planted.name].games for planted in NEVER_START):
            raise KeyboardInterrupt
        return datetime.now(UTC)

    with Stop() as stop, pytest.raises(KeyboardInterrupt):
        serve_ladder(ladder, local_rooms(2), stop, lambda *_: None, lambda _: None, until_all_played)
    told = [(planted.cause, find_start_failure(ladder.path / "logs", f"{planted.name}.1")) for planted in NEVER_START]
    assert [(cause, why) for cause, why in told if cause not in why] == []
