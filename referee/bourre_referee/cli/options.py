"""What several commands are asked in the same words."""

from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.completion import presets

RunPath = Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, as runs/demo.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Preset = Annotated[
    str, typer.Option(metavar="PRESET", help="House rules: see `bourre rules show`.", autocompletion=presets)
]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, show_default="one per core", help="Rooms played at once; results do not change."),
]
