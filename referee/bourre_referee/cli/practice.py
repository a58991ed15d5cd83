"""`bourre practice`: a bot against others, in this process, to see at once how it does."""

from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.example_folders import example_folders
from bourre_referee.cli.arguments import Preset, house_at, names, opponents
from bourre_referee.cli.exit_codes import INTERRUPTED, tell

if TYPE_CHECKING:
    from bourre.practice import PracticeResult

SHOWN = 5
"""Mistakes that are told one by one."""


def practice(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot's file, as mybot.py or mybot.py:Class.")],
    against: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT",
            autocompletion=opponents,
            help="Files, or names of example bots, with commas between.",
        ),
    ] = "tight,random",
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="Deals in a match.")] = 500,
    matches: Annotated[
        int, typer.Option(metavar="N", min=1, help="Matches; from one to the next all move one seat on.")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Another seed deals other cards.")] = 7,
    preset: Preset = "limit",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Go on after an illegal card or an exception, at its price.")
    ] = False,
) -> None:
    """Play a bot against others, in this process.

    Its first illegal card or exception stops it and is explained; --lenient goes on. Ends with exit code 3
    when a method is misnamed, such as `Play`.
    """
    from bourre.practice import MisnamedMethod, PracticeError

    paths = _paths(bot, against)
    try:
        result = _played(paths, preset, deals, seed, matches, strict=not lenient)
    except MisnamedMethod as error:
        raise MisnamedMethod(f"{error}\n--lenient plays without them") from error
    except PracticeError as error:
        words = [bot, "--against", against, "--deals", deals, "--matches", matches, "--seed", seed, "--preset", preset]
        again = join(["bourre", "practice", *map(str, words)])
        mend = f"`bourre rules show {preset}` says what is allowed; --lenient goes on, at the price of each mistake"
        raise PracticeError(f"{error}\n  again: {again}\n{mend}") from error
    except KeyboardInterrupt as error:
        tell("\n".join(["interrupted: nothing is kept", *getattr(error, "__notes__", ())]))
        raise typer.Exit(INTERRUPTED) from None
    _print(result)


def _paths(bot: str, against: str) -> list[str]:
    """The files of the bot and of those that it meets; BotFileError."""
    from bourre.bot_file import find

    folders = (Path(bot.partition(":")[0]).parent, *example_folders())
    return [find(word.strip(), folders) for word in (bot, *against.split(","))]


def _played(paths: list[str], preset: str, deals: int, seed: int, matches: int, strict: bool) -> "PracticeResult":
    """What came of it; InvalidHouse, BotFileError, PracticeError."""
    from bourre.bot_file import load
    from bourre.practice import practice

    house = house_at(preset, len(paths))
    bots = {name: load(path) for name, path in zip(names(paths), paths, strict=True)}
    return practice(bots, deals=deals, seed=seed, house=house, matches=matches, strict=strict)


def _print(result: "PracticeResult") -> None:
    print(result)
    for problem in result.problems[:SHOWN]:
        tell(problem)
    if len(result.problems) > SHOWN:
        tell(f"and {len(result.problems) - SHOWN} more mistakes")
