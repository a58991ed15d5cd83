"""`bourre grade`: marks submissions against staff bots, on fixed deals, by the thresholds of a plan file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.example_folders import example_folders
from bourre_referee.cli.arguments import check_place
from bourre_referee.cli.exit_codes import FAILURE, INTERRUPTED, BadUsage, tell
from bourre_referee.model.errors import Interrupted

if TYPE_CHECKING:
    from bourre_referee.evaluation.grade.feedback import Graded
    from bourre_referee.evaluation.grade.grading_plan import Plan
    from bourre_referee.evaluation.grade.submissions import Submission
    from bourre_referee.runner.progress import Progress

Submissions = Annotated[
    list[Path] | None,
    typer.Argument(metavar="BOT...", help="Submissions: files, folders with a bot.py, folders of such folders."),
]
Jobs = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, show_default="one per core", help="Rooms played at once; marks do not change."),
]


def grade(
    bots: Submissions = None,
    plan: Annotated[Path, typer.Option(metavar="FILE", help="The plan file of the assignment.")] = Path("grade.toml"),
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            show_default="grades/<assignment>",
            help="Where all of it is kept; an earlier call's feedback stays.",
        ),
    ] = None,
    jobs: Jobs = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Mark one submission, and write Gradescope's results.json here.")
    ] = None,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Mark the staff bots themselves, on this seed and others.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="With --calibrate: how many other seeds.")
    ] = 8,
    allow_unboxed: Annotated[
        bool,
        typer.Option(
            "--allow-unboxed",
            help="Where this machine can make no box, play submissions without one: they can then read seed and marks.",
        ),
    ] = False,
) -> None:
    """Mark submissions against staff bots, the same way on every rerun.

    The marks go to stdout, and on sheets that hold this call's submissions alone: mark all of a class in one call. A
    submission that does not work gets its mark like any other; exit code 1 means that one has none, because this
    machine failed.
    """
    from bourre_referee.evaluation.grade.plan_file import load
    from bourre_referee.evaluation.grade.submissions import alone, found

    known = load(plan, [folder.resolve() for folder in example_folders()])
    if calibrate:
        if bots or results:
            raise BadUsage("--calibrate marks the staff bots alone: leave out submissions and --results")
        _calibrate(known, seeds)
    elif not bots:
        raise BadUsage("there is nothing to mark: give submissions, or a folder of them")
    elif results and len(bots) > 1:
        raise BadUsage("--results is for one submission: give one file or folder")
    else:
        if results:
            check_place("--results", results)
        submissions = [alone(bots[0])] if results else found(bots)
        _grade(_settled(known, allow_unboxed), plan, submissions, out or Path("grades") / known.name, jobs, results)


def _settled(plan: "Plan", allow_unboxed: bool) -> "Plan":
    """The plan at the level of isolation that it gets here, which is told where it is none."""
    from bourre_referee.evaluation.grade.grade_class import UNBOXED, settled

    plan = settled(plan, allow_unboxed)
    if plan.isolation.level == "none":
        tell(UNBOXED)
    return plan


def _grade(
    plan: "Plan", file: Path, submissions: Sequence["Submission"], out: Path, jobs: int | None, results: Path | None
) -> None:
    from bourre_referee.evaluation.grade.class_outputs import Outputs
    from bourre_referee.evaluation.grade.grade_class import grade
    from bourre_referee.evaluation.grade.gradescope import results_json
    from bourre_referee.evaluation.grade.grading_contests import player
    from bourre_referee.evaluation.grade.mark_sheets import salt_of
    from bourre_referee.storage import atomic

    outputs = Outputs(out.absolute())
    outputs.make()
    marked: list[Graded] = []
    try:
        salt = None if results else salt_of(file.with_suffix(".salt"))
        for graded in grade(plan, submissions, outputs.runs, salt, player(plan.minutes, jobs, _hear)):
            outputs.keep_one(plan, graded)
            _print(graded)
            marked.append(graded)
    except (Interrupted, KeyboardInterrupt):
        tell("interrupted: the same command goes on from there")
        raise typer.Exit(INTERRUPTED) from None
    outputs.keep_all(plan, marked)
    if results:
        atomic.write(results, results_json(plan, marked[0]))
    tell(f"for students: {outputs.students}/ and leaderboard.csv; for staff alone: {outputs.staff}/")
    if any(graded.mark is None for graded in marked):
        raise typer.Exit(FAILURE)


def _hear(progress: "Progress") -> None:
    """What went wrong with the host is told at once."""
    if progress.room_failed:
        tell("\n".join(progress.notices))


def _print(graded: "Graded") -> None:
    from bourre_referee.text.names import printable

    name = printable(graded.student)
    if graded.mark is None:
        print(f"     not marked  {name}")
        tell(f"{name}: {printable(graded.failure)}")
        return
    remark = f"  {printable(graded.trouble)}" if graded.trouble else ""
    print(f"{graded.mark.points:>7g} of {graded.mark.max_points:<5g}{name}{remark}", flush=True)


def _calibrate(plan: "Plan", seeds: int) -> None:
    from bourre_referee.evaluation.grade.calibration import calibrated, calibration_lines

    for line in calibration_lines(plan, calibrated(plan, seeds)):
        print(line)
