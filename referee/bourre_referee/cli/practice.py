"""`bourre practice`: a bot against others, in this process, to see at once how it does."""

from pathlib import Path
from shlex import join
from typing import Annotated

import typer

from bourre_referee.cli.bots import examples, names
from bourre_referee.cli.completion import opponents, presets
from bourre_referee.cli.ending import INTERRUPTED, tell

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
    preset: Annotated[
        str, typer.Option(metavar="PRESET", help="House rules: see `bourre rules show`.", autocompletion=presets)
    ] = "limit",
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Go on after an illegal card or an exception, at its price.")
    ] = False,
) -> None:
    """Play a bot against others, in this process.

    Its first illegal card or exception stops it and is explained; --lenient goes on.
    """
    from bourre.bot_file import find, load
    from bourre.practice import PracticeError, practice
    from bourre.rules.house import HouseRules, check_preset

    house = HouseRules.preset(preset)
    folders = (Path(bot.partition(":")[0]).parent, *examples())
    paths = [find(word.strip(), folders) for word in (bot, *against.split(","))]
    house.check_seats(len(paths))
    check_preset(preset, len(paths))
    bots = {name: load(path) for name, path in zip(names(paths), paths, strict=True)}
    try:
        result = practice(bots, deals=deals, seed=seed, house=house, matches=matches, strict=not lenient)
    except PracticeError as error:
        words = [bot, "--against", against, "--deals", deals, "--matches", matches, "--seed", seed, "--preset", preset]
        again = join(["bourre", "practice", *map(str, words)])
        mend = f"`bourre rules show {preset}` says what is allowed; --lenient goes on, at the price of each mistake"
        raise PracticeError(f"{error}\n  again: {again}\n{mend}") from error
    except KeyboardInterrupt as error:
        tell("\n".join(["interrupted: nothing is kept", *getattr(error, "__notes__", ())]))
        raise typer.Exit(INTERRUPTED) from None
    print(result)
    for problem in result.problems[:SHOWN]:
        tell(problem)
    if len(result.problems) > SHOWN:
        tell(f"and {len(result.problems) - SHOWN} more mistakes")
