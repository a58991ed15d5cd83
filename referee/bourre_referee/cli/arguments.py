"""What commands are given: bots, matches, house rules and folders by name, and what a shell may offer for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Context

from bourre.example_folders import example_folders
from bourre.rules.errors import BourreError
from bourre_referee.cli.exit_codes import BadUsage

if TYPE_CHECKING:
    from bourre.rules.house import HouseRules


SITE = "site"
"""The format of an export that has pages, not tables."""


def presets(begun: str) -> Iterator[str]:
    """The presets of house rules that begin so."""
    from bourre.rules.house import PRESETS

    return (preset for preset in PRESETS if preset.startswith(begun))


def opponents(begun: str) -> Iterator[str]:
    """After the last comma: the example bots that begin so."""
    before, comma, last = begun.rpartition(",")
    names = {path.stem.removesuffix("_bot") for folder in example_folders() for path in folder.glob("*.py")}
    return (f"{before}{comma}{name}" for name in sorted(names) if name.startswith(last))


def matches(context: Context, begun: str) -> Iterator[str]:
    """The finished matches of the run folder that stands before; none where it is no run folder."""
    from bourre_referee.storage.run_folder import RunFolder

    folder: Path | None = context.params.get("folder")
    try:
        finished = RunFolder.open(folder).matches() if folder else ()
    except BourreError:  # the command itself will say what is wrong with it
        return iter(())
    return (match for match in finished if match.startswith(begun))


def languages(begun: str) -> Iterator[str]:
    """The languages of a new bot that begin so."""
    from bourre_referee.starters.language import LANGUAGES

    return (language for language in LANGUAGES if language.startswith(begun))


def forms(begun: str) -> Iterator[str]:
    """The formats of an export that begin so."""
    return (form for form in formats() if form.startswith(begun))


def formats() -> list[str]:
    """Those of an export: of tables, and the one of pages."""
    from bourre_referee.export.export_writer import FORMS

    return [*FORMS, SITE]


def names(paths: Sequence[str], gap: str = " ") -> list[str]:
    """A name for each bot: its file's, with the class where the path says one, with a number where it is taken."""
    given: list[str] = []
    for path in paths:
        file, _, wanted = path.partition(":")
        first = name = wanted or Path(file).stem.removesuffix("_bot")
        number = 1
        while name in given:
            number += 1
            name = f"{first}{gap}{number}"
        given.append(name)
    return given


def file_names(path: str) -> list[str]:
    """What a bot of this file may be called in a contest: its file's name, with and without `_bot`, or its class's.

    A `bot.py` may have the name of its folder too, as those of `bourre new` do.
    """
    file, _, wanted = path.partition(":")
    stem = Path(file).stem
    folder = [Path(file).absolute().parent.name] if stem == "bot" else []
    return [stem.removesuffix("_bot"), stem, *folder, *([wanted] if wanted else [])]


MOST_DIGITS = 9


def match_named(word: str) -> str:
    """The id that is meant by `m0001` or `1`; whatever else is written is an id too, of no match."""
    if word.isdecimal() and len(word) <= MOST_DIGITS:
        return f"m{int(word):04d}"
    return word.encode(errors="replace").decode()  # bytes that are no text are no id either


def house_at(preset: str, seats: int) -> HouseRules:
    """The house rules of this preset at a table of so many; InvalidHouse where there are none."""
    from bourre.rules.house import HouseRules, check_preset

    house = HouseRules.preset(preset)
    house.check_seats(seats)
    check_preset(preset, seats)
    return house


RunPath = Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, as runs/demo.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Preset = Annotated[
    str, typer.Option(metavar="PRESET", help="House rules: see `bourre rules show`.", autocompletion=presets)
]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, show_default="one per core", help="Rooms played at once; results do not change."),
]


def check_place(option: str, file: Path) -> None:
    """BadUsage where no file can be made of this name: asked before the work, since afterwards it would be lost."""
    if file.is_dir() or not file.parent.is_dir():
        why = "that is a folder" if file.is_dir() else f"there is no folder {file.parent}"
        raise BadUsage(f"{option} {file}: {why}")


def beside(folder: Path, suffix: str) -> Path:
    """The folder next to this one that is called so with a suffix: `runs/demo` gives `runs/demo-csv`."""
    named = folder.resolve() if folder.name in ("", "..") else folder
    return named.with_name(f"{named.name}-{suffix}")
