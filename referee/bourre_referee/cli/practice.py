"""`bourre practice`: plays a bot against others in this process, to see at once how it does."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import DecisionSeconds, Environment, Preset, house_for_table, opponents
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell

if TYPE_CHECKING:
    from bourre.practice import PracticeResult
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
    int, typer.Option(metavar="N", min=1, help="How many matches; between them everyone moves one seat on.")
]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Another seed deals other cards.")]
Lenient = Annotated[
    bool, typer.Option("--lenient", help="Play on after an illegal card or an exception, which costs chips.")
]


def practice(
    bot: Bot,
    against: Against = "tight,random",
    deals: Deals = 500,
    matches: Matches = 1,
    seed: Seed = 7,
    preset: Preset = "limit",
    lenient: Lenient = False,
    decision_seconds: DecisionSeconds = None,
    environment: Environment = [],  # noqa: B006 Typer makes a new list
) -> None:
    """Play a bot against others, in this process.

    First its file is started as a contest starts it, with a warning of what may go wrong there. The first illegal card
    or exception stops play and is explained; --lenient plays on. Exit code 3: a contest could not start the bot, or a
    method is misnamed, such as `Play`. With a command among the bots, each plays in a process of its own, without
    isolation: about as many deals, with every bot equally often in every seat; mistakes cost what they cost in a
    contest.
    """
    from bourre.practice.busy_watch import end_when_stuck
    from bourre_referee.cli.bot_sources import check_environment

    bots = _bots(bot, against, environment)
    check_environment(bots, environment)
    words = [bot, "--against", against, "--deals", deals, "--matches", matches, "--seed", seed, "--preset", preset]
    with _explained(join(["bourre", "practice", *map(str, words)]), preset):
        found = _try_start(bots, preset, seed, lenient)
        folders = {Path(one.partition(":")[0]).resolve().parent for one in bots.values() if isinstance(one, str)}
        with end_when_stuck(folders, max(LEAST_SECONDS, (found.clock.decision_ms + found.clock.bank_ms) / 1000)):
            result, problems = _play(bots, preset, deals, seed, matches, decision_seconds, strict=not lenient)
        _print(result, problems or [f"warning: {error}" for error in found.errors])


@contextmanager
def _explained(again: str, preset: str) -> Iterator[None]:
    """Add a hint to errors; exit when interrupted. `again` is the command."""
    from bourre.practice import MisnamedMethod, PracticeError
    from bourre.practice.mistake import NeverStarted, Stuck
    from bourre_referee.model.errors import Interrupted

    try:
        yield
    except MisnamedMethod as error:
        raise MisnamedMethod(f"{error}\n--lenient plays without them") from error
    except NeverStarted as error:
        raise NeverStarted(f"{error}\n--lenient plays it here all the same") from error
    except Stuck as error:
        raise Stuck(f"{error}\n  again: {again}") from error
    except PracticeError as error:
        hint = f"`bourre rules show {preset}` says what is allowed; --lenient plays on, and each mistake costs chips"
        raise PracticeError(f"{error}\n  again: {again}\n{hint}") from error
    except (Interrupted, KeyboardInterrupt) as error:
        tell("\n".join(["interrupted: nothing is kept", *getattr(error, "__notes__", ())]))
        raise typer.Exit(INTERRUPTED) from None


def _bots(bot: str, against: str, environment: list[str]) -> dict[str, "Found"]:
    """Return the bot and its opponents by name; raises BotFileError or ContestError."""
    from bourre_referee.cli.bot_sources import find_bot, name_bots
    from bourre_referee.evaluation.bot_source import split_bots

    folders = (Path(bot.partition(":")[0]).parent, *example_folders())
    found = [find_bot(word.strip(), folders, environment) for word in (bot, *split_bots(against))]
    return name_bots(found, gap=" " if all(isinstance(one, str) for one in found) else "-")


def _try_start(bots: Mapping[str, "Found"], preset: str, seed: int, lenient: bool) -> "Findings":
    """Start the first bot's file, and print warnings; return what was found. Raises NeverStarted."""
    from bourre.practice.mistake import NeverStarted
    from bourre_referee.evaluation.start_trial import Findings, try_file
    from bourre_referee.model.spec import Clock, RoomFailed

    name, found = next(iter(bots.items()))
    file = Path(found.partition(":")[0]) if isinstance(found, str) else Path()
    house = house_for_table(preset, len(bots))
    if file.suffix != ".py" or not file.is_file() or file.parent in example_folders():
        return Findings(Clock())
    try:
        findings = try_file(file.resolve(), house, len(bots), seed)
    except RoomFailed as error:
        tell(f"warning: {name} was not started as a contest starts it: {error}")
        return Findings(Clock())
    if findings.never_started and not lenient:
        raise NeverStarted(f"{name} never started: {findings.never_started}")
    for warning in filter(None, (findings.never_started, *findings.warnings)):
        tell(f"warning: {warning}")
    return findings


def _play(
    bots: Mapping[str, "Found"],
    preset: str,
    deals: int,
    seed: int,
    matches: int,
    decision_seconds: float | None,
    *,
    strict: bool,
) -> tuple["PracticeResult", Sequence[str]]:
    """Play the matches; return what went wrong, too. Raises BadUsage, InvalidHouse, BotFileError or PracticeError."""
    paths = {name: found for name, found in bots.items() if isinstance(found, str)}
    if len(paths) < len(bots):
        return _play_commands(bots, preset, deals, seed, matches, decision_seconds, strict=strict)
    if decision_seconds is not None:
        raise BadUsage("--decision-seconds is for bots that are commands, and there is none: leave it out")
    result = _play_here(paths, preset, deals, seed, matches, strict)
    more = len(result.problems) - SHOWN
    return result, [*result.problems[:SHOWN], *([f"and {more} more mistakes"] if more > 0 else [])]


def _play_here(
    paths: Mapping[str, str], preset: str, deals: int, seed: int, matches: int, strict: bool
) -> "PracticeResult":
    from bourre.practice import practice

    house = house_for_table(preset, len(paths))
    return practice(paths, deals=deals, seed=seed, house=house, matches=matches, strict=strict)


def _play_commands(
    bots: Mapping[str, "Found"],
    preset: str,
    deals: int,
    seed: int,
    matches: int,
    decision_seconds: float | None,
    *,
    strict: bool,
) -> tuple["PracticeResult", list[str]]:
    """Play bots in processes of their own; return what went wrong, too. Raises NeverStarted if `strict`."""
    from tempfile import TemporaryDirectory

    from bourre.practice.mistake import NeverStarted
    from bourre_referee.cli.bot_sources import sources_of
    from bourre_referee.evaluation.bot_source import clock_of
    from bourre_referee.evaluation.played_mistakes import trouble_lines
    from bourre_referee.evaluation.process_practice import practice_by_processes, session_of
    from bourre_referee.runner.interrupt import Stop
    from bourre_referee.storage.folder_location import FolderLocation
    from bourre_referee.storage.run import Run
    from bourre_referee.storage.start_failures import find_start_failure

    house, clock = house_for_table(preset, len(bots)), clock_of(decision_seconds)
    contest = session_of(sources_of(bots), seed, deals, matches, house, Path.cwd(), clock)
    with Stop() as stop, TemporaryDirectory(prefix="bourre-practice-") as place:
        result = practice_by_processes(contest, Path(place), stop)
        for bot in contest.names if strict else ():
            if why := find_start_failure(FolderLocation(Path(place)).logs, bot):
                raise NeverStarted(f"{bot} never started: {why}")
        return result, [*trouble_lines(Run.open(Path(place)), contest.names, str(seed), SHOWN)]


def _print(result: "PracticeResult", trouble: Sequence[str]) -> None:
    print(result)
    for line in trouble:
        tell(line)
