"""`bourre practice`: plays a bot against others in this process, to see at once how it does."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import DecisionSeconds, Environment, Rules, house_for_table, opponents
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell

if TYPE_CHECKING:
    from bourre.practice import PracticeResult
    from bourre.rules.house import HouseRules
    from bourre_referee.cli.bot_sources import Found
    from bourre_referee.evaluation.start_trial import Findings

LEAST_SECONDS = 5.0
"""A bot that is busy with one decision for less time does not count as stuck, whatever the contest's clock."""
SHOWN = 5
"""How many mistakes are printed in full."""


Bot = Annotated[
    str,
    typer.Argument(metavar="BOT", help="The bot's file, such as mybot.py or mybot.py:Class, or a command in quotes."),
]
Against = Annotated[
    str,
    typer.Option(
        metavar="BOT,BOT",
        autocompletion=opponents,
        help="Files, names of example bots, or commands in quotes, separated by commas.",
    ),
]
Deals = Annotated[int, typer.Option(metavar="N", min=1, help="Deals per match.")]
Matches = Annotated[
    int, typer.Option(metavar="N", min=1, help="How many matches. After each, every bot moves one seat on.")
]
Seed = Annotated[
    int, typer.Option(metavar="N", min=0, help="Decides the cards. It is fixed, so that you meet the same deals again.")
]
Duplicate = Annotated[
    bool,
    typer.Option(
        "--duplicate",
        help="Play as `bourre grade` marks: each bot in a process, each deal in all seatings, many tables at once.",
    ),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Play on after a mistake, which then costs chips.")]


def practice(
    bot: Bot,
    against: Against = "tight,random",
    deals: Deals = 500,
    matches: Matches = 1,
    seed: Seed = 7,
    rules: Rules = "limit",
    duplicate: Duplicate = False,
    lenient: Lenient = False,
    decision_seconds: DecisionSeconds = None,
    environment: Environment = [],  # noqa: B006 Typer makes a new list
) -> None:
    """Play 500 deals with example bots, until the first mistake.

    The first illegal card or exception stops play and is explained. With --lenient, mistakes only cost chips. Before
    it plays, the command starts the file as a contest does, and warns of what may go wrong there. Exit code 3: a
    contest could not start the bot, or a method is misnamed, such as `Play`.

    If one of the bots is a command, or with --duplicate, each bot plays in its own process, without isolation,
    about as many deals, and equally often in every seat. Mistakes then cost the same as in a contest.
    """
    from bourre.practice.busy_watch import end_when_stuck
    from bourre_referee.cli.bot_sources import check_environment

    bots = _bots(bot, against, environment)
    check_environment(bots, environment)
    words = [bot, "--against", against, "--deals", deals, "--matches", matches, "--seed", seed, "--rules", rules]
    words += ["--duplicate"] * duplicate
    with _explained(join(["bourre", "practice", *map(str, words)]), rules):
        session = _Session(bots, house_for_table(rules, len(bots)), deals, matches, seed, duplicate, not lenient)
        found = _try_start(session)
        folders = {Path(one.partition(":")[0]).resolve().parent for one in bots.values() if isinstance(one, str)}
        with end_when_stuck(folders, max(LEAST_SECONDS, (found.clock.decision_ms + found.clock.bank_ms) / 1000)):
            result, problems = _play(session, decision_seconds)
        print(result)
        for line in problems or [f"warning: {error}" for error in found.errors]:
            tell(line)


@dataclass(frozen=True, slots=True)
class _Session:
    """What is played."""

    bots: Mapping[str, "Found"]
    house: "HouseRules"
    deals: int
    matches: int
    seed: int
    duplicate: bool
    strict: bool


@contextmanager
def _explained(again: str, preset: str) -> Iterator[None]:
    """Adds a hint to errors; exits when interrupted. `again` is the command."""
    from bourre.practice import MisnamedMethod, PracticeError
    from bourre.practice.mistake import NeverStarted, Stuck
    from bourre_referee.model.errors import Interrupted

    try:
        yield
    except MisnamedMethod as error:
        raise MisnamedMethod(f"{error}\nhint: rename the method, or add --lenient to play anyway") from error
    except NeverStarted as error:
        raise NeverStarted(f"{error}\nhint: add --lenient to play it here anyway") from error
    except Stuck as error:
        raise Stuck(f"{error}\n  again: {again}") from error
    except PracticeError as error:
        hint = f"hint: read `bourre rules {preset}`, or add --lenient to play on, where each mistake costs chips"
        raise PracticeError(f"{error}\n  again: {again}\n{hint}") from error
    except (Interrupted, KeyboardInterrupt) as error:
        tell("\n".join(["Interrupted. Nothing is kept.", *getattr(error, "__notes__", ())]))
        raise typer.Exit(INTERRUPTED) from None


def _bots(bot: str, against: str, environment: list[str]) -> dict[str, "Found"]:
    """Returns the bot and its opponents by name; raises BotFileError or ContestError."""
    from bourre_referee.cli.bot_sources import find_bot, name_bots
    from bourre_referee.evaluation.bot_source import split_bots

    folders = (Path(bot.partition(":")[0]).parent, *example_folders())
    found = [find_bot(word.strip(), folders, environment) for word in (bot, *split_bots(against))]
    return name_bots(found, gap=" " if all(isinstance(one, str) for one in found) else "-")


def _try_start(session: _Session) -> "Findings":
    """Starts the first bot's file, and prints warnings; returns what was found. Raises NeverStarted."""
    from bourre.practice.mistake import NeverStarted
    from bourre_referee.evaluation.start_trial import Findings, try_file
    from bourre_referee.model.spec import Clock, RoomFailed

    name, found = next(iter(session.bots.items()))
    file = Path(found.partition(":")[0]) if isinstance(found, str) else Path()
    if file.suffix != ".py" or not file.is_file() or file.parent in example_folders():
        return Findings(Clock())
    try:
        findings = try_file(file.resolve(), session.house, len(session.bots), session.seed)
    except RoomFailed as error:
        tell(f"warning: {name} was not started as in a contest: {error}")
        return Findings(Clock())
    if findings.never_started and session.strict:
        raise NeverStarted(f"{name} never started: {findings.never_started}")
    for warning in filter(None, (findings.never_started, *findings.warnings)):
        tell(f"warning: {warning}")
    return findings


def _play(session: _Session, decision_seconds: float | None) -> tuple["PracticeResult", Sequence[str]]:
    """Plays the matches; returns what went wrong, too. Raises BadUsage, InvalidHouse, BotFileError or PracticeError."""
    from bourre.practice import practice

    paths = {name: found for name, found in session.bots.items() if isinstance(found, str)}
    if session.duplicate or len(paths) < len(session.bots):
        return _play_commands(session, decision_seconds)
    if decision_seconds is not None:
        raise BadUsage(
            "No bot is a command, so none has a time limit.\nhint: remove --decision-seconds, or add --duplicate"
        )
    result = practice(
        paths,
        deals=session.deals,
        seed=session.seed,
        house=session.house,
        matches=session.matches,
        strict=session.strict,
    )
    return result, first_problems(result)


def first_problems(result: "PracticeResult") -> list[str]:
    """Returns the first mistakes of lenient practice, and how many more there were."""
    more = len(result.problems) - SHOWN
    return [*result.problems[:SHOWN], *([f"and {more} more mistakes"] if more > 0 else [])]


def _play_commands(session: _Session, decision_seconds: float | None) -> tuple["PracticeResult", list[str]]:
    """Plays bots in processes of their own; returns what went wrong, too. Raises NeverStarted if it is strict."""
    from tempfile import TemporaryDirectory

    from bourre.practice.mistake import NeverStarted
    from bourre_referee.cli.bot_sources import sources_of
    from bourre_referee.evaluation.bot_source import clock_of
    from bourre_referee.evaluation.played_mistakes import trouble_lines
    from bourre_referee.evaluation.process_practice import practice_by_processes, session_of
    from bourre_referee.runner.interrupt import Stop
    from bourre_referee.storage.run.folder_location import FolderLocation
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.start_failures import find_start_failure

    seed, clock = session.seed, clock_of(decision_seconds)
    sources = sources_of(session.bots)
    deals, house, duplicate = session.deals, session.house, session.duplicate
    contest = session_of(sources, seed, deals, session.matches, house, Path.cwd(), clock, duplicate=duplicate)
    with Stop() as stop, TemporaryDirectory(prefix="bourre-practice-") as place:
        result = practice_by_processes(contest, Path(place), stop)
        for bot in contest.names if session.strict else ():
            if why := find_start_failure(FolderLocation(Path(place)).logs, bot):
                raise NeverStarted(f"{bot} never started: {why}")
        return result, [*trouble_lines(Run.open(Path(place)), contest.names, str(seed), SHOWN)]
