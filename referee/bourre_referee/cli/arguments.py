"""Command-line arguments that several commands share, and their shell completions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Context

from bourre.bot_code.example_folders import example_folders
from bourre.rules.errors import BourreError
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.storage.run.run_location import RunLocation, parse_place

if TYPE_CHECKING:
    from bourre.rules.house import HouseRules


RUN = "run"
"""The export format of the last release that is a results folder, now `bourre copy`."""

SITE = "site"
"""The export format that has pages instead of tables."""

SEEDS = 2**31
"""The number of seeds that a game of a person may have."""

PLOTS = "plots"
"""The export format that has pictures."""


def presets(incomplete: str) -> Iterator[str]:
    """Completes the name of a preset of house rules."""
    from bourre.rules.house import PRESETS

    return (preset for preset in PRESETS if preset.startswith(incomplete))


def opponents(incomplete: str) -> Iterator[str]:
    """Completes the name of an example bot after the last comma."""
    before, comma, last = incomplete.rpartition(",")
    names = {path.stem.removesuffix("_bot") for folder in example_folders() for path in folder.glob("*.py")}
    return (f"{before}{comma}{name}" for name in sorted(names) if name.startswith(last))


def matches(context: Context, incomplete: str) -> Iterator[str]:
    """Completes a finished match of the run folder given before it; offer none if that is not a run folder."""
    from bourre_referee.storage.run.run import Run

    place: RunLocation | None = context.params.get("where")
    try:
        finished = Run.open(place).matches() if place else ()
    except BourreError:  # the command itself reports what is wrong
        return iter(())
    return (match for match in finished if match.startswith(incomplete))


def languages(incomplete: str) -> Iterator[str]:
    """Completes the language of a new bot."""
    from bourre_referee.evaluation.starters.starter import LANGUAGES

    return (language for language in LANGUAGES if language.startswith(incomplete))


def forms(incomplete: str) -> Iterator[str]:
    """Completes the format of an export."""
    return (form for form in formats() if form.startswith(incomplete))


def formats() -> list[str]:
    """Lists the export formats: those with tables, then pages and pictures."""
    from bourre_referee.export.export_writer import FORMATS

    return [*FORMATS, SITE, PLOTS]


def names(paths: Sequence[str], gap: str = " ") -> list[str]:
    """Names each bot by its class, if the path gives one, or by its file; a name already taken gets a number."""
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
    """Lists the names that a bot of this file may have: the file's, with and without `_bot`, and the class's.

    A `bot.py` may also have its folder's name, as those made by `bourre new` do.
    """
    file, _, wanted = path.partition(":")
    stem = Path(file).stem
    folder = [Path(file).absolute().parent.name] if stem == "bot" else []
    return [stem.removesuffix("_bot"), stem, *folder, *([wanted] if wanted else [])]


MOST_DIGITS = 9


def parse_match_id(word: str) -> str:
    """Turns `m0001` or `1` into a match id; other text is returned as it is, and names no match."""
    if word.isdecimal() and len(word) <= MOST_DIGITS:
        return f"m{int(word):04d}"
    return word.encode(errors="replace").decode()  # invalid bytes name no match


def house_for_table(preset: str, seats: int) -> HouseRules:
    """Returns the preset's house rules for a table of `seats`; raises InvalidHouse if there are none."""
    from bourre.rules.house import HouseRules, check_preset

    house = HouseRules.preset(preset)
    house.check_seats(seats)
    check_preset(preset, seats)
    return house


def parse_public_url(text: str) -> str:
    """Returns an address on the internet without a slash at its end; raises BadUsage if pages cannot be there."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not text.isascii() or not text.isprintable() or set(text) & set("@?#<>\"' \\"):
        raise BadUsage("--public-url is not the address of pages.\nhint: use such as https://example.org/contest")
    import_module("bourre_referee.export.plots.share_picture")  # without matplotlib it fails here, not at a visit
    return text.rstrip("/")


PublicUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        parser=parse_public_url,
        help="Where the pages will be on the internet. Links to them then show a picture (needs 'bourre[export]').",
    ),
]
LogRequests = Annotated[bool, typer.Option("--log-requests", help="Log each request of a browser.")]
RunArgument = Annotated[
    RunLocation,
    typer.Argument(
        metavar="RUN",
        parser=parse_place,
        help="A results folder, such as runs/demo, or 'postgresql://USER@HOST/DATABASE#NAME'.",
    ),
]
Seating = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, show_default="1", help="The seating of the deal, in format duplicate."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Rules = Annotated[
    str,
    typer.Option(
        "--rules", metavar="PRESET", help="A preset of house rules. `bourre rules` lists them.", autocompletion=presets
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        show_default="one per core",
        help="How many matches play at once. The results do not depend on it.",
    ),
]


DecisionSeconds = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        min=0.001,
        max=86_400,
        show_default="1",
        help="The time limit of a decision, for bots in their own processes. The reserve time is five times as long.",
    ),
]
Environment = Annotated[
    list[str],
    typer.Option(
        "--environment",
        metavar="NAME",
        help="An environment variable that commands receive, such as OPENAI_API_KEY. Repeatable.",
    ),
]


def check_writable(option: str, file: Path) -> None:
    """Raises BadUsage if this file cannot be created; checked before the work, which would otherwise be lost."""
    if file.is_dir() or not file.parent.is_dir():
        why = f"'{file}' is a folder" if file.is_dir() else f"no folder '{file.parent}' here"
        raise BadUsage(f"{option}: {why}.\nhint: use a file in a folder that exists")


def beside(run: RunLocation, suffix: str) -> Path:
    """Returns the sibling folder with this suffix: `runs/demo` gives `runs/demo-csv`.

    Raises BadUsage for a run in a database, which lies beside nothing.
    """
    if (folder := run.folder) is None:
        raise BadUsage("The contest is in a database, so there is no folder next to it.\nhint: add --out")
    named = folder.resolve() if folder.name in ("", "..") else folder
    return named.with_name(f"{named.name}-{suffix}")
