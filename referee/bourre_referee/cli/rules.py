"""`bourre rules`: prints the rules of the game, and answers questions about them."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from bourre_referee.cli.arguments import presets
from bourre_referee.cli.command_group import Command, RulesGroup

app = typer.Typer(
    cls=RulesGroup, subcommand_metavar="[PRESET | COMMAND]", help="Read the rules, or ask which cards are legal."
)


@app.command(cls=Command, hidden=True)
def show(
    preset: Annotated[
        str,
        typer.Argument(metavar="PRESET", help="A preset; without one, all presets are listed.", autocompletion=presets),
    ] = "",
) -> None:
    """Read the rules of a preset, or list the presets.

    The differences from pagat come first.
    """
    from bourre.rules.house import HouseRules
    from bourre_referee.text.house_rules.house_rule_lines import house_lines, preset_lines

    if preset:
        HouseRules.preset(preset)
    for line in house_lines(preset) if preset else preset_lines():
        print(line)


@app.command(cls=Command)
def legal() -> None:
    """Ask which cards are legal, as JSON.

    Every line of stdin is a question, and every line of stdout its answer. For example:

    \b
    {"hand":"AS KH 2C","trick":"QH","trump":"S","playing":4,"tricks_won":1}

    More keys: "seen" and "dead" are cards, "house" is an object of house rules.
    """
    from bourre_referee.cli.rules_json import legal

    _answer(legal)


@app.command(cls=Command)
def settle() -> None:
    """Ask who takes and pays what, as JSON.

    Every line of stdin is a question, and every line of stdout its answer. For example:

    \b
    {"pot":7,"tricks":{"B":1,"C":0,"E":3,"G":1},"house":{"preset":"pagat"}}

    More keys: "uncorrected" and "corrected" are lists of the seats that reneged.
    """
    from bourre_referee.cli.rules_json import settlement

    _answer(settlement)


def _answer(question: Callable[[str], dict[str, object]]) -> None:
    from bourre_referee.cli.rules_json import answers

    # JSON can spell half a surrogate pair, UTF-8 cannot: it goes out as it came in, as a JSON escape.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    for line in answers(sys.stdin.buffer, question):
        print(line, flush=True)
