"""`bourre compare`: tells which of two bots is better, and stops as soon as that is clear."""

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from math import inf
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.example_folders import example_folders
from bourre_referee.cli.arguments import AsJson, Jobs, Preset, house_for_table, names
from bourre_referee.cli.exit_codes import INTERRUPTED, BadUsage, tell
from bourre_referee.model.errors import Interrupted

if TYPE_CHECKING:
    from bourre_referee.cli.progress import Stopwatch
    from bourre_referee.contest.contest import Contest
    from bourre_referee.evaluation.compare.comparison import Comparison

FIELD = ("tight", "counter", "loose", "follower", "pot_aware", "drawer", "lowest", "random")
"""The default opponents: the first of these that are not one of the two bots."""

Budget = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=1,
        help="The budget of deals, rounded up to whole rounds. Each deal is played in every seating.",
    ),
]
Field = Annotated[
    str | None,
    typer.Option(metavar="BOT,BOT", show_default="example bots", help="The other bots at the table: files or names."),
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
    typer.Option(metavar="DIR", show_default="nothing is kept", help="A run folder to keep, or to continue."),
]


def check_margin(margin: float | None) -> float | None:
    """Return the margin if it is positive and finite; raises BadUsage."""
    if margin is not None and not 0 < margin < inf:
        raise BadUsage(
            f"--margin {margin:g} is not a distance: give chips per 100 deals, more than 0, such as --margin 20"
        )
    return margin


Margin = Annotated[
    float | None,
    typer.Option(
        metavar="CHIPS",
        callback=check_margin,
        show_default="none",
        help="Also stop once they are surely closer than this many chips per 100 deals.",
    ),
]
InProcess = Annotated[
    bool,
    typer.Option(
        "--in-process", help="Play fast, in this process and without time limits; only for bots that you trust."
    ),
]


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A bot's file, or the name of an example bot.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other bot, likewise.")],
    deals: Budget = 1000,
    margin: Margin = None,
    field: Field = None,
    seats: Seats = None,
    seed: Seed = None,
    preset: Preset = "limit",
    out: Out = None,
    jobs: Jobs = None,
    in_process: InProcess = False,
    json: AsJson = False,
) -> None:
    """Find out which of two bots is better, and stop as soon as that is clear.

    Exit code 10: A is better; 11: B is better; 12: undecided within the budget; 13: closer than --margin. The verdict
    is wrong at most 5 times in 100.
    """
    from secrets import randbelow

    from bourre_referee.cli.comparison import exit_code, print_comparison
    from bourre_referee.cli.progress import Stopwatch
    from bourre_referee.evaluation.compare.comparison_contest import contest_of

    if in_process and (out or jobs):
        raise BadUsage("--in-process keeps nothing and runs one job: leave out --out and --jobs")
    paths = _paths(first, second, field, seats)
    bots = dict(zip(names(paths, gap="-"), paths, strict=True))
    seed = randbelow(2**31) if seed is None else seed
    contest = contest_of(_files(bots, in_process), seed, deals, house_for_table(preset, len(paths)), Path.cwd())
    stopwatch = Stopwatch()
    try:
        if in_process:
            found = _compare_in_process(contest, seed, bots, margin)
        else:
            found = _compare_by_processes(contest, out, jobs, stopwatch, margin)
    except (Interrupted, KeyboardInterrupt) as error:
        words = [first, second, "--deals", deals, "--field", ",".join(paths[2:]), "--preset", preset, "--seed", seed]
        closer = [] if margin is None else ["--margin", margin]
        again = join(map(str, ["bourre", "compare", *words, *closer, "--out", out or "DIR"]))
        tell("interrupted: nothing is kept" if in_process else f"{_so_far(error, out)}\n  {again}")
        raise typer.Exit(INTERRUPTED) from None
    print_comparison(found, contest, stopwatch.seconds, json=json)
    raise typer.Exit(exit_code(found.verdict))


def _so_far(error: Interrupted | KeyboardInterrupt, out: Path | None) -> str:
    """Say what is kept; the command that continues follows."""
    if out is None:
        return "interrupted: nothing is kept; this command plays the same comparison and keeps it:"
    return str(error) if isinstance(error, Interrupted) else "interrupted: finished matches are stored; run again:"


def _paths(first: str, second: str, field: str | None, seats: int | None) -> list[str]:
    """Return the files of A, B and the field; raises BotFileError or BadUsage."""
    from bourre.bot_file import find

    folders = tuple(example_folders())
    two = [find(word, (Path(word.partition(":")[0]).parent, *folders)) for word in (first, second)]
    if field is not None:
        others = [find(word.strip(), folders) for word in field.split(",") if word.strip()]
        if seats is not None and seats != 2 + len(others):
            raise BadUsage(f"--seats {seats} leaves {seats - 2} beside the two bots, but --field names {len(others)}")
        return [*two, *others]
    known = {Path(path).resolve() for path in two}
    others = [path for word in FIELD if Path(path := find(word, folders)).resolve() not in known]
    return [*two, *others[: (5 if seats is None else seats) - 2]]


def _files(bots: Mapping[str, str], in_process: bool) -> dict[str, Path]:
    """Return the file of each bot; raises BadUsage if a process cannot be started from it."""
    files = {}
    for name, path in bots.items():
        file, _, wanted = path.partition(":")
        if wanted and not in_process:
            raise BadUsage(f"{path}: a process runs a whole file; put each bot in its own, or use --in-process")
        if not Path(file).is_file():
            raise BadUsage(f"there is no file {file}")
        if Path(file).suffix not in ("", ".py"):
            raise BadUsage(
                f"{file} is not a Python file: let it play in a contest, whose file gives the command that starts it"
            )
        files[name] = Path(file).absolute()
    return files


def _compare_in_process(contest: "Contest", seed: int, bots: Mapping[str, str], margin: float | None) -> "Comparison":
    from bourre.bot_file import load
    from bourre_referee.evaluation.compare.comparison_contest import compare_in_process

    first, second, *_ = contest.names
    loaded = {name: load(path) for name, path in bots.items()}
    return compare_in_process(contest, seed, loaded, first, second, margin=margin)


def _compare_by_processes(
    contest: "Contest", out: Path | None, jobs: int | None, stopwatch: "Stopwatch", margin: float | None
) -> "Comparison":
    from rich.console import Console

    from bourre_referee.cli.watch import Watch
    from bourre_referee.evaluation.compare.comparison_contest import compare
    from bourre_referee.runner.interrupt import Stop

    first, second, *_ = contest.names
    with Stop() as stop, nullcontext(out) if out else TemporaryDirectory(prefix="bourre-compare-") as place:
        folder = Path(place)
        console = Console(stderr=True)
        with Watch(contest, out, console, stopwatch, progress=console.is_terminal and sys.stdout.isatty()) as watch:
            return compare(contest, folder, first, second, margin=margin, jobs=jobs, watch=watch, stop=stop)
