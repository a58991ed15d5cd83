"""`bourre run`: plays or continues a contest and prints the standings, or prints its plan."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from shlex import join, quote
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import Jobs
from bourre_referee.cli.executors import GRACE_S, Cluster, ExecutorOptions, Grace
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, activation_lines, end, tell
from bourre_referee.cli.plan import PlanSize, print_plan
from bourre_referee.model.errors import ContestFailed, Interrupted
from bourre_referee.storage.files.address_text import without_password

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bourre_referee.contest.contest import Contest
    from bourre_referee.runner.interrupt import Stop
    from bourre_referee.statistics.standing import Standing
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.run_location import RunLocation


PLAN = "A plan"
"""The heading of the options that play nothing."""

LONGEST_ERROR = 500
"""The most characters of an error that are printed."""


def run(
    contest_file: Annotated[
        Path | None,
        typer.Argument(metavar="CONTEST", show_default=False, help="The contest file, such as contest.toml."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start again instead of continuing.")] = False,
    change_bots: Annotated[
        bool, typer.Option("--change-bots", help="Continue although bots joined, left or were repaired.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", show_default="runs/NAME", help="The results folder.")
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Keep the results in this database: postgresql://USER@HOST/DATABASE."),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    grace: Grace = GRACE_S,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Also print the hash of the terms and how balanced the schedule is.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the standings as one JSON document.")] = False,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan", rich_help_panel=PLAN, help="Print the schedule and how balanced it is, and play nothing."
        ),
    ] = False,
    bots: Annotated[
        int | None, typer.Option(metavar="N", rich_help_panel=PLAN, help="Instead of CONTEST: how many bots play.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(metavar="N", rich_help_panel=PLAN, help="How many of them sit at a table, 2 to 8.")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            show_default="one full cycle",
            rich_help_panel=PLAN,
            help="How many rounds. In each, every bot sits once in every seat.",
        ),
    ] = None,
    tables: Annotated[
        int | None, typer.Option(metavar="N", rich_help_panel=PLAN, help="How many matches, instead of rounds.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            show_default="7",
            rich_help_panel=PLAN,
            help="The seed of the plan, as `seed` in a contest file.",
        ),
    ] = None,
) -> None:
    """Play a contest, or continue one.

    The SHA-256 of a secret seed and the standings go to stdout, messages to stderr. After an interruption, the same
    command without --fresh plays only what is left.
    """
    from bourre_referee.runner.interrupt import Stop

    size = PlanSize(bots, seats, rounds, tables, seed)
    if plan:
        return print_plan(contest_file, size, json=json)
    if size.options:
        raise BadUsage(f"{size.options[0]} is for a plan.\nhint: add --plan")
    if contest_file is None:
        raise BadUsage("Which contest?\nhint: bourre run contest.toml")
    execution = ExecutorOptions(cluster, jobs)
    again = resume(contest_file, execution, out, json, change_bots, db)
    with Stop(grace) as stop:
        try:
            _play(
                contest_file,
                execution,
                out,
                db,
                fresh=fresh,
                change_bots=change_bots,
                json=json,
                verbose=verbose,
                stop=stop,
            )
        except ContestFailed as error:
            end(error, f"  {again}")
        except (Interrupted, KeyboardInterrupt) as error:
            said = str(error) or "Interrupted. Finished matches are stored. To continue:"
            tell(f"{said}\n  {again}")
            raise typer.Exit(0 if stop.terminated else INTERRUPTED) from None
    return None


def resume(
    contest_file: Path,
    execution: ExecutorOptions,
    out: Path | None,
    json: bool,
    change_bots: bool = False,
    db: str | None = None,
) -> str:
    """Returns the shell command that continues the run; without `--fresh`, which would start again."""
    words = ["bourre", "run", str(contest_file)]
    words += [str(word) for option in execution.options.items() if option[1] for word in option]
    words += ["--out", str(out)] if out else []
    words += ["--db", without_password(db)] if db else []
    words += ["--change-bots"] if change_bots else []
    words += ["--json"] if json else []
    return join(words)


def _play(
    contest_file: Path,
    execution: ExecutorOptions,
    out: Path | None,
    db: str | None,
    *,
    fresh: bool,
    change_bots: bool,
    json: bool,
    verbose: bool,
    stop: "Stop",
) -> None:
    from rich.console import Console

    from bourre_referee.cli.progress_meter import Stopwatch
    from bourre_referee.cli.watch import Watch
    from bourre_referee.contest.contest_file import load
    from bourre_referee.runner.contest_run import run
    from bourre_referee.storage.run.folder_location import FolderLocation
    from bourre_referee.storage.run.run_location import place_in_database

    contest = load(contest_file)
    if (option := "--db" if db else "--cluster" if execution.cluster else None) and contest.has_models:
        raise BadUsage(f"[[models]] needs a results folder on the machine that plays.\nhint: remove {option}")
    for doubt in contest.doubts:
        tell(f"warning: {doubt}")
    folder = out or Path("runs") / contest.name
    stopwatch = Stopwatch()
    publish = None if json else sys.stdout  # the original stdout, before a bar on stderr wraps it
    place = place_in_database(db, contest.name, folder) if db else FolderLocation(folder)
    screen = Watch(contest, place, Console(stderr=True), stopwatch, publish, verbose=verbose)
    with screen as watch, execution.make() as executor:
        finished = run(
            contest,
            place,
            fresh=fresh,
            change_bots=change_bots,
            watch=watch,
            tell=watch.say,
            executor=executor,
            stop=stop,
        )
    try:
        if _print_result(finished, contest, folder, json=json):
            again = resume(contest_file, execution, out, json, True, db)
            tell(f"When the bot is repaired, this plays only what it missed:\n  {again}")
    finally:  # even if stdout takes nothing more
        _tell_what_is_kept(place, folder, stopwatch.seconds if watch.played else None)


def _print_result(finished: "Run", contest: "Contest", folder: Path, *, json: bool) -> bool:
    """Prints the standings, and warns of bots without a rank. Returns whether one missed all its deals."""
    from bourre_referee.cli.standings import print_standings
    from bourre_referee.derived.ratings_cache import rated_run
    from bourre_referee.derived.result_cache import open_result_cache
    from bourre_referee.derived.run_standings import rank

    rated = rated_run(finished, open_result_cache(os.environ))
    table = rank(finished, rated.tally, rated.ratings)
    print_standings(finished, table, rated.tally, json=json)
    capped = finished.manifest.capped
    absent = [row for row in table.rows if row.deals and row.rank is None and row.bot not in capped]
    for row in absent:
        tell("\n".join(_absence_lines(row, contest, folder / "logs")))
    return any(row.house_deals == row.deals for row in absent)


def _absence_lines(row: "Standing", contest: "Contest", logs: Path) -> "Iterator[str]":
    """Yields why a bot has no rank, and the command that fails in the same way."""
    from bourre_referee.evaluation.played_mistakes import last_raised
    from bourre_referee.storage.run.start_failures import find_start_failure, read_last_log
    from bourre_referee.text.names import shorten

    bot, played = row.bot, row.deals - row.house_deals
    if why := find_start_failure(logs, bot):
        yield f"warning: {bot} never started{' in a room' if played else ''}: {why}"
    else:
        why = shorten(last_raised(read_last_log(logs, bot)), LONGEST_ERROR)
        share = f"{played} of its {row.deals} deals, and the stand-in the others" if played else "none of its deals"
        yield f"warning: {bot} played {share}: {why or f'see {logs}/{bot}/'}"
    if not why:
        return
    entrant = next(entrant for entrant in contest.entrants if entrant.name == bot)
    there = "" if contest.folder == Path.cwd() else f"cd {quote(str(contest.folder))} && "
    yield f"  to see it again: {there}{join(entrant.check_command)}"


def _tell_what_is_kept(place: "RunLocation", folder: Path, seconds: float | None) -> None:
    """Says where run and logs are, and which commands show them; `seconds` is None if nothing was left to play."""
    from bourre_referee.cli.progress_meter import duration

    finished = "" if seconds is None else f"Finished in {duration(seconds)}. "
    tell(f"{finished}Results: {place}. Output of the bots: {folder}/logs/. Now try:")
    run_folder = quote(str(place))
    steps = [*activation_lines(), f"bourre replay {run_folder} m0001 --deal 1", f"bourre standings {run_folder} --csv"]
    steps += [f"bourre view {run_folder}"] if find_spec("fastapi") else []
    tell("\n".join(f"  {step}" for step in steps))
