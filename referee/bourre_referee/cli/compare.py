"""`bourre compare`: tells which of two bots is better, and stops as soon as that is clear."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from math import inf
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import AsJson, DecisionSeconds, Environment, Jobs, Rules, house_for_table
from bourre_referee.cli.executors import Cluster, ExecutorOptions
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell
from bourre_referee.model.errors import Interrupted

if TYPE_CHECKING:
    from bourre_referee.cli.bot_sources import Found
    from bourre_referee.cli.progress_meter import Stopwatch
    from bourre_referee.contest.contest import Contest
    from bourre_referee.evaluation.compare.comparison import Comparison, StoppingRule

FIELD = ("tight", "counter", "loose", "follower", "pot_aware", "drawer", "lowest", "random")
"""The default opponents: the first of these that are not one of the two bots."""

SHOWN = 5
"""How many lines of a bot's log, and how many mistakes, are printed."""

Budget = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="The most deals to play, rounded up to whole rounds. Each deal is played in every seating.",
    ),
]
Field = Annotated[
    str | None,
    typer.Option(
        metavar="BOT,BOT", show_default="example bots", help="The other bots at the table: files, names or commands."
    ),
]
Seats = Annotated[
    int | None,
    typer.Option(metavar="N", min=2, max=8, show_default="5, or as many as --field needs", help="Seats at the table."),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", min=0, max=2**63 - 1, show_default="random, and printed", help="Decides the cards."),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", show_default="nothing is kept", help="A results folder to write or to continue."),
]


def check_margin(margin: float | None) -> float | None:
    """Returns the margin if it is positive and finite; raises BadUsage."""
    if margin is not None and not 0 < margin < inf:
        raise BadUsage(f"--margin {margin:g}: must be more than 0, in chips per 100 deals.\nhint: use --margin 20")
    return margin


Margin = Annotated[
    float | None,
    typer.Option(
        metavar="CHIPS",
        callback=check_margin,
        show_default="none",
        help="Also stop when the bots are certainly closer than this many chips per 100 deals.",
    ),
]
Sure = Annotated[
    bool,
    typer.Option(
        "--sure", help="Decide by the most that a deal can cost, so that the verdict holds however rare losses are."
    ),
]
InProcess = Annotated[
    bool,
    typer.Option(
        "--in-process", help="Play fast, in this process and without time limits. Only for bots that you trust."
    ),
]


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A bot's file, an example's name, or a command in quotes.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other bot, given in the same ways.")],
    deals: Budget = 1000,
    margin: Margin = None,
    sure: Sure = False,
    field: Field = None,
    seats: Seats = None,
    seed: Seed = None,
    rules: Rules = "limit",
    out: Out = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    in_process: InProcess = False,
    decision_seconds: DecisionSeconds = None,
    environment: Environment = [],  # noqa: B006 Typer makes a new list
    json: AsJson = False,
) -> None:
    """Find out which of two bots is better.

    It stops as soon as that is clear. If the bots are equal, the verdict is wrong at most 5 % of the time, for losses
    that come at least once in 40 deals, and with --sure for all. Exit code 10: A is better. 11: B is better. 12:
    undecided after all deals. 13: closer than --margin.
    """
    from secrets import randbelow

    from bourre_referee.cli.bot_sources import check_environment, files_of
    from bourre_referee.cli.comparison_text import exit_code, print_comparison
    from bourre_referee.cli.progress_meter import Stopwatch
    from bourre_referee.evaluation.compare.comparison_contest import stopping_rule

    execution = ExecutorOptions(cluster, jobs)
    if in_process:
        _check_in_process(out, execution, decision_seconds)
    bots = _bots(first, second, field, seats, environment)
    check_environment(bots, environment)
    seed = randbelow(2**31) if seed is None else seed
    contest = _contest(bots, seed, deals, rules, decision_seconds, in_process=in_process)
    rule = stopping_rule(contest, margin, sure=sure)
    options = {"--deals": deals, "--field": _field(bots), "--rules": rules, "--seed": seed}
    options |= {"--margin": margin, "--decision-seconds": decision_seconds, **execution.options, "--jobs": None}
    flags = ["--sure"] if sure else []
    stopwatch = Stopwatch()
    with _interruption_told(_command([first, second, *flags], options, environment, out), out, in_process=in_process):
        if in_process:
            found = _compare_in_process(contest, seed, files_of(bots), rule)
        else:
            found = _compare_by_processes(contest, out, execution, stopwatch, rule)
    print_comparison(found, contest, stopwatch.seconds, json=json)
    raise typer.Exit(exit_code(found.verdict))


def _check_in_process(out: Path | None, execution: ExecutorOptions, decision_seconds: float | None) -> None:
    if out or any(execution.options.values()) or decision_seconds:
        raise BadUsage(
            "--in-process keeps nothing, has no clock and runs one job.\nhint: remove --out, --jobs, --cluster and "
            "--decision-seconds"
        )


@contextmanager
def _interruption_told(again: str, out: Path | None, *, in_process: bool) -> Iterator[None]:
    """Exits when interrupted, and says what is kept and with which command to go on."""
    try:
        yield
    except (Interrupted, KeyboardInterrupt) as error:
        tell("Interrupted. Nothing is kept." if in_process else f"{_so_far(error, out)}\n  {again}")
        raise typer.Exit(INTERRUPTED) from None


def _so_far(error: Interrupted | KeyboardInterrupt, out: Path | None) -> str:
    """Says what is kept; the command that continues follows."""
    if out is None:
        return "Interrupted. Nothing is kept. This command plays the same comparison and keeps it:"
    return str(error) if isinstance(error, Interrupted) else "Interrupted. Finished matches are stored. To continue:"


def _command(words: list[str], options: Mapping[str, object], environment: list[str], out: Path | None) -> str:
    """Returns the command that plays this comparison, with the options that have a value, and keeps it."""
    given = [(option, value) for option, value in options.items() if value is not None]
    given += [*(("--environment", name) for name in environment), ("--out", out or "DIR")]
    return join(["bourre", "compare", *words, *(str(word) for pair in given for word in pair)])


def _field(bots: Mapping[str, "Found"]) -> str:
    """Returns the bots besides A and B as --field takes them."""
    from bourre_referee.cli.bot_sources import texts_of

    return ",".join(texts_of(list(bots.values())[2:]))


def _bots(first: str, second: str, field: str | None, seats: int | None, environment: list[str]) -> dict[str, "Found"]:
    """Returns A, B and the field by name; raises BotFileError, ContestError or BadUsage."""
    from bourre.bot_code.bot_file import find
    from bourre_referee.cli.bot_sources import find_bot, name_bots
    from bourre_referee.evaluation.bot_source import split_bots

    folders = tuple(example_folders())
    two = [find_bot(word, (Path(word.partition(":")[0]).parent, *folders), environment) for word in (first, second)]
    if field is not None:
        others = [find_bot(word, folders, environment) for word in split_bots(field) if word]
        if seats is not None and seats != 2 + len(others):
            raise BadUsage(
                f"--seats {seats} needs {seats - 2} bots in --field, which has {len(others)}.\nhint: remove --seats"
            )
        return name_bots([*two, *others])
    known = {Path(bot).resolve() for bot in two if isinstance(bot, str)}
    examples = [path for word in FIELD if Path(path := find(word, folders)).resolve() not in known]
    return name_bots([*two, *examples[: (5 if seats is None else seats) - 2]])


def _contest(
    bots: Mapping[str, "Found"],
    seed: int,
    deals: int,
    preset: str,
    decision_seconds: float | None,
    *,
    in_process: bool,
) -> "Contest":
    from bourre_referee.cli.bot_sources import sources_of
    from bourre_referee.evaluation.bot_source import clock_of
    from bourre_referee.evaluation.compare.comparison_contest import contest_of

    house, clock = house_for_table(preset, len(bots)), clock_of(decision_seconds)
    return contest_of(sources_of(bots, in_process=in_process), seed, deals, house, Path.cwd(), clock=clock)


def _compare_in_process(contest: "Contest", seed: int, bots: Mapping[str, str], rule: "StoppingRule") -> "Comparison":
    from bourre.bot_code.bot_file import load
    from bourre_referee.evaluation.compare.comparison_contest import compare_in_process

    first, second, *_ = contest.names
    loaded = {name: load(path) for name, path in bots.items()}
    return compare_in_process(contest, seed, loaded, first, second, rule)


def _compare_by_processes(
    contest: "Contest", out: Path | None, execution: ExecutorOptions, stopwatch: "Stopwatch", rule: "StoppingRule"
) -> "Comparison":
    from rich.console import Console

    from bourre_referee.cli.watch import Watch
    from bourre_referee.evaluation.compare.comparison_contest import compare
    from bourre_referee.evaluation.played_mistakes import trouble_lines
    from bourre_referee.runner.interrupt import Stop
    from bourre_referee.storage.run.run import Run

    first, second, *_ = contest.names
    with Stop() as stop, nullcontext(out) if out else TemporaryDirectory(prefix="bourre-compare-") as place:
        folder = Path(place)
        console = Console(stderr=True)
        watch = Watch(contest, out, console, stopwatch, progress=console.is_terminal and sys.stdout.isatty())
        with watch, execution.make() as executor:
            found = compare(contest, folder, first, second, rule, executor=executor, watch=watch, stop=stop)
        for line in trouble_lines(Run.open(folder), (first, second), str(contest.seed), SHOWN):
            tell(line)
        return found
