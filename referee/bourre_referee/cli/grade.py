"""`bourre grade`: marks submissions against staff bots, on fixed deals, by the thresholds in a plan file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import Jobs, check_writable
from bourre_referee.cli.executors import Cluster, ExecutorOptions
from bourre_referee.cli.exit_codes import FAILURE, INTERRUPTED, BadUsage, tell
from bourre_referee.model.errors import Interrupted

if TYPE_CHECKING:
    from bourre_referee.evaluation.grade.class_folder import ClassFolder
    from bourre_referee.evaluation.grade.feedback import GradingResult
    from bourre_referee.evaluation.grade.grading_plan import Plan
    from bourre_referee.evaluation.grade.mark_sheets import Outputs
    from bourre_referee.runner.progress import Progress

Submissions = Annotated[
    list[Path] | None,
    typer.Argument(metavar="BOT...", help="Submissions: files, folders with a bot.py, folders of such folders."),
]
PlanFile = Annotated[Path, typer.Option(metavar="FILE", help="The plan file of the assignment.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        show_default="grades/ASSIGNMENT",
        help="The folder for everything. Feedback of earlier calls stays.",
    ),
]
Results = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Mark one submission, and write Gradescope's results.json to this file."),
]
Calibrate = Annotated[
    bool, typer.Option("--calibrate", help="Mark the reference bots themselves, on this seed and on others.")
]
Seeds = Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="With --calibrate: how many other seeds.")]
AllowUnboxed = Annotated[
    bool,
    typer.Option(
        "--allow-unboxed",
        help="Play submissions without isolation if there is none. They can then read the seed and the marks.",
    ),
]


def grade(
    bots: Submissions = None,
    plan: PlanFile = Path("grade.toml"),
    out: Out = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    results: Results = None,
    calibrate: Calibrate = False,
    seeds: Seeds = 8,
    allow_unboxed: AllowUnboxed = False,
) -> None:
    """Grade a class.

    Submissions play against reference bots, and every rerun gives the same marks, on stdout and in CSV files.
    The files hold only the submissions of this call, so mark a whole class in one call. A submission that does not work
    also gets a mark. Exit code 1: a submission has no mark, because this machine failed, or files were skipped.
    """
    from bourre_referee.evaluation.grade.class_folder import ClassFolder, find_submissions, single_submission
    from bourre_referee.evaluation.grade.grade_class import settle_isolation
    from bourre_referee.evaluation.grade.grading_plan import load
    from bourre_referee.model.lab import open_lab

    execution = ExecutorOptions(cluster, jobs)
    known = load(plan, [folder.resolve() for folder in example_folders()])
    if known.review:
        open_lab()  # needs an extra: better to hear of it before all the play
    if calibrate:
        if bots or results:
            raise BadUsage("--calibrate marks only the reference bots.\nhint: remove the submissions and --results")
        _calibrate(known, seeds)
    elif not bots:
        raise BadUsage("Which submissions?\nhint: bourre grade submissions --plan grade.toml")
    elif results and len(bots) > 1:
        raise BadUsage("--results is for one submission.\nhint: pass one file or folder")
    else:
        if results:
            check_writable("--results", results)
        found = ClassFolder((single_submission(bots[0]),), ()) if results else find_submissions(bots)
        place = out or Path("grades") / known.name
        _grade(settle_isolation(known, tell, allow_unboxed), plan, found, place, execution, results)


def _grade(
    plan: "Plan",
    file: Path,
    found: "ClassFolder",
    out: Path,
    execution: ExecutorOptions,
    results: Path | None,
) -> None:
    from bourre_referee.evaluation.grade.grade_class import grade, make_player
    from bourre_referee.evaluation.grade.mark_sheets import Outputs, read_salt, results_json
    from bourre_referee.storage.files import atomic

    outputs = Outputs(out.absolute())
    outputs.make()
    marked: list[GradingResult] = []
    skipped = ", ".join(found.skipped)
    if skipped:
        tell(f"Skipped, because no submission is called so: {skipped}\nhint: remove them, or rename a student's file")
    try:
        salt = None if results else read_salt(file.with_suffix(".salt"))
        with execution.make() as executor:
            for graded in grade(
                plan, found.submissions, outputs.runs, salt, make_player(plan.minutes, executor, _hear)
            ):
                outputs.write_one(plan, graded)
                _print(graded)
                marked.append(graded)
    except (Interrupted, KeyboardInterrupt):
        tell("Interrupted. The same command continues.")
        raise typer.Exit(INTERRUPTED) from None
    outputs.write_all(plan, marked)
    _compare(outputs, marked)
    if results:
        atomic.write(results, results_json(plan, marked[0]))
    tell(f"For students: {outputs.students}/ and leaderboard.csv\nFor staff only: {outputs.staff}/")
    if skipped:
        tell(f"Skipped: {skipped}")
    if skipped or any(graded.mark is None for graded in marked):
        raise typer.Exit(FAILURE)


def _compare(outputs: "Outputs", marked: Sequence["GradingResult"]) -> None:
    """Tells staff which submissions decide alike."""
    from bourre_referee.evaluation.copies.identical_play import copies_in_class, copies_report, copies_summary

    alike = copies_in_class(marked)
    compared = sum(one.hidden is not None for one in marked)
    file = outputs.write_copies(copies_report(alike, compared))
    if summary := copies_summary(alike, str(file)):
        tell(summary)


def _hear(progress: "Progress") -> None:
    """Reports failures of this machine at once."""
    if progress.room_failed:
        tell("\n".join(progress.notices))


def _print(graded: "GradingResult") -> None:
    from bourre_referee.text.names import printable

    name = printable(graded.student)
    if graded.mark is None:
        print(f"     not marked  {name}")
        tell(f"{name}: {printable(graded.failure)}")
        return
    remark = f"  {printable(graded.trouble)}" if graded.trouble else ""
    print(f"{graded.mark.points:>7g} of {graded.mark.max_points:<5g}{name}{remark}", flush=True)


def _calibrate(plan: "Plan", seeds: int) -> None:
    from bourre_referee.evaluation.grade.calibration import calibrate, calibration_lines

    for line in calibration_lines(plan, calibrate(plan, seeds)):
        print(line)
