"""`bourre play`: a person at the table, against bots or before a puzzle, in the browser or the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import cycle, islice
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import SEEDS, Rules, check_writable, house_for_table, matches, opponents
from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.cli.person_seat import seat_person
from bourre_referee.cli.puzzle import PuzzleChoice, pose_puzzles
from bourre_referee.storage.run.run_location import RunLocation, parse_place

if TYPE_CHECKING:
    from bourre_referee.evaluation.person_game import Game
    from bourre_referee.model.spec import MatchOutcome

PREFERRED_PORT = 8642
"""The usual port of the page, so that the browser finds the streak that it keeps."""
OTHERS = ("loose", "drawer", "pot_aware", "monte_carlo", "tight", "counter", "lowest")
"""The opponents at other tables, as many of them in turn as sat at the first one."""
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
            help="With --puzzle: a match, such as m0001 or 1. Without it, the puzzle of the day.",
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
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=65535,
            show_default=f"{PREFERRED_PORT}, or a free one",
            help="The port of the page. 0 means any free port.",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")] = True,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", show_default=False, help="Write the record of each game.")
    ] = None,
    puzzle: Annotated[
        bool,
        typer.Option("--puzzle", rich_help_panel=PUZZLE, help="Solve decisions of RUN: what would you play?"),
    ] = False,
    deal: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="1", rich_help_panel=PUZZLE, help="The deal, counted from 1."),
    ] = None,
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
    for hints. After a game you see where it was lost, and can play the same cards again. Ctrl-C leaves.

    With --puzzle you see only what the bot saw. After your answer you see the bot's answer, its note, and what every
    choice is worth in sampled deals. Without MATCH, it begins with the puzzle of the day.
    """
    ports = () if terminal else (PREFERRED_PORT, 0) if port is None else (port,)
    if puzzle:
        if where is None:
            raise BadUsage("--puzzle needs RUN.\nhint: bourre play --puzzle runs/demo")
        return pose_puzzles(PuzzleChoice(where, match, deal, ask, seating, name), ports, date.today(), opens=browser)
    if where is not None:
        raise BadUsage("RUN and MATCH are for a puzzle.\nhint: add --puzzle")
    if record:
        check_writable("--record", record)
    first, others = _game(against, rules, deals, seed), cycle(OTHERS)

    def other_table() -> Game:
        return _game(",".join(islice(others, len(first.opponents))), rules, deals, None)

    last = _play(first, other_table, ports, record, guided=guide, opens=browser)
    again = ["bourre", "play", "--against", last.against, "--rules", rules, "--deals", str(deals)]
    again += ["--seed", str(last.seed)]
    seat = ", from the first seat" * (last.seat > 0)
    tell(f"The same cards again{seat}: {join([*again, *['--terminal'] * terminal])}")
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
    return Game(bots, house, deals, seed, isolation_here(bots, tell), against)


def _play(
    game: Game, other: Callable[[], Game], ports: Sequence[int], record: Path | None, *, guided: bool, opens: bool
) -> Game:
    """Plays games in the browser, or without ports in the terminal; returns the last. Exits if none was finished."""
    from bourre_referee.cli.game_loop import play_on
    from bourre_seats.seat.sitting import Sitting

    sitting = Sitting(game.line_up, guided=guided, practice=True)
    games: list[Game] = []

    def keep(played: Game, outcome: MatchOutcome) -> None:
        games.append(played)
        if record:
            _numbered(record, len(games)).write_text(outcome.record, "utf-8")
        if ports:
            for seat in outcome.result.seats:
                print(f"{seat.bot:20}{seat.chips:+d}", flush=True)

    seat_person(sitting, ports, play_on(game, other, sitting, keep), opens=opens)
    return games[-1]


def _numbered(file: Path, number: int) -> Path:
    """Returns the file of the first game, and of the third one `game-3.jsonl` for `game.jsonl`."""
    return file if number == 1 else file.with_stem(f"{file.stem}-{number}")
