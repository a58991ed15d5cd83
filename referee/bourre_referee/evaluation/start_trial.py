"""Start a bot's file as a contest does, for a short match: its process and folder differ from those of practice."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.default_files import default_files
from bourre_referee.contest.isolation_choice import IsolationAsked, choose_isolation
from bourre_referee.evaluation.check.check_room import PlayedRoom, play
from bourre_referee.evaluation.check.trial_matches import TESTED_BOT, guest_name
from bourre_referee.evaluation.trial_findings import Findings, findings, hidden_modules
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Clock, Entry, Isolation, MatchSpec, PlacedRoom
from bourre_referee.runner.interrupt import until_signal

CONTEST_FILE = "contest.toml"
"""The file beside a bot that says how it enters a contest."""
DEALS = 12
MOST_MS = 3_000
"""How long a bot may think in the whole match, so that a slow one does not keep its author waiting."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot as a contest enters it."""

    entry: Entry
    isolation: Isolation
    clock: Clock
    doubt: str = ""
    """Why the contest file beside it says nothing about it, if that is a mistake."""


def try_file(file: Path, house: HouseRules, seats: int, seed: int) -> Findings:
    """Play the match twice and return what is wrong; raises RoomFailed if the host fails, and ContestError."""
    entered = enter(file)
    guests = tuple(guest_name(number) for number in range(1, seats))
    match = MatchSpec("trial", (TESTED_BOT, *guests), house, DEALS, derive(master_seed(seed), "trial"))
    clock = replace(entered.clock, match_ms=min(entered.clock.match_ms, MOST_MS))
    with TemporaryDirectory(prefix="bourre-practice-") as logs:
        room = PlacedRoom(
            room="first",
            entries=(entered.entry, *(Entry(guest, None, Path.cwd()) for guest in guests)),
            matches=(match,),
            tables=1,
            clock=clock,
            max_faults=DEALS,
            logs=Path(logs),
            isolation=entered.isolation,
        )
        first, again = _play_both(room, replace(room, room="again"))
    found = findings(file, entered.clock, first, again)
    return replace(
        found, warnings=(*filter(None, [entered.doubt]), *hidden_modules(file, entered.entry), *found.warnings)
    )


def enter(file: Path) -> Entered:
    """Return how the contest file beside a bot enters it, or else how a contest does that says nothing about it."""
    folder, asked, clock, doubt = file.parent, IsolationAsked(), Clock(), ""
    entrant = None
    try:
        if contest := _contest_beside(file):
            asked, clock = contest.isolation, contest.clock
            entrant = next((one for one in contest.entrants if _starts(one, folder, file)), None)
    except ContestError as error:
        problem = str(error).partition("\n")[0].removeprefix(str(folder / CONTEST_FILE)).lstrip(": ")
        doubt = f"{CONTEST_FILE} beside it is not used: {problem}"
    alone = ("python", file.name)
    entrant = replace(entrant or Entrant("", alone, default_files(alone, folder)), name=TESTED_BOT)
    entry = entrant.entry(folder)
    return Entered(entry, choose_isolation(asked, [entry], lambda warning: None), clock, doubt)


def _contest_beside(file: Path) -> Contest | None:
    """Load the contest file beside a bot, if there is one; without the extra that reads it, no contest can be run."""
    path = file.parent / CONTEST_FILE
    if not path.is_file() or find_spec("pydantic") is None:
        return None
    from bourre_referee.contest.contest_file import load

    return load(path)


def _starts(entrant: Entrant, folder: Path, file: Path) -> bool:
    return any((folder / word).resolve() == file for word in entrant.command or ())


def _play_both(*rooms: PlacedRoom) -> list[PlayedRoom]:
    """Play these rooms at the same time."""

    async def play_all() -> list[PlayedRoom]:
        return await asyncio.gather(*(play(room, lambda done: None) for room in rooms))

    try:
        return asyncio.run(until_signal(play_all()))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
