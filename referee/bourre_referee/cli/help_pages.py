"""The pages of help: usage, what the command does, its arguments, its options under headings, two examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING

from typer.core import TyperArgument, TyperOption

from bourre_referee.cli.command_examples import EXAMPLES

if TYPE_CHECKING:
    from typer._click import Command as AnyCommand
    from typer._click import Parameter
    from typer.core import TyperCommand, TyperGroup

WIDTH = 80
WIDEST_NAME = 23
"""The most characters of a name in the left column; the text of a longer one begins on the next line."""

HEADINGS = {
    "Where to keep it": ("--out", "--db", "--to", "--record", "--html", "--results"),
    "For programs": ("--json", "--csv", "--junit"),
    "Advanced": ("--jobs", "--cluster", "--in-process", "--environment", "--verbose", "--allow-host"),
}
"""The headings of options that have none of their own."""

NO_HEADINGS = 6
"""So many options need no headings."""

NUMBER_WITHOUT_END = 1_000_000
"""A bound of this or more is not worth telling."""


def command_page(command: TyperCommand, path: str) -> str:
    """Returns the help of a command, whose words are `path`."""
    arguments = [param for param in command.params if isinstance(param, TyperArgument) and not param.hidden]
    pieces = ["[OPTIONS]"] if any(isinstance(param, TyperOption) for param in command.params) else []
    usage = " ".join([path, *map(_usage, arguments), *pieces])
    lines = [f"Usage: {usage}", "", *_paragraphs(command.help or "")]
    if arguments:
        lines += ["", "Arguments", *_table([(_name(each), _text(each)) for each in arguments])]
    for heading, options in _under_headings(command.params).items():
        lines += ["", heading, *option_lines(options)]
    return "\n".join([*lines, *_example_lines(path)])


def group_page(group: TyperGroup, path: str, sections: Mapping[str, Sequence[str]]) -> str:
    """Returns the help of a group of commands."""
    end = f"Run '{path} COMMAND --help' for one of them."
    lines = [
        f"Usage: {path} {group.subcommand_metavar}",
        "",
        *_paragraphs(group.help or ""),
        *section_lines(group, sections),
        "",
        end,
    ]
    return "\n".join([*lines, *_example_lines(path)])


def section_lines(group: TyperGroup, sections: Mapping[str, Sequence[str]]) -> list[str]:
    """Returns each section's heading, and its commands with the first sentence of their help."""
    widest = max(len(name) for names in sections.values() for name in names)
    lines = list[str]()
    for heading, names in sections.items():
        rows = [(name, _first_sentence(find_command(group, name.split()))) for name in names]
        lines += ["", heading, *_table(rows, widest)]
    return lines


def find_command(group: TyperGroup, words: Sequence[str]) -> AnyCommand:
    """Returns the command of these words; raises KeyError if there is none."""
    found: AnyCommand = group
    for word in words:
        found = getattr(found, "commands", {})[word]
    return found


def option_lines(params: Iterable[Parameter]) -> list[str]:
    """Returns a line or more for each option among these parameters."""
    shown = [param for param in params if isinstance(param, TyperOption) and not param.hidden]
    return _table([(_name(option), _text(option)) for option in shown])


def _under_headings(params: Sequence[Parameter]) -> dict[str, list[TyperOption]]:
    options = [param for param in params if isinstance(param, TyperOption) and not param.hidden]
    if len(options) <= NO_HEADINGS:
        return {"Options": options} if options else {}
    heading_of = {name: heading for heading, names in HEADINGS.items() for name in names}
    headings = [option.rich_help_panel or heading_of.get(option.opts[0], "Options") for option in options]
    own = dict.fromkeys(heading for heading in headings if heading not in HEADINGS)
    return {
        heading: [option for option, its in zip(options, headings, strict=True) if its == heading]
        for heading in sorted({*headings}, key=[*own, *HEADINGS].index)
    }


def _usage(argument: TyperArgument) -> str:
    name = _name(argument)
    return name if argument.required else f"[{name}]"


def _name(param: TyperArgument | TyperOption) -> str:
    """Returns what is typed: only the first name of an option, as the others are former ones."""
    if isinstance(param, TyperArgument):
        return param.metavar or str(param.name).upper()
    if param.is_flag:
        return ", ".join([param.opts[0], *param.secondary_opts[:1]])
    return f"{param.opts[0]} {param.metavar or 'VALUE'}"


def _text(param: TyperArgument | TyperOption) -> str:
    notes = [*_bounds(param), *_default(param)]
    if isinstance(param, TyperOption) and param.required:
        notes.append("required")
    return f"{param.help or ''} [{', '.join(notes)}]" if notes else param.help or ""


def _bounds(param: TyperArgument | TyperOption) -> Iterator[str]:
    if param.max is not None and param.max < NUMBER_WITHOUT_END:
        yield f"{param.min:g} to {param.max:g}"


def _default(param: TyperArgument | TyperOption) -> Iterator[str]:
    if isinstance(param.show_default, str):
        yield f"default: {param.show_default}"
    elif param.show_default and not isinstance(param.default, bool) and param.default not in (None, "", []):
        yield f"default: {param.default:g}" if isinstance(param.default, float) else f"default: {param.default}"


def _paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a docstring, wrapped but for those that begin with a backspace."""
    parts = (part for part in cleandoc(text).split("\n\n") if part)
    wrapped = (part.splitlines()[1:] if part.startswith("\b") else wrap(part, WIDTH) for part in parts)
    return [*chain.from_iterable(("", *part) for part in wrapped)][1:]


def _first_sentence(command: AnyCommand) -> str:
    return cleandoc(command.help or "").partition("\n")[0].removesuffix(".")


def _table(rows: Sequence[tuple[str, str]], widest: int = 0) -> list[str]:
    """Returns the lines of two columns, the second wrapped."""
    left = min(max(widest, *(len(name) for name, _ in rows)), WIDEST_NAME) if rows else 0
    indent = " " * (left + 4)
    lines = list[str]()
    for name, text in rows:
        first, *more = wrap(text, WIDTH - len(indent)) or [""]
        if len(name) > left:
            lines += [f"  {name}", f"{indent}{first}"]
        else:
            lines.append(f"  {name:{left}}  {first}".rstrip())
        lines += [f"{indent}{line}" for line in more]
    return lines


def _example_lines(path: str) -> list[str]:
    examples = EXAMPLES.get(path.partition(" ")[2], ())
    return ["", "Examples", *(f"  bourre {example}" for example in examples)] if examples else []
