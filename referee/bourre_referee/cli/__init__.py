"""The command `bourre`: reads its words, calls the package, prints; nothing is decided here."""

import sys
from importlib.util import find_spec

from bourre.rules.errors import BourreError


def main() -> None:
    """The command `bourre`; ends the process with an exit code of `cli.ending`, `cli.verify` or `cli.comparison`."""
    if find_spec("typer") is None or find_spec("rich") is None:
        print("bourre: the commands are an extra of this package: pip install 'bourre[cli]'", file=sys.stderr)
        sys.exit(2)
    from bourre_referee.cli.app import app
    from bourre_referee.cli.exit_codes import end, hush, refused, tell

    try:
        try:
            app(prog_name="bourre")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        hush()
    except OSError as error:
        tell(refused(error))
        hush()
    except (BourreError, ModuleNotFoundError) as error:
        end(error)
