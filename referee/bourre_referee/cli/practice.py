"""`bourre practice`: plays a bot against others in this process, to see at once how it does."""

from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.example_folders import example_folders
from bourre_referee.cli.arguments import Preset, house_for_table, names, opponents
from bourre_referee.cli.exit_codes import INTERRUPTED, tell

if TYPE_CHECKING:
    from bourre.practice import PracticeResult

SHOWN = 5
"""How many mistakes are printed in full."""


def practice(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's file, such as mybot.py or mybot.py:Class.")],
    against: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT",
            autocompletion=opponents,
            help="Files or names of example bots, separated by commas.",
        ),
    ] = "tight,random",
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="Deals per match.")] = 500,
    matches: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many matches; between them everyone moves one seat on.")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Another seed deals other cards.")] = 7,
    preset: Preset = "limit",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Play on after an illegal card or an exception, which costs chips.")
    ] = False,
) -> None:
    """Play a bot against others, in this process.

    The first illegal card or exception stops play and is explained; --lenient plays on. Exit code 3: a method is
    misnamed, such as `Play`.
    """
    from bourre.practice import MisnamedMethod, PracticeError

    paths = _paths(bot, against)
    try:
        result = _play(paths, preset, deals, seed, matches, strict=not lenient)
    except MisnamedMethod as error:
        raise MisnamedMethod(f"{error}\n--lenient plays without them") from error
    except PracticeError as error:
        words = [bot, "--against", against, "--deals", deals, "--matches", matches, "--seed", seed, "--preset", preset]
        again = join(["bourre", "practice", *map(str, words)])
        hint = f"`bourre rules show {preset}` says what is allowed; --lenient plays on, and each mistake costs chips"
        raise PracticeError(f"{error}\n  again: {again}\n{hint}") from error
    except KeyboardInterrupt as error:
        tell("\n".join(["interrupted: nothing is kept", *getattr(error, "__notes__", ())]))
        raise typer.Exit(INTERRUPTED) from None
    _print(result)


def _paths(bot: str, against: str) -> list[str]:
    """Return the files of the bot and its opponents; raises BotFileError."""
    from bourre.bot_file import find

    folders = (Path(bot.partition(":")[0]).parent, *example_folders())
    return [find(word.strip(), folders) for word in (bot, *against.split(","))]


def _play(paths: list[str], preset: str, deals: int, seed: int, matches: int, strict: bool) -> "PracticeResult":
    """Play the matches; raises InvalidHouse, BotFileError or PracticeError."""
    from bourre.bot_file import load
    from bourre.practice import practice

    house = house_for_table(preset, len(paths))
    bots = {name: load(path) for name, path in zip(names(paths), paths, strict=True)}
    return practice(bots, deals=deals, seed=seed, house=house, matches=matches, strict=strict)


def _print(result: "PracticeResult") -> None:
    print(result)
    for problem in result.problems[:SHOWN]:
        tell(problem)
    if len(result.problems) > SHOWN:
        tell(f"and {len(result.problems) - SHOWN} more mistakes")
