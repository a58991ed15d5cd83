"""Commands where stdout or stderr is a narrow terminal, closed, full, or read no longer: text degrades, codes stay."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bourre_referee.storage.run.run import Run
from tests.referee import contests, rooms
from tests.referee.command import Bourre, called, called_without_reader, words_for
from tests.referee.in_process import finished_run, rooms_in_process

pytestmark = pytest.mark.xdist_group("processes")

COMMANDS = [
    *("--help", "run --help", "standings RUN", "standings RUN --json", "standings RUN --csv", "stats RUN --seed 1"),
    *("replay RUN m0001", "stats RUN --ratings", "verify RUN", "rules", "rules pagat", "run --plan --bots 4 --seats 3"),
    *("ladder --help", "practice tight --deals 20", "standings OUT"),
]
REDIRECTED = [
    ("standings RUN", "<&- >&- 2>&-", 0),
    ("rules show pagat", "2>&-", 0),
    ("rules show pagta", ">&-", 2),
    ("rules show pagta", "2>&-", 2),
    ("--loud", "2>/dev/full", 2),
    ("rules settle", "<&-", 0),
]
"""What the shell does with the streams of a command, and how it ends."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished_run(tmp_path_factory.mktemp("streams"), played=rooms.played)


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A contest with a secret seed whose rooms need no bots, in the current folder."""
    monkeypatch.chdir(tmp_path)
    with rooms_in_process(rooms.played):
        yield contests.write_contest(tmp_path, contests.FILE.replace("seed = 7\n", ""))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal_that_lacks_a_letter_changes_no_more_than_the_letter(
    bourre: Bourre, finished: Path, command: str
) -> None:
    words = words_for(command, finished)
    known, shown = bourre(*words), bourre(*words, encoding="koi8-r")
    assert (shown.code, shown.err) == (known.code, known.err)
    assert shown.out == known.out.replace("é", "e").replace("±", "+-").replace("…", "...")


def test_a_run_ends_well_on_such_a_terminal(secret: Path) -> None:
    done = called("run", secret, "--out", "run", encoding="ascii")
    assert done.code == 0
    assert "bourres" in done.out
    assert done.err.splitlines()[-4].startswith("bourre: Finished in ")


@pytest.mark.parametrize(("command", "redirection", "code"), REDIRECTED)
def test_a_closed_or_full_stream_changes_no_code(finished: Path, command: str, redirection: str, code: int) -> None:
    script = f'"$@" {redirection}'
    words = ["sh", "-c", script, "sh", sys.executable, "-m", "bourre_referee", *words_for(command, finished)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert not done.stdout or ">" not in redirection or redirection == "2>&-"
    assert not done.stdout or code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_without_a_reader_ends_as_sigpipe_would_end_it(bourre: Bourre, finished: Path, command: str) -> None:
    words = words_for(command, finished)
    known, unread = bourre(*words), called_without_reader(*words)
    assert (unread.code, unread.err) == (141 if known.out else known.code, known.err)


def test_a_run_is_played_and_told_although_nobody_reads_its_stdout(secret: Path) -> None:
    done = called_without_reader("run", secret, "--out", "run")
    assert done.code == 141
    assert Run.open(Path("run")).manifest.digest
    assert "bourre: seed secret until all matches are done, SHA-256 " in done.err
    assert "bourre: Finished in " in done.err
