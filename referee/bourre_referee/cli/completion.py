"""What a shell may offer at the next word, where a command line is completed; silent where nothing can be offered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from typer import Context

from bourre.example_folders import example_folders
from bourre.rules.errors import BourreError

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
