"""Plays bots against each other in one process, by the same rules as a referee."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import NoReturn

from bourre.bot import Bot
from bourre.bot_code.example_folders import example_folders
from bourre.bot_code.source_place import where_raised_in, words_of
from bourre.practice.loop_thread import LoopThread
from bourre.practice.mistake import BOT_EXCEPTIONS, MisnamedMethod, PracticeError
from bourre.practice.practice_table import PracticeTable
from bourre.practice.result import PracticeResult, add_up
from bourre.practice.seat import PracticeSeat, borrowed_random
from bourre.record import Header
from bourre.rules.deck import derive, master_seed, start_seed
from bourre.rules.house import HouseRules

LIMIT = HouseRules.preset("limit")

BotMaker = Callable[[], Bot]
"""A class of bots, or a function that makes a bot."""

BotSource = BotMaker | str
"""A maker of bots, a bot's file or the name of an example, as on the command line."""


def practice(
    bots: Sequence[BotSource] | Mapping[str, BotSource],
    deals: int = 100,
    seed: int | bytes = 0,
    house: HouseRules = LIMIT,
    matches: int = 1,
    strict: bool = True,
) -> PracticeResult:
    """Plays matches of `deals` deals between these bots, and adds them up. A string names a file or an example.

    In each match, every bot is a new instance and sits one seat further on. All chance follows from the seed, which is
    an integer, as in a contest, or bytes. With `strict`, the first illegal card or discard, or exception, raises
    PracticeError with its place, and a misspelt method raises MisnamedMethod. Otherwise, mistakes cost the same as at
    a referee. Raises InvalidHouse for rules that nobody can play.
    """
    if matches < 1:
        raise ValueError(f"{matches} matches are too few: play at least one")
    master, seed_text = (master_seed(seed), str(seed)) if isinstance(seed, int) else (seed, seed.hex())
    played = []
    misnamed: list[str] = []
    with borrowed_random(start_seed(master, "practice")), _told_exits(), LoopThread() as wait:
        named = name_bots(bots)
        house.check_seats(len(named))
        for number in range(1, matches + 1):
            header = _header(number, list(named), deals, master, house)
            seats = [PracticeSeat(seat, name, make_bot(named[name]), wait) for seat, name in enumerate(header.bots)]
            misnamed = check_method_names(seats, strict) if number == 1 else misnamed
            played.append(PracticeTable(header, seats, seed_text, strict).play())
    played[0] = replace(played[0], problems=(*misnamed, *played[0].problems))
    return add_up(list(named), played)


@contextmanager
def _told_exits() -> Iterator[None]:
    """Inside, `os._exit` in a bot raises SystemExit, which practice can explain.

    A forked child of a bot still ends.
    """
    leave, process = os._exit, os.getpid()

    def end(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise SystemExit(status)

    os._exit = end
    try:
        yield
    finally:
        os._exit = leave


def _header(number: int, names: list[str], deals: int, master: bytes, house: HouseRules) -> Header:
    """Makes the header of a match, numbered from 1. Every bot sits one seat further on than in the match before."""
    bots = tuple(names[(seat - number + 1) % len(names)] for seat in range(len(names)))
    return Header(f"match {number}", bots, deals, derive(master, f"match {number}"), house)


def check_method_names(seats: Sequence[PracticeSeat], strict: bool) -> list[str]:
    """Returns warnings about misspelt methods of these bots, which are never called; `strict` raises MisnamedMethod."""
    found = list(dict.fromkeys(line for seat in seats for line in seat.find_misnamed()))
    if found and strict:
        raise MisnamedMethod("\n".join(found))
    return found


def name_bots(bots: Sequence[BotSource] | Mapping[str, BotSource]) -> dict[str, BotMaker]:
    """Returns bots by name. A bot without a name gets the name of its class or file, with a number if it is taken.

    Raises BotFileError if a string names no bot.
    """
    if isinstance(bots, Mapping):
        return {name: _find(bot)[1] for name, bot in bots.items()}
    if isinstance(bots, str):
        raise TypeError(f"practice needs several bots: pass a list, such as [MyBot, {bots!r}]")
    named: dict[str, BotMaker] = {}
    for name, maker in map(_find, bots):
        free = name if name not in named else next(f"{name} {n}" for n in count(2) if f"{name} {n}" not in named)
        named[free] = maker
    return named


def _find(bot: BotSource) -> tuple[str, BotMaker]:
    """Returns a name and a maker for this bot."""
    if not isinstance(bot, str):
        return getattr(bot, "__name__", type(bot).__name__), bot
    from bourre.bot_code.bot_file import find, load  # needed only for files

    path = find(bot, (Path(), *example_folders()))
    file, _, wanted = path.partition(":")
    return wanted or Path(file).stem.removesuffix("_bot"), load(path)


def make_bot(maker: BotMaker) -> Bot:
    """Makes a new bot; raises PracticeError if that fails, and TypeError if the result is not a bot."""
    if isinstance(maker, Bot):
        raise TypeError(f"practice makes the bots itself: pass the class {type(maker).__name__}, not an instance of it")
    from bourre.bot_code.bot_file import beside_file  # slow to load

    try:
        with beside_file(getattr(maker, "__module__", "")):
            bot = maker()
    except BOT_EXCEPTIONS as error:
        name = getattr(maker, "__name__", type(maker).__name__)
        place = where_raised_in(maker.__module__, error)
        where = f"\n  where: {place}" if place else ""
        raise PracticeError(f"{name} cannot be made: {words_of(error)}{where}") from error
    if not isinstance(bot, Bot):
        hint = "pass classes of bots, or functions that make them"
        raise TypeError(f"{maker!r} made {bot!r}, which is not a Bot: {hint}")
    return bot
