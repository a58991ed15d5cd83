"""Mistakes on the command line, explained in the form of all our messages."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NoReturn

from typer import TyperException
from typer.core import TyperArgument, TyperGroup, TyperOption

from bourre.bot_code.did_you_mean import closest, did_you_mean
from bourre_referee.cli.command_examples import EXAMPLES
from bourre_referee.cli.exit_codes import tell

if TYPE_CHECKING:
    from typer._click import Context

QUESTIONS = {
    "RUN": "Which results?",
    "BOT": "Which bot?",
    "CONTEST": "Which contest?",
    "LADDER": "Which ladder?",
    "MATCH": "Which match?",
}
"""What a missing argument is asked for with; others by their names."""

PYDANTIC = (
    (r"Input should be greater than or equal to (\S+)", r"must be at least \1"),
    (r"Input should be less than or equal to (\S+)", r"must be at most \1"),
    (r"Input should be a valid integer.*", "must be a whole number"),
    (r"Input should be a valid number.*", "must be a number"),
)
"""How bounds are told, for the words of the package that checks them."""


def end_usage(error: TyperException) -> NoReturn:
    """Prints what is wrong with the words of a command and a hint, or the help of a bare group, and exits."""
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.message, file=sys.stderr)
    else:
        tell(_explain(error))
    sys.exit(error.exit_code)


def _explain(error: TyperException) -> str:
    context: Context | None = getattr(error, "ctx", None)
    if context is None:
        return error.format_message()
    param = getattr(error, "param", None)
    match type(error).__name__:
        case "MissingParameter":
            return _explain_missing(param, context)
        case "BadParameter" if isinstance(param, TyperArgument | TyperOption):
            return f"{_name(param)}{_given(error)}: {_in_our_words(error.message)}"
        case "NoSuchOption":
            return _explain_option(str(getattr(error, "option_name", "")), context)
    if unknown := re.fullmatch(r"No such command '(.*?)'\..*", error.message, re.DOTALL):
        return _explain_command(unknown[1], context)
    return f"{error.format_message().removesuffix('.')}.\nhint: {context.command_path} --help"


def _explain_missing(param: object, context: Context) -> str:
    name = _name(param) if isinstance(param, TyperArgument | TyperOption) else "a value"
    question = QUESTIONS.get(name) or f"{name} is missing."
    path = context.command_path.partition(" ")[2]
    example = EXAMPLES.get(path, ())
    return f"{question}\nhint: bourre {example[0]}" if example else f"{question}\nhint: bourre {path} --help"


def _explain_option(option: str, context: Context) -> str:
    known = [name for param in context.command.params if isinstance(param, TyperOption) for name in param.opts]
    told = " ".join(filter(None, (f"Unknown option {option!r}.", did_you_mean(option, known))))
    return f"{told}\nhint: {context.command_path} --help"


def _explain_command(name: str, context: Context) -> str:
    group = context.command
    known = [name for name, one in group.commands.items() if not one.hidden] if isinstance(group, TyperGroup) else []
    return f"Unknown command {name!r}.\nhint: {context.command_path} {closest(name, known) or '--help'}"


def _name(param: TyperArgument | TyperOption) -> str:
    return param.opts[0] if isinstance(param, TyperOption) else str(param.metavar or param.name).strip(".")


def _given(error: TyperException) -> str:
    """Returns the value that was refused, as far as its check tells it."""
    errors = getattr(error.__cause__, "errors", None)
    return f" {errors()[0]['input']}" if errors else ""


def _in_our_words(text: str) -> str:
    for theirs, ours in PYDANTIC:
        text = re.sub(theirs, ours, text)
    return text
