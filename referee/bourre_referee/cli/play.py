"""`bourre play`: a person at the table, against bots, in the browser or the terminal."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import Preset, check_writable, house_for_table, opponents
from bourre_referee.cli.exit_codes import BadUsage, tell
from bourre_referee.cli.person_seat import InTerminal, OpensBrowser, PagePort, seat_person

if TYPE_CHECKING:
    from bourre_referee.evaluation.person_game import Game
    from bourre_referee.model.spec import MatchOutcome
    from bourre_seats.seat.sitting import Sitting

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


def _game(against: str, preset: str, deals: int, seed: int | None) -> "Game":
    """Return the game; raises BadUsage, BotFileError, ContestError or InvalidHouse."""
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


def _play(game: "Game", port: int | None, *, guided: bool, opens: bool) -> "MatchOutcome":
    """Play the game in the browser, or without a port in the terminal; exits if the person leaves."""
    from bourre_seats.seat.sitting import Sitting

    sitting = Sitting(game.line_up, guided=guided, practice=True)
    return seat_person(sitting, port, _play_out(game, sitting), opens=opens)


async def _play_out(game: "Game", sitting: "Sitting") -> "MatchOutcome":
    """Play the game, again from the same seed whenever the person takes an answer back."""
    from bourre_referee.evaluation.person_game import play_game
    from bourre_seats.seat.take_back import TakenBack

    while True:
        with suppress(TakenBack):
            return await play_game(game, sitting.sit)
