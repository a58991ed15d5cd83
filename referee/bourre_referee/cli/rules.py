"""`bourre rules`: prints the rules of the game, and answers questions about them."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from bourre_referee.cli.arguments import presets

app = typer.Typer(help="The rules of the game and its house rules.", no_args_is_help=True)


@app.command()
def show(
    preset: Annotated[
        str,
        typer.Argument(metavar="PRESET", help="A preset; without one, all presets are listed.", autocompletion=presets),
    ] = "",
) -> None:
    """Print the rules of a preset in words, or list the presets.

    The differences from pagat come first.
    """
    from bourre.rules.house import HouseRules
    from bourre_referee.text.house_rules.house_rule_lines import house_lines, preset_lines

    if preset:
        HouseRules.preset(preset)
    for line in house_lines(preset) if preset else preset_lines():
        print(line)


@app.command()
def legal() -> None:
    """Answer which cards may be played: a JSON object per line on stdin, an answer to each on stdout.

    \b
    {"hand":"AS KH 2C","trick":"QH","trump":"S","playing":4,"tricks_won":1,"seen":"","dead":"","house":{}}
    """
    from bourre_referee.cli.rules_json import legal

    _answer(legal)


@app.command()
def settle() -> None:
    """Answer who takes and pays what: a JSON object per line on stdin, an answer to each on stdout.

    \b
    {"pot":7,"tricks":{"B":1,"C":0,"E":3,"G":1},"uncorrected":[],"corrected":[],"house":{"preset":"pagat"}}
    """
    from bourre_referee.cli.rules_json import settlement

    _answer(settlement)


def _answer(question: Callable[[str], dict[str, object]]) -> None:
    from bourre_referee.cli.rules_json import answers

    # JSON can spell half a surrogate pair, UTF-8 cannot: it goes out as it came in, as a JSON escape.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    for line in answers(sys.stdin.buffer, question):
        print(line, flush=True)
