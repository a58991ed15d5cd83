"""`bourre rules ...`: the rules of the game, asked from the command line."""

from typing import Annotated

import typer

from bourre_referee.cli.ending import BadUsage

app = typer.Typer(help="The rules of the game and its house rules.", no_args_is_help=True)


@app.command()
def show(preset: Annotated[str, typer.Argument(help="A preset; without one, all presets in short.")] = "") -> None:
    """Print the rules of a preset in words.

    Its differences from pagat come first. Without a preset all presets are listed.
    """
    from bourre.rules.house import PRESETS
    from bourre_referee.telling.house import house_lines, preset_lines

    if preset and preset not in PRESETS:
        raise BadUsage(f"there is no preset {preset!r}: there are {', '.join(PRESETS)}")
    for line in house_lines(preset) if preset else preset_lines():
        print(line)
