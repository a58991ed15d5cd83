"""`bourre repro`: asks a bot for a recorded decision again, under a debugger if wanted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.example_folders import example_folders
from bourre_referee.cli.arguments import RunArgument, Seating, file_names, matches, parse_match_id
from bourre_referee.cli.exit_codes import FAILED_CHECK, FAILURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bourre.practice.repro import Reproduction
    from bourre.practice.session import BotMaker
    from bourre.record import RecordedAsk
    from bourre_referee.text.narration.spoken_notes import SpokenNotes

Ask = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, show_default="list them", help="Which of this bot's asks in the deal, counted from 1."
    ),
]


def repro(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, such as m0001 or 1.", autocompletion=matches)],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's file, such as mybot.py or mybot.py:Class.")],
    deal: Annotated[int, typer.Option(metavar="N", min=1, help="The deal, counted from 1.")],
    ask: Ask = None,
    seating: Seating = None,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", show_default="the file's", help="Its name in that match.")
    ] = None,
    debug: Annotated[
        bool, typer.Option("--pdb", help="Open a debugger where the bot's method begins; there is no time limit.")
    ] = False,
) -> None:
    """Ask a bot for a recorded decision again.

    The bot first gets every ask and event that came before it in that match. Without --ask, list the asks. Exit code 3:
    its answer is illegal, or it raised an error.
    """
    from bourre.bot_file import find
    from bourre.practice.random_state import borrowed_random
    from bourre.record import read
    from bourre.rules.deck import start_seed
    from bourre_referee.cli.repro_text import ask_lines, asks_until, check_ask, find_bot
    from bourre_referee.storage.run_folder import RunFolder
    from bourre_referee.text.names import seat_names
    from bourre_referee.text.narration.spoken_notes import spoken_notes

    run, match_id = RunFolder.open(where), parse_match_id(match)
    record = read(run.record(match_id))
    path = find(bot, (Path(bot.partition(":")[0]).parent, *example_folders()))
    number = find_bot(record.header, name, file_names(path))
    asked = asks_until(record, number, deal, seating)
    here = [one for one in asked if one.view.deal == deal]
    notes = spoken_notes(record, run.remarks(match_id))
    if ask is None:
        print("\n".join(ask_lines(here, notes)))
    else:
        check_ask(ask, len(here), deal)
        before = len(asked) - len(here)
        with borrowed_random(start_seed(record.header.seed, record.header.bots[number])):
            _ask_and_print(path, seat_names(record.header.bots)[number], asked[: before + ask], notes, debug)


def _ask_and_print(path: str, name: str, asks: "Sequence[RecordedAsk]", notes: "SpokenNotes", debug: bool) -> None:
    """Ask the bot everything up to the last ask, and print its answer to that one."""
    from bourre.bot_file import load
    from bourre_referee.cli.repro_text import reproduction_lines

    found = _reproduce(load(path), name, asks, debug)
    print("\n".join(reproduction_lines(found, name, notes)))
    if found.wanted.problem:
        raise typer.Exit(FAILED_CHECK)


def _reproduce(bot: "BotMaker", name: str, asks: "Sequence[RecordedAsk]", debug: bool) -> "Reproduction":
    from bdb import BdbQuit

    from bourre.practice.debugging import Debugger
    from bourre.practice.repro import reproduce

    try:
        return reproduce(bot, name, asks, Debugger() if debug else None)
    except BdbQuit:
        raise typer.Exit(FAILURE) from None
