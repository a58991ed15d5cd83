"""`bourre debug`: asks a bot for a recorded decision again, under a debugger if wanted."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import RunArgument, Seating, file_names, matches, parse_match_id
from bourre_referee.cli.exit_codes import FAILED_CHECK, FAILURE, BadUsage, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bourre.practice.repro import Reproduction
    from bourre.practice.session import BotMaker
    from bourre.record import Header, RecordedAsk
    from bourre_referee.cli.bot_sources import Found
    from bourre_referee.text.narration.spoken_notes import SpokenNotes

SHOWN = 5
"""How many of the lines that a command printed are shown."""

Ask = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, show_default="list them", help="Which of the bot's decisions in the deal, counted from 1."
    ),
]


def debug(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, such as m0001 or 1.", autocompletion=matches)],
    bot: Annotated[
        str,
        typer.Argument(metavar="BOT", help="The bot's file, such as mybot.py or mybot.py:Class, or a quoted command."),
    ],
    deal: Annotated[int, typer.Option(metavar="N", min=1, help="The deal, counted from 1.")],
    ask: Ask = None,
    seating: Seating = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", show_default="the file's", help="The bot's name in that match."),
    ] = None,
    pdb: Annotated[
        bool, typer.Option("--pdb", help="Open a debugger where the bot's method begins, without a time limit.")
    ] = False,
) -> None:
    """Ask a bot for a recorded decision again.

    The bot first gets every decision and event that came before in that match. Without --ask, the command lists the
    decisions. Exit code 3: the answer is illegal, or the bot raised an error.
    """
    from bourre.record import read
    from bourre.words.table_words import code_writer_for
    from bourre_referee.cli.bot_sources import find_bot
    from bourre_referee.cli.recorded_asks import ask_lines, asks_until, bot_index, check_ask
    from bourre_referee.storage.run.run import Run
    from bourre_referee.text.narration.spoken_notes import spoken_notes

    run, match_id = Run.open(where), parse_match_id(match)
    record = read(run.record(match_id))
    found = find_bot(bot, (Path(bot.partition(":")[0]).parent, *example_folders()))
    if pdb and not isinstance(found, str):
        raise BadUsage("--pdb needs a bot's file, not a command.\nhint: remove --pdb")
    number = bot_index(record.header, name, file_names(found) if isinstance(found, str) else [found.name])
    asked = asks_until(record, number, deal, seating)
    here = [one for one in asked if one.view.deal == deal]
    notes = spoken_notes(record, run.remarks(match_id))
    if ask is None:
        print("\n".join(ask_lines(here, notes, code_writer_for(sys.stdout))))
    else:
        check_ask(ask, len(here), deal)
        before = len(asked) - len(here)
        _ask_and_print(found, record.header, number, asked[: before + ask], notes, pdb)


def _ask_and_print(
    bot: "Found", header: "Header", number: int, asks: "Sequence[RecordedAsk]", notes: "SpokenNotes", debug: bool
) -> None:
    """Asks the bot everything up to the last ask, and prints its answer to that one."""
    from bourre.bot_code.bot_file import load
    from bourre.practice.seat import borrowed_random
    from bourre.rules.deck import start_seed
    from bourre.words.table_words import code_writer_for
    from bourre_referee.cli.recorded_asks import reproduction_lines
    from bourre_referee.text.names import seat_names

    name, said = seat_names(header.bots)[number], list[str]()
    if isinstance(bot, str):
        with borrowed_random(start_seed(header.seed, header.bots[number])):
            found = _reproduce(load(bot), name, asks, debug)
    else:
        from bourre_referee.evaluation.played_mistakes import last_words
        from bourre_referee.evaluation.process_repro import reproduce_by_process

        found, printed = reproduce_by_process(bot, Path.cwd(), header.bots[number], header, asks)
        said = [f"{bot.name}: {line}" for line in last_words(printed, SHOWN)]
    print("\n".join(reproduction_lines(found, name, notes, code_writer_for(sys.stdout))))
    for line in said:
        tell(line)
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
