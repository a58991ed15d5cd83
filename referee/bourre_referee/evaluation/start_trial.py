"""Starts a bot's file as a contest does, for a short match, and warns its author of problems."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bourre.bot_code.printed_error import first_failure, last_error
from bourre.bot_code.start_mends import explain_hiding
from bourre.rules.actions import Fault
from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.default_files import default_files
from bourre_referee.contest.isolation_choice import IsolationAsked, choose_isolation
from bourre_referee.evaluation.check.answer_checks import complaints
from bourre_referee.evaluation.check.answer_judge import Area
from bourre_referee.evaluation.check.bot_checks import answer_text
from bourre_referee.evaluation.check.check_room import CheckedRoom, play
from bourre_referee.evaluation.check.trial_matches import TESTED_BOT, guest_name
from bourre_referee.evaluation.unseeded_chance import unseeded_places, unseeded_warning
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotEntry, Clock, Isolation, MatchSpec, PlacedRoom
from bourre_referee.runner.interrupt import until_signal
from bourre_referee.storage.run.start_failures import start_failure_in

_LEFT = (Fault.CRASHED, Fault.DISCONNECTED, Fault.OVER_LIMIT)


@dataclass(frozen=True, slots=True)
class Findings:
    """The problems in a bot's start and answers."""

    clock: Clock
    """The isolation of the contest."""
    never_started: str = ""
    """The cause and the fix, in the words of a contest's log. Empty if it started."""
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    """The problems in its answers, which practice in one process may explain better."""


def findings(file: Path, clock: Clock, first: CheckedRoom, again: CheckedRoom) -> Findings:
    """Judges both rooms of the same match."""
    if first.hello is None:
        return Findings(clock, _never_started(first))
    warnings = (*_slowness(file, clock, first), *_chance(file, first, again), *_departure(file, first))
    return Findings(clock, warnings=warnings, errors=tuple(_errors(file, first)))


def hidden_modules(file: Path, entry: BotEntry) -> Iterator[str]:
    """Yields a warning for each of a bot's files that has the name of a module, and takes its place."""
    paths = (entry.folder / path for path in entry.files)
    for path in (path for path in paths if path.parent == file.parent and path.suffix in ("", ".py")):
        if found := explain_hiding(path.stem):
            yield ". hint: ".join(found)


def _never_started(room: CheckedRoom) -> str:
    refused = f"its hello was refused: {room.turned_away}" if room.turned_away else ""
    return start_failure_in(room.printed) or refused or "it said no hello"


def _slowness(file: Path, clock: Clock, room: CheckedRoom) -> Iterator[str]:
    """Yields a warning if a decision took longer than a contest allows before the reserve time."""
    spent = [exchange.spent_ms for exchange in room.exchanges if exchange.answer or exchange.late]
    if spent and max(spent) > clock.decision_ms:
        yield (
            f"{file.name} is slower than the contest's clock: median {median(spent):.0f} ms, longest "
            f"{max(spent):.0f} ms, and decision_ms = {clock.decision_ms}"
        )


def _chance(file: Path, first: CheckedRoom, again: CheckedRoom) -> Iterator[str]:
    """Yields a warning for chance that no seed repeats, by the answers or else by the file."""
    places = list(unseeded_places(file))
    seen = f" (see {', '.join(places)})" if places else ""
    for one, two in zip(first.exchanges, again.exchanges, strict=False):
        if one.late or two.late or not (one.answer and two.answer):
            return
        if answer_text(one) != answer_text(two):
            view = one.ask.view
            yield (
                f"{file.name} answers a repeated match differently, in deal {view.deal} to {view.decision} with "
                f"{answer_text(one)}, then {answer_text(two)}{seen}: use no clock and no unseeded random numbers, but "
                "view.rng or random"
            )
            return
    yield from map(unseeded_warning, places)


def _errors(file: Path, room: CheckedRoom) -> Iterator[str]:
    """Yields the first missing answer."""
    printed = room.printed.decode(errors="replace")
    found = (each for each in complaints(room.exchanges) if each.area in (Area.DECISIONS, Area.PROTOCOL))
    if complaint := next(found, None):
        raised = first_failure(printed)
        view = complaint.exchange.ask.view
        yield f"{file.name} gives no answer in a process of its own, in deal {view.deal}: {raised or complaint.what}"


def _departure(file: Path, room: CheckedRoom) -> Iterator[str]:
    """Yields a warning if the bot left before the end."""
    if room.gone in _LEFT:
        raised = last_error(room.printed.decode(errors="replace"))
        deal = room.exchanges[-1].ask.view.deal
        yield f"{file.name} ends before its match does, in deal {deal}: {raised or room.gone}"


CONTEST_FILE = "contest.toml"
"""The file next to a bot with its entry in a contest."""
DEALS = 12
MOST_MS = 3_000
"""How long a bot may think in the whole match, so that a slow one does not keep its author waiting."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot as a contest enters it."""

    entry: BotEntry
    isolation: Isolation
    clock: Clock
    doubt: str = ""
    """The reason why the contest file next to it does not mention it, if that is a mistake."""


def try_file(file: Path, house: HouseRules, seats: int, seed: int) -> Findings:
    """Plays the match twice and returns the problems. Raises RoomFailed if the host fails, and ContestError."""
    entered = enter(file)
    guests = tuple(guest_name(number) for number in range(1, seats))
    match = MatchSpec("trial", (TESTED_BOT, *guests), house, DEALS, derive(master_seed(seed), "trial"))
    clock = replace(entered.clock, match_ms=min(entered.clock.match_ms, MOST_MS))
    with TemporaryDirectory(prefix="bourre-practice-") as logs:
        room = PlacedRoom(
            room="first",
            entries=(entered.entry, *(BotEntry(guest, None, Path.cwd()) for guest in guests)),
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
    """Returns a bot's entry from the contest file next to it, or else that of a contest that does not mention it."""
    folder, asked, clock, doubt = file.parent, IsolationAsked(), Clock(), ""
    entrant = None
    try:
        if contest := _contest_beside(file):
            asked, clock = contest.isolation, contest.clock
            entrant = next((one for one in contest.entrants if _starts(one, folder, file)), None)
    except ContestError as error:
        problem = str(error).partition("\n")[0].removeprefix(str(folder / CONTEST_FILE)).lstrip(": ")
        doubt = f"{CONTEST_FILE} next to it is not used: {problem}"
    alone = ("python", file.name)
    entrant = replace(entrant or Entrant("", alone, default_files(alone, folder)), name=TESTED_BOT)
    entry = entrant.entry(folder)
    return Entered(entry, choose_isolation(asked, [entry], lambda warning: None), clock, doubt)


def _contest_beside(file: Path) -> Contest | None:
    """Loads the contest file next to a bot, if there is one. Without the extra that reads it, no contest can be run."""
    path = file.parent / CONTEST_FILE
    if not path.is_file() or find_spec("pydantic") is None:
        return None
    from bourre_referee.contest.contest_file import load

    return load(path)


def _starts(entrant: Entrant, folder: Path, file: Path) -> bool:
    return any((folder / word).resolve() == file for word in entrant.command or ())


def _play_both(*rooms: PlacedRoom) -> list[CheckedRoom]:
    """Plays these rooms at the same time."""

    async def play_all() -> list[CheckedRoom]:
        return await asyncio.gather(*(play(room, lambda done: None) for room in rooms))

    try:
        return asyncio.run(until_signal(play_all()))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
