"""The command as a whole: what it costs to start, how it ends, what it prints if its extras are not installed."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from bourre.bot_code.bot_file import BotFileError
from bourre.extras import install_command
from bourre.record import RecordError
from bourre.rules.errors import BourreError, InvalidHouse
from bourre_referee.cli.exit_codes import end, exit_code, explain_os_error
from bourre_referee.model.errors import ContestError, ContestFailed, Interrupted, StoreError

HEAVY = (
    *("sqlmodel", "sqlalchemy", "trueskill", "grpc", "google.protobuf", "pydantic", "rich"),
    *("bourre.rules.visibility", "importlib.metadata", "asyncio"),
)


MAIN = "import sys\n{before}\nsys.argv[0] = 'bourre'\nfrom bourre_referee.cli import main\nmain()"


def bourre(*words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a fresh interpreter, after this line of Python."""
    command = [sys.executable, "-c", MAIN.format(before=before), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_help_loads_nothing_heavy() -> None:
    before = f"import atexit; atexit.register(lambda: print('loaded:', *(set(sys.modules) & set({HEAVY}))))"
    done = bourre("--help", before=before)
    assert done.stdout.startswith("Usage: bourre COMMAND ...")
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_python_dash_m_is_the_same_command() -> None:
    words = [sys.executable, "-m", "bourre_referee", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"bourre {version('bourre')}\n")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_cli_it_says_what_to_install(missing: str) -> None:
    done = bourre("rules", before=f"sys.modules[{missing!r}] = None")
    assert done.returncode == 2
    assert done.stderr == f"bourre: The commands need the extra cli.\nhint: {install_command('cli')}\n"
    assert done.stdout == ""


def test_without_the_extra_referee_it_says_what_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        end(ModuleNotFoundError("No module named 'sqlmodel'", name="sqlmodel"))
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        f"bourre: This command needs more packages.\nhint: {install_command('referee')}\n"
    )


def test_a_missing_module_of_anyone_else_is_not_explained_away() -> None:
    with pytest.raises(ModuleNotFoundError):
        end(ModuleNotFoundError("No module named 'mine'", name="mine"))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ContestError("contest.toml:3: seats"), 2),
        (StoreError("run.db"), 2),
        (InvalidHouse("ante"), 2),
        (BotFileError("tight.py"), 2),
        (Interrupted(3, 10, Path("runs/demo")), 130),
        (ContestFailed("no more processes"), 1),
        (RecordError("line 3"), 1),
        (BourreError("anything"), 1),
    ],
)
def test_exit_codes(error: BourreError, code: int) -> None:
    assert exit_code(error) == code


def test_every_line_of_an_error_is_talk(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        end(ContestError("contest.toml:3: seats\ncontest.toml:9: name"))
    captured = capsys.readouterr()
    assert captured.err == "bourre: contest.toml:3: seats\nbourre: contest.toml:9: name\n"
    assert captured.out == ""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["dance"], "Unknown command 'dance'.\nhint: bourre --help"),
        (["rules", "pagta"], "Unknown preset 'pagta'. Did you mean 'pagat'?"),
        (["--loud"], "Unknown option '--loud'."),
    ],
)
def test_bad_usage_ends_with_2_and_no_traceback(words: list[str], says: str) -> None:
    done = bourre(*words)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["found out at the end", "found out on the way"])
def test_a_reader_who_has_had_enough_gets_no_traceback(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "bourre_referee", "rules"]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_under_stdout_is_told_as_such() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "bourre_referee", "rules"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    told = "bourre: stdout: No space left on device.\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_in_a_folder_that_is_gone_that_is_told(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    done = bourre("check", "tight", before=f"import os; os.mkdir({gone!r}); os.chdir({gone!r}); os.rmdir({gone!r})")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "bourre: The current folder no longer exists.\nhint: run cd to enter another one\n"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied", "run"), "run: Permission denied."),
        (
            FileNotFoundError(2, "No usable temporary directory found in ['/full']"),
            "No usable temporary directory found in ['/full'].\nhint: set TMPDIR to a folder that you may write to",
        ),
        (BlockingIOError(11, "Resource temporarily unavailable"), "[Errno 11] Resource temporarily unavailable"),
    ],
)
def test_what_the_system_refuses_is_told_with_its_place_if_it_has_one(error: OSError, told: str) -> None:
    assert explain_os_error(error).startswith(told)


def test_rules_show_prints_the_rules() -> None:
    assert bourre("rules", "limit").stdout.startswith("limit differs from pagat by")
    assert bourre("rules").stdout.startswith("pagat ")
