"""What several commands are asked in the same words, and answer in the same."""

from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.completion import presets
from bourre_referee.cli.ending import BadUsage

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
