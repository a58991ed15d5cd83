"""`bourre play` and `puzzle`: a person at the table, against bots, in the browser or the terminal."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import (
    Preset,
    RunArgument,
    Seating,
    check_writable,
    house_for_table,
    matches,
    opponents,
    parse_match_id,
)
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell

if TYPE_CHECKING:
    from bourre.record import Record, RecordedAsk
    from bourre_referee.evaluation.person_game import Game
    from bourre_referee.model.spec import MatchOutcome
    from bourre_seats.seat.sitting import Sitting


InTerminal = Annotated[bool, typer.Option("--terminal", help="Stay in the terminal.")]
PagePort = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port of the page; 0 takes a free one.")
]
OpensBrowser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")]

Result = TypeVar("Result")


def seat_person(sitting: Sitting, port: int | None, game: Coroutine[object, object, Result], *, opens: bool) -> Result:
    """Returns what the game does, shown in the browser, or without a port in the terminal; exits if they leave."""
    import asyncio

    from bourre_referee.runner.interrupt import until_signal
    from bourre_seats.seat.seating import take_seat
    from bourre_seats.seat.terminal import Left

    try:
        return asyncio.run(until_signal(take_seat(sitting, port, game, opens=opens)))
    except (Left, KeyboardInterrupt, asyncio.CancelledError):
        tell("You have left the table; nothing is kept.")
        raise typer.Exit(INTERRUPTED) from None


SEEDS = 2**31


def play(
    against: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT",
            autocompletion=opponents,
            help="Files, names of example bots, or commands in quotes, separated by commas.",
        ),
    ] = "monte_carlo,tight,counter",
    house: Preset = "limit",
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="How many deals.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=SEEDS - 1, show_default="any", help="The same seed deals the same cards."),
    ] = None,
    terminal: InTerminal = False,
    guide: Annotated[bool, typer.Option("--guide/--no-guide", help="Explain each rule when it first binds.")] = False,
    port: PagePort = 0,
    browser: OpensBrowser = True,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", show_default=False, help="Write the record of the game.")
    ] = None,
) -> None:
    """Play Bourré yourself, against bots.

    You sit at a real referee: it takes any card of your hand, and if the card breaks a rule it says which and what that
    costs. Hints are there on request. Ctrl-C ends the game.
    """
    if record:
        check_writable("--record", record)
    game = _game(against, house, deals, seed)
    again = ["bourre", "play", "--against", against, "--house", house, "--deals", str(deals), "--seed", str(game.seed)]
    outcome = _play(game, None if terminal else port, guided=guide, opens=browser)
    if record:
        record.write_text(outcome.record, "utf-8")
    for seat in outcome.result.seats:
        print(f"{seat.bot:20}{seat.chips:+d}")
    tell(f"the same cards again: {join([*again, *['--terminal'] * terminal])}")


def _game(against: str, preset: str, deals: int, seed: int | None) -> Game:
    """Returns the game; raises BadUsage, BotFileError, ContestError or InvalidHouse."""
    import secrets

    from bourre_referee.cli.bot_sources import find_bot, name_bots, sources_of
    from bourre_referee.evaluation.bot_source import BotSource, split_bots
    from bourre_referee.evaluation.person_game import PERSON, Game, isolation_here

    found = [find_bot(word, tuple(example_folders())) for word in split_bots(against)]
    bots: Mapping[str, BotSource] = sources_of(name_bots(found))
    if PERSON in bots:
        raise BadUsage(f"--against {against}: {PERSON!r} is the name of your own seat: rename that bot's file")
    house = house_for_table(preset, len(bots) + 1)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    return Game(bots, house, deals, seed, isolation_here(bots, tell))


def _play(game: Game, port: int | None, *, guided: bool, opens: bool) -> MatchOutcome:
    """Plays the game in the browser, or without a port in the terminal; exits if the person leaves."""
    from bourre_seats.seat.sitting import Sitting

    sitting = Sitting(game.line_up, guided=guided, practice=True)
    return seat_person(sitting, port, _play_out(game, sitting), opens=opens)


async def _play_out(game: Game, sitting: Sitting) -> MatchOutcome:
    """Plays the game, again from the same seed whenever the person takes an answer back."""
    from bourre_referee.evaluation.person_game import play_game
    from bourre_seats.seat.take_back import TakenBack

    while True:
        with suppress(TakenBack):
            return await play_game(game, sitting.sit)


def puzzle(
    where: RunArgument,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="A match, such as m0001 or 1.", autocompletion=matches)],
    deal: Annotated[int, typer.Option(metavar="N", min=1, help="The deal, counted from 1.")] = 1,
    ask: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="each in turn", help="Which of the bot's asks in the deal."),
    ] = None,
    seating: Seating = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", show_default="the winner", help="The bot in whose seat you sit."),
    ] = None,
    terminal: InTerminal = False,
    port: PagePort = 0,
    browser: OpensBrowser = True,
) -> None:
    """Solve a recorded decision as a puzzle: what would you play?

    You see what the bot's seat saw, no more. After your answer comes the bot's, with its note and what sampled deals
    say of both. Nothing is written.
    """
    from bourre.record import read
    from bourre_referee.cli.repro_text import asks_until, bot_index, check_ask
    from bourre_referee.storage.run.run import Run
    from bourre_referee.text.narration.spoken_notes import spoken_notes
    from bourre_seats.seat.puzzle import Puzzle, solve
    from bourre_seats.seat.sitting import Sitting

    run, match_id = Run.open(where), parse_match_id(match)
    record = read(run.record(match_id))
    bot = record.final.index(max(record.final)) if name is None else bot_index(record.header, name, ())
    asked = asks_until(record, bot, deal, seating)
    here = sum(one.view.deal == deal for one in asked)
    if ask is not None:
        check_ask(ask, here, deal)
    notes = spoken_notes(record, run.remarks(match_id)).get((deal, asked[-1].seating), ())
    puzzle = Puzzle(
        asked[: len(asked) - here + (ask or here)],
        deal,
        ask,
        {note.number: note.lines for note in notes if note.bot == bot},
    )
    sitting = Sitting(_names_by_seat(record, asked[-1]))
    seat_person(sitting, None if terminal else port, solve(puzzle, sitting), opens=browser)


def _names_by_seat(record: Record, ask: RecordedAsk) -> tuple[str, ...]:
    """Returns the names of the seats at the table of this ask."""
    from bourre_referee.text.names import seat_names

    names = seat_names(record.header.bots)
    line_ups = (one.line_up for one in record.deals if (one.deal, one.seating) == (ask.view.deal, ask.seating))
    line_up = next(line_ups, None)
    return names if line_up is None else tuple(names[number] for number in line_up)
