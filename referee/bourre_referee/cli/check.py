"""`bourre check`: tells whether a bot, in any language, follows the protocol and the rules."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import AsJson, check_writable, names, presets
from bourre_referee.cli.exit_codes import FAILED_CHECK, BadUsage, nothing_kept, tell

if TYPE_CHECKING:
    from bourre_referee.evaluation.check.check_report import CheckReport
    from bourre_referee.evaluation.check.examine_bot import Subject
    from bourre_referee.evaluation.check.trial_matches import TrialTerms

Command = Annotated[
    str | None, typer.Option(metavar="WORDS", help='Instead of BOT: the command that starts it, such as "node bot.js".')
]
Files = Annotated[
    list[str] | None,
    typer.Option(
        "--files",
        metavar="PATH",
        show_default="the bot's own folder",
        help="Another file or folder that the bot reads. Repeatable.",
    ),
]
Presets = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="PRESET",
        show_default="all",
        help="A preset of house rules. `bourre rules` lists them. Repeatable.",
        autocompletion=presets,
    ),
]


def check(
    bot: Annotated[
        str | None,
        typer.Argument(metavar="BOT", show_default=False, help="The bot's file, or the name of an example bot."),
    ] = None,
    command: Command = None,
    files: Files = None,
    rules: Presets = None,
    seats: Annotated[
        int | None, typer.Option(metavar="N", min=2, max=8, show_default="2 to 8", help="Seats at the table.")
    ] = None,
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="About how many deals to play.")] = 500,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=2**63 - 1, help="Decides the cards. It is fixed, so that reports can be compared."
        ),
    ] = 7,
    decision_seconds: Annotated[
        float, typer.Option(metavar="S", min=0.01, max=600, help="The time limit of each decision.")
    ] = 1.0,
    json: AsJson = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", show_default=False, help="Also write a JUnit report.")
    ] = None,
) -> None:
    """Test a bot against every rule preset, as a contest would.

    A real referee plays with a process of the bot. Exit code 3: a check failed.
    """
    words = _words(bot, command)
    terms = _terms(rules or [], seats, deals, seed, round(1000 * decision_seconds))
    if junit:
        check_writable("--junit", junit)
    again = ("bourre", "check", *((bot,) if bot else ("--command", str(command))))
    again += tuple(word for path in files or () for word in ("--files", path))
    report = _examine(_subject(bot, words, files or [], again), terms)
    _print(report, json, junit)
    if report.failed:
        raise typer.Exit(FAILED_CHECK)


def _print(report: "CheckReport", json: bool, junit: Path | None) -> None:
    from bourre_referee.evaluation.check.check_report import document, report_lines
    from bourre_referee.evaluation.check.check_report import junit as junit_document

    if junit:
        junit.write_text(junit_document(report), "utf-8")
    print(document(report) if json else "\n".join(report_lines(report)))


def _words(bot: str | None, command: str | None) -> list[str]:
    """Returns the command that starts the bot; raises BadUsage or BotFileError."""
    from bourre.bot_code.bot_file import check_file, find

    if (bot is None) == (command is None):
        raise BadUsage("Which bot?\nhint: pass a file, such as mybot.py, or a command: --command 'node bot.js'")
    if command is not None:
        return _split(command)
    if Path(str(bot)).suffix not in ("", ".py") and Path(str(bot)).is_file():
        raise BadUsage(f"{bot!r} is not a Python file.\nhint: pass the command that starts it: --command 'node {bot}'")
    file, _, wanted = find(str(bot), (Path(), *example_folders())).partition(":")
    if wanted:
        raise BadUsage(f"{bot!r} names a class, but a process runs a whole file.\nhint: use a file with one bot")
    check_file(Path(file))
    return ["python", str(Path(file).absolute())]


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadUsage(f"--command {command!r}: {str(error).lower()}.\nhint: use quotes as in a shell") from error
    if not words:
        raise BadUsage("--command is empty.\nhint: pass the command that starts the bot: --command 'node bot.js'")
    return words


def _subject(bot: str | None, words: list[str], files: list[str], again: Sequence[str]) -> "Subject":
    """Returns the bot and its isolation on this machine; raises BadUsage if it cannot be started or lacks a file."""
    from tempfile import gettempdir

    from bourre_referee.cli.standings_tables import isolation_in_words
    from bourre_referee.contest.bot_command import PATHS_START, explain_missing_file, files_in, problem_with
    from bourre_referee.contest.contest import Entrant
    from bourre_referee.contest.default_files import default_files
    from bourre_referee.contest.isolation_choice import IsolationAsked, choose_isolation
    from bourre_referee.evaluation.check.examine_bot import Subject
    from bourre_referee.evaluation.check.trial_matches import TESTED_BOT
    from bourre_referee.model.errors import ContestError
    from bourre_referee.model.spec import Isolation, Level
    from bourre_referee.sandbox.socket_folder import socket_problem

    if doubt := socket_problem(Path(gettempdir())):
        raise BadUsage(doubt)
    folder = Path.cwd()
    problem = problem_with(words, folder) or next(
        filter(None, (explain_missing_file(path, folder) for path in files)), None
    )
    if problem:
        raise BadUsage(problem.removesuffix(PATHS_START))
    listed = tuple(_list_files(files, folder))
    read = tuple(dict.fromkeys([*files_in(words, folder), *listed])) if listed else default_files(words, folder)
    entry = Entrant(TESTED_BOT, tuple(words), read).entry(folder)
    try:
        isolation = choose_isolation(IsolationAsked(), [entry], tell)
    except ContestError as error:  # people who check a bot trust it
        isolation = Isolation(Level.NONE)
        tell(f"warning: checked without the isolation of a contest: {error}")
    else:
        tell(isolation_in_words(isolation))
    name = names([bot])[0] if bot else shlex.join(words)
    return Subject(entry, name, tuple(again), isolation)


def _list_files(files: list[str], folder: Path) -> Iterator[str]:
    """Yields these paths; the current folder is replaced by its content, because no bot is given that folder itself."""
    for path in files:
        if (folder / path).resolve() == folder.resolve():
            yield from sorted(inside.name for inside in folder.iterdir() if not inside.name.startswith("."))
        else:
            yield path


def _terms(presets: list[str], seats: int | None, deals: int, seed: int, decision_ms: int) -> "TrialTerms":
    """Returns what to play; raises InvalidHouse for an unknown preset, or one that does not fit the seats."""
    from bourre.rules.house import MAX_SEATS, MIN_SEATS, PRESETS, HouseRules, check_preset
    from bourre_referee.evaluation.check.trial_matches import TrialTerms, allows_seats

    for preset in presets:
        HouseRules.preset(preset)
        if seats:
            check_preset(preset, seats)
    chosen = tuple(dict.fromkeys(presets)) or tuple(PRESETS)
    if seats:
        chosen = tuple(preset for preset in chosen if allows_seats(preset, seats))
    sizes = (seats,) if seats else tuple(range(MIN_SEATS, MAX_SEATS + 1))
    return TrialTerms(chosen, sizes, deals, seed, decision_ms)


def _examine(subject: "Subject", terms: "TrialTerms") -> "CheckReport":
    from tempfile import TemporaryDirectory

    from bourre_referee.cli.progress_meter import steps
    from bourre_referee.evaluation.check.examine_bot import examine

    with nothing_kept(), TemporaryDirectory(prefix="bourre-check-") as logs, steps() as advance:
        return examine(subject, terms, Path(logs), advance)
