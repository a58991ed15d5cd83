"""Finds bots that decide alike in the same fixed deals, and the known bots that play like them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from pathlib import Path

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.bot_code.example_folders import shipped_folders
from bourre.practice.loop_thread import LoopThread
from bourre.practice.repro import repeat
from bourre.practice.seat import PracticeSeat
from bourre.record import RecordedAsk, asks, read
from bourre_referee.evaluation.check.bot_checks import digest
from bourre_referee.evaluation.check.examine_bot import Subject, TrialRooms
from bourre_referee.evaluation.check.trial_matches import MANY_TABLES, TESTED_BOT, TrialTerms, trial_matches
from bourre_referee.evaluation.starters import starter
from bourre_referee.evaluation.starters.course.course_kit import EXERCISES, starter_of
from bourre_referee.model.spec import Clock
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import printable

VIEWS = 2000
"""The most decisions that are compared."""


@dataclass(frozen=True, slots=True)
class KnownBot:
    """A bot that everybody has, such as an example. It runs in this process."""

    name: str
    bot: type[Bot]


@dataclass(frozen=True, slots=True)
class BotPlay:
    """One bot's play of the fixed deals."""

    bot: str
    digest: str
    """The hash of its play: equal if, and only if, all decisions are equal."""
    playings: Callable[[], Iterator[Iterable[RecordedAsk]]]
    """Reads its questions and answers in order, grouped by its instances."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two or more bots that decided alike, including known bots."""

    bots: tuple[str, ...]
    known: tuple[str, ...]
    decisions: int
    """The number of decisions compared."""


def find_alike(plays: Sequence[BotPlay], known: Sequence[KnownBot]) -> tuple[Alike, ...]:
    """Returns the groups of bots that decided alike, in the order of their first bots.

    A bot that decides like a known one forms a group alone. A bot with its own random numbers is like no other.
    """
    groups: dict[str, list[BotPlay]] = {}
    for play in plays:
        groups.setdefault(play.digest, []).append(play)
    with LoopThread() as wait:
        compared = [(group, *_compare(group, known, wait)) for group in groups.values()]
    return tuple(
        Alike(tuple(play.bot for play in group), names, decisions)
        for group, names, decisions in compared
        if decisions and len(group) + len(names) > 1
    )


def _compare(group: Sequence[BotPlay], known: Sequence[KnownBot], wait: LoopThread) -> tuple[tuple[str, ...], int]:
    """Returns the known bots that give the recorded answers to the first questions, and the number of these questions.

    It stops reading a bot as soon as that bot is like no other.
    """
    left, decisions = list(known), 0
    for playing in group[0].playings():
        seats: dict[str, PracticeSeat] = {}
        for ask in islice(playing, VIEWS - decisions):
            decisions += 1
            left = [one for one in left if _agrees(one, seats, ask, wait)]
            if not left and len(group) == 1:
                return (), decisions
        if decisions == VIEWS:
            break
    return tuple(one.name for one in left), decisions


def _agrees(known: KnownBot, seats: dict[str, PracticeSeat], ask: RecordedAsk, wait: LoopThread) -> bool:
    if known.name not in seats:
        seats[known.name] = PracticeSeat(ask.view.seat, known.name, known.bot(), wait)
    return repeat(seats[known.name], ask).same


TERMS = TrialTerms(presets=("limit",), seats=(3,), deals=720, seed=1, decision_ms=5000, start_ms=60_000)
"""Simple bots make 1,000 to 1,600 decisions in these deals, among two guests that play at random."""
_CLOCK = Clock(TERMS.start_ms, TERMS.decision_ms, bank_ms=0)


def play_fixed_deals(subject: Subject, logs: Path) -> tuple[str, ...] | None:
    """Plays the fixed deals and returns their records, or None if the bot did not play to the end.

    A bot that reads the clock may answer differently each time. Raises ContestFailed if the host fails it.
    """
    rooms = TrialRooms(subject, TERMS, _CLOCK, logs / subject.name, lambda *_: None)
    played = rooms.play("quiz", trial_matches(TERMS), MANY_TABLES)
    if played.hello is None or played.gone:
        return None
    return tuple(outcome.record for outcome in played.outcomes)


def fixed_deal_play(bot: str, records: Sequence[str]) -> BotPlay:
    """Returns a bot's play, from the records of its matches."""
    return BotPlay(bot, digest(records), partial(_playings, records))


def _playings(records: Sequence[str]) -> Iterator[Iterator[RecordedAsk]]:
    """Yields the questions of each match, which has its own instance of the bot."""
    for text in records:
        record = read(text)
        yield asks(record, record.header.bots.index(TESTED_BOT))


DEFAULTS = "a bot without code of its own"


def known_bots() -> tuple[KnownBot, ...]:
    """Loads them into this process: they are this distribution's own files."""
    return (*_unchanged_bots(), *_examples())


def _unchanged_bots() -> tuple[KnownBot, ...]:
    return (KnownBot(DEFAULTS, Bot), *(KnownBot(name, load(str(file))) for name, file in _starters()))


def _starters() -> Iterator[tuple[str, Path]]:
    yield "the bot of bourre new", starter.HERE / starter.PYTHON.name / starter.PYTHON.bot
    for name in EXERCISES:
        yield f"the starter of {name}", starter_of(name)


def _examples() -> Iterator[KnownBot]:
    folder = next(folder for folder in shipped_folders() if folder.is_dir())
    for file in sorted(folder.glob("*.py")):
        if not file.stem.startswith("test_"):
            yield KnownBot(file.stem.removesuffix("_bot"), load(str(file)))


def copies_in_class(hidden: Mapping[str, Path], submission: str) -> tuple[Alike, ...]:
    """Returns the students whose submissions decided alike in these runs of hidden deals, without running their code.

    `submission` is the name of their bots there. Raises ContestError if a run is damaged.
    """
    plays = [_play(student, Run.open(folder), submission) for student, folder in hidden.items()]
    return find_alike(plays, known_bots())


def unchanged_play(run: Run, bot: str) -> str:
    """Returns which bot without any work this bot played like in a duplicate; empty if it was like none."""
    found = find_alike([_play(bot, run, bot)], _unchanged_bots())
    return next((one.known[0] for one in found if one.decisions >= FEW), "")


def _play(student: str, run: Run, bot: str) -> BotPlay:
    return BotPlay(student, run.manifest.digest or student, lambda: _contest_playings(run, bot))


def _contest_playings(run: Run, bot: str) -> Iterator[Iterator[RecordedAsk]]:
    """Yields the questions of each deal in each seating, which has its own instance of the bot."""
    for match in run.matches():
        record = read(run.record(match))
        own = asks(record, record.header.bots.index(bot))
        for _, playing in groupby(own, key=lambda ask: (ask.view.deal, ask.seating)):
            yield playing


FEW = 200
"""With fewer decisions than this, agreement means little."""

_HEAD = """\
Which bots decide alike. This is a question to you, never a verdict. Short bots often agree by chance. A copy with one
changed decision is not found, and neither is a bot that draws random numbers outside `view.rng`, because it does not
even play like itself. Compare the files before you ask anybody."""


def copies_report(alike: Sequence[Alike], compared: int) -> str:
    """Returns the text about `compared` bots."""
    return "\n".join([_HEAD, "", *_lines(alike, compared)]) + "\n"


def _lines(alike: Sequence[Alike], compared: int) -> Iterator[str]:
    if not alike:
        yield f"None of the {compared} bots compared decides like another, or like a bot that everybody has."
    for group in alike:
        names = ", ".join(map(printable, group.bots))
        yield f"{names}: {_claim(group)} in the first {group.decisions} decisions{_doubt(group.decisions)}"


def _claim(group: Alike) -> str:
    if group.known:
        return f"unchanged from what everybody has ({', '.join(group.known)}), or like it"
    return "alike"


def _doubt(decisions: int) -> str:
    return ". So few decisions mean little. Use more deals" if decisions < FEW else ""


def copies_summary(alike: Sequence[Alike], place: str) -> str:
    """Returns one line for the terminal about groups that decide alike, but as no known bot; empty without any."""
    copied = sum(len(group.bots) > 1 and not group.known for group in alike)
    same = f"{copied} group{'s' if copied != 1 else ''} of submissions"
    return f"{same} decide alike, which is a question, not a verdict: {place}" if copied else ""
