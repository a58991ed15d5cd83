"""The command `bourre`: parses its arguments, calls the package and prints; it decides nothing itself."""

import atexit
import gc
import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bourre.connection.standard_streams import prepare_streams
from bourre.rules.errors import BourreError

if TYPE_CHECKING:
    from typer import Typer


def main() -> None:
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
    from bourre_referee.cli.app import bourre_commands

    run_app(bourre_commands(sys.argv[1:]), "bourre")


def run_app(app: "Typer", name: str) -> None:
    """Runs the commands of a program of this name, and ends the process with their exit code and message."""
    from typer import TyperException

    from bourre_referee.cli.exit_codes import FAILURE, READER_GONE, end, explain_os_error, silence_stdout, tell
    from bourre_referee.cli.usage_errors import end_usage

    try:
        try:
            sys.exit(app(prog_name=name, standalone_mode=False) or 0)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout(READER_GONE)
    except TyperException as error:
        end_usage(error)
    except OSError as error:
        tell(explain_os_error(error))
        silence_stdout(FAILURE)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # Typer's own way to end
            silence_stdout(READER_GONE)
        raise
    except (BourreError, ModuleNotFoundError) as error:
        end(error)
