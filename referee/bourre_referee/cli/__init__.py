"""The command `bourre`: parses its arguments, calls the package and prints; it decides nothing itself."""

import atexit
import gc
import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, NoReturn

from bourre.connection.standard_streams import prepare_streams
from bourre.rules.errors import BourreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer import Typer


def main() -> NoReturn:
    """Runs the command `bourre` and ends the process; the exit codes are in `exit_codes`, `verify` and `comparison`."""
    prepare_streams()
    if find_spec("typer") is None or find_spec("rich") is None:
        from bourre.extras import install_command

        print(f"bourre: The commands need the extra cli.\nhint: {install_command('cli')}", file=sys.stderr)
        sys.exit(2)
    # Pythons started from here would else import files of the current folder, where a bot's types.py may lie.
    os.environ["PYTHONSAFEPATH"] = "1"
    atexit.register(gc.freeze)  # a last collection takes up to half a second of processor time
    gc.set_threshold(50_000)  # imported objects stay, so looking at them again and again is a tenth of a start
    words = sys.argv[1:]
    if words == ["--help"]:
        from bourre_referee.cli.first_screen import SCREEN

        _run(lambda: print(SCREEN, end=""))
    from bourre_referee.cli.app import bourre_commands

    run_app(bourre_commands(words), "bourre")


def run_app(app: "Typer", name: str) -> NoReturn:
    """Runs the commands of a program of this name, and ends the process with their exit code and message."""
    from typer import TyperException

    from bourre_referee.cli.usage_errors import end_usage

    try:
        _run(lambda: app(prog_name=name, standalone_mode=False))
    except TyperException as error:
        end_usage(error)


def _run(command: "Callable[[], int | None]") -> NoReturn:
    """Runs a command, and ends the process with its exit code, or with the message of an error."""
    try:
        try:
            sys.exit(command() or 0)
        finally:
            sys.stdout.flush()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # Typer's own way to end
            _end_unread()
        raise
    except BrokenPipeError:
        _end_unread()
    except OSError as error:
        from bourre_referee.cli.exit_codes import FAILURE, explain_os_error, silence_stdout, tell

        tell(explain_os_error(error))
        silence_stdout(FAILURE)
    except (BourreError, ModuleNotFoundError) as error:
        from bourre_referee.cli.exit_codes import end

        end(error)


def _end_unread() -> NoReturn:
    from bourre_referee.cli.exit_codes import READER_GONE, silence_stdout

    silence_stdout(READER_GONE)
