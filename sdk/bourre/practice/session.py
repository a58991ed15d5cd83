"""Practice: bots against bots in one process, under the same rules as at a referee."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bourre.bot import Bot
from bourre.practice.result import BotResult, PracticeMatch, PracticeResult
from bourre.practice.seat import Seat
from bourre.practice.table import PracticeTable
from bourre.practice.waiting import Waiting
from bourre.record import Header
from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from bourre.tally import SeatTally

LIMIT = HouseRules.preset("limit")

BotMaker = Callable[[], Bot]
"""A class of bots, or a function that makes one."""


def practice(
    bots: Sequence[BotMaker] | Mapping[str, BotMaker],
    deals: int = 100,
    seed: int | bytes = 0,
    house: HouseRules = LIMIT,
    matches: int = 1,
    strict: bool = True,
) -> PracticeResult:
    """Plays matches of so many deals each between these bots, and counts.

    From match to match every bot moves one seat on, and is made anew. All chance follows from the seed: an integer, as
    in a contest, or bytes. `strict`: the first illegal card or discard, or exception, ends it with PracticeError, which
    says where to look; otherwise these cost what they cost at a referee. InvalidHouse where the rules cannot be played.
    """
    named = _named(bots)
    names, seats = list(named), len(named)
    house.check_seats(seats)
    master = master_seed(seed) if isinstance(seed, int) else seed
    played: list[PracticeMatch] = []
    problems: list[str] = []
    tallies: dict[str, list[SeatTally]] = {name: [] for name in names}
    with Waiting() as wait:
        for number in range(1, matches + 1):
            line_up = tuple(names[(seat - number + 1) % seats] for seat in range(seats))
            header = Header(f"match {number}", line_up, deals, derive(master, f"match {number}"), house)
            at_table = [Seat(seat, name, _made(named[name]), wait) for seat, name in enumerate(line_up)]
            table = PracticeTable(header, at_table, str(seed) if isinstance(seed, int) else seed.hex(), strict)
            played.append(table.play())
            problems.extend(table.problems)
            for name, tally in zip(line_up, table.tally.seats, strict=True):
                tallies[name].append(tally)
    rows = tuple(_row(name, deals, played, tallies[name]) for name in names)
    return PracticeResult(rows, tuple(played), tuple(problems))


def _named(bots: Sequence[BotMaker] | Mapping[str, BotMaker]) -> dict[str, BotMaker]:
    """Bots by name; those without one of their own get that of their class, and a number where it is taken."""
    if isinstance(bots, Mapping):
        return dict(bots)
    named: dict[str, BotMaker] = {}
    for maker in bots:
        name = getattr(maker, "__name__", type(maker).__name__)
        copies = [other for other in named if other == name or other.rpartition(" ")[0] == name]
        named[f"{name} {len(copies) + 1}" if copies else name] = maker
    return named


def _made(maker: BotMaker) -> Bot:
    bot = maker()
    if not isinstance(bot, Bot):
        raise TypeError(f"practice needs bots, or what makes them: {maker!r} made {bot!r}, which is no Bot")
    return bot


def _row(name: str, deals: int, played: list[PracticeMatch], tallies: list[SeatTally]) -> BotResult:
    return BotResult(
        bot=name,
        deals=deals * len(played),
        chips=sum(match.balances[match.bots.index(name)] for match in played),
        wins=sum(tally.wins for tally in tallies),
        bourres=sum(tally.bourres for tally in tallies),
        reneges=sum(tally.reneges.total() for tally in tallies),
        faults=sum(tally.faults.total() for tally in tallies),
    )
