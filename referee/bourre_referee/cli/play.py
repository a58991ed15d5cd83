"""`bourre play`: a person at the table, against bots or before a puzzle, in the browser or the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import (
    Rules,
    check_writable,
    house_for_table,
    matches,
    opponents,
)
from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.cli.person_seat import seat_person
from bourre_referee.cli.puzzle import PuzzleChoice, pose_puzzle
from bourre_referee.storage.run.run_location import RunLocation, parse_place

if TYPE_CHECKING:
    from bourre_referee.evaluation.person_game import Game
    from bourre_referee.model.spec import MatchOutcome
    from bourre_seats.seat.sitting import Sitting


SEEDS = 2**31

PUZZLE = "A puzzle"
"""The heading of the options that pose recorded decisions."""


def play(
    where: Annotated[
        RunLocation | None,
        typer.Argument(metavar="RUN", show_default=False, parser=parse_place, help="With --puzzle: a results folder."),
    ] = None,
    match: Annotated[
        str | None,
        typer.Argument(
            metavar="MATCH",
            show_default=False,
            autocompletion=matches,
            help="With --puzzle: a match, such as m0001 or 1.",
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT",
            autocompletion=opponents,
            help="Files, names of example bots, or commands in quotes, separated by commas.",
        ),
    ] = "monte_carlo,tight,counter",
    rules: Rules = "limit",
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="How many deals.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=SEEDS - 1, show_default="random, and printed", help="Decides which cards are dealt."
        ),
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Stay in the terminal.")] = False,
    guide: Annotated[bool, typer.Option("--guide/--no-guide", help="Explain each rule when it first matters.")] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port of the page. 0 means any free port.")
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")] = True,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", show_default=False, help="Write the record of the game.")
    ] = None,
    puzzle: Annotated[
        bool,
        typer.Option("--puzzle", rich_help_panel=PUZZLE, help="Solve decisions of MATCH in RUN: what would you play?"),
    ] = False,
    deal: Annotated[
        int, typer.Option(metavar="N", min=1, rich_help_panel=PUZZLE, help="The deal, counted from 1.")
    ] = 1,
    ask: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            show_default="all in turn",
            rich_help_panel=PUZZLE,
            help="The bot's decision in that deal.",
        ),
    ] = None,
    seating: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            show_default="1",
            rich_help_panel=PUZZLE,
            help="The seating of the deal, in format duplicate.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            show_default="the winner",
            rich_help_panel=PUZZLE,
            help="The bot in whose seat you sit.",
        ),
    ] = None,
) -> None:
    """Play a few hands yourself, against bots.

    The referee accepts any card of your hand. If a card breaks a rule, it names the rule and the penalty. You can ask
    for hints. Ctrl-C ends the game.

    With --puzzle you see only what the bot saw. After your answer you see the bot's answer, its note, and what both are
    worth in sampled deals.
    """
    if puzzle:
        if where is None or match is None:
            raise BadUsage("--puzzle needs RUN and MATCH.\nhint: bourre play --puzzle runs/demo m0001")
        choice = PuzzleChoice(where, match, deal, ask, seating, name)
        return pose_puzzle(choice, None if terminal else port, opens=browser)
    if where is not None:
        raise BadUsage("RUN and MATCH are for a puzzle.\nhint: add --puzzle")
    if record:
        check_writable("--record", record)
    game = _game(against, rules, deals, seed)
    again = ["bourre", "play", "--against", against, "--rules", rules, "--deals", str(deals), "--seed", str(game.seed)]
    outcome = _play(game, None if terminal else port, guided=guide, opens=browser)
    if record:
        record.write_text(outcome.record, "utf-8")
    for seat in outcome.result.seats:
        print(f"{seat.bot:20}{seat.chips:+d}")
    tell(f"The same cards again: {join([*again, *['--terminal'] * terminal])}")
    return None


def _game(against: str, preset: str, deals: int, seed: int | None) -> Game:
    """Returns the game; raises BadUsage, BotFileError, ContestError or InvalidHouse."""
    import secrets

    from bourre_referee.cli.bot_sources import find_bot, name_bots, sources_of
    from bourre_referee.evaluation.bot_source import BotSource, split_bots
    from bourre_referee.evaluation.person_game import PERSON, Game, isolation_here

    found = [find_bot(word, tuple(example_folders())) for word in split_bots(against)]
    bots: Mapping[str, BotSource] = sources_of(name_bots(found))
    if PERSON in bots:
        raise BadUsage(f"--against {against}: {PERSON!r} is the name of your own seat.\nhint: rename that bot's file")
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
