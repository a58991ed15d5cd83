"""`bourre new`: makes a folder with a bot that plays at once, for its author to improve."""

from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from bourre_referee.cli.arguments import languages
from bourre_referee.cli.exit_codes import BadUsage, activation_lines, tell


def new(
    path: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder, such as mybot.")],
    lang: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="The bot's language: python or node.", autocompletion=languages)
    ] = "python",
) -> None:
    """Create a bot to edit (Python or JavaScript).

    The new folder has a bot that plays at once, a test, a contest against example bots, and a README with
    the next steps.
    """
    from bourre_referee.evaluation.starters.starter import LANGUAGES, StarterError, make

    if lang not in LANGUAGES:
        raise BadUsage(f"Unknown language {lang!r}.\nhint: use --lang {' or --lang '.join(LANGUAGES)}")
    language = LANGUAGES[lang]
    try:
        make(path, language)
    except StarterError as error:
        raise BadUsage(str(error)) from error
    tell(f"Created {path}. Edit {path / language.bot}, then:")
    missing = ["pip install pytest"] if lang == "python" and find_spec("pytest") is None else []
    steps = [*activation_lines(), *_into(path), *missing, *language.steps]
    tell("\n".join(f"  {step}" for step in steps))


def _into(path: Path) -> list[str]:
    """Returns the shell line that enters this folder; none if it is the current one."""
    if path.resolve() == Path.cwd():
        return []
    return [f"cd {quote(f'./{path}' if str(path).startswith('-') else str(path))}"]
