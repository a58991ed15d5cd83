"""`bourre grade`: marks submissions against staff bots, on fixed deals, by the thresholds in a plan file."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from bourre.bot_code.example_folders import example_folders
from bourre_referee.cli.arguments import Jobs, check_writable
from bourre_referee.cli.executors import Cluster, ExecutorOptions
from bourre_referee.cli.exit_codes import FAILURE, INTERRUPTED, BadUsage, tell
from bourre_referee.model.errors import Interrupted

if TYPE_CHECKING:
    from bourre_referee.evaluation.grade.grade_book import GradeBook
    from bourre_referee.evaluation.grade.grades_folder import Outputs
    from bourre_referee.evaluation.grade.intake.class_folder import ClassFolder
    from bourre_referee.evaluation.grade.intake.submissions import Submission
    from bourre_referee.evaluation.grade.marks.grading_result import GradingResult
    from bourre_referee.evaluation.grade.plan.grading_plan import Plan
    from bourre_referee.runner.progress import Progress

Submissions = Annotated[
    list[Path] | None,
    typer.Argument(metavar="BOT...", help="Submissions: files, folders with a bot.py, folders or zips of these."),
]
PlanFile = Annotated[Path, typer.Option(metavar="FILE", help="The plan file of the assignment.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        show_default="grades/ASSIGNMENT",
        help="The folder for everything. Marks of earlier calls stay.",
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
HandedInAt = Annotated[
    str | None,
    typer.Option(
        "--handed-in", metavar="TIME", help="When these submissions were handed in, such as 2026-11-20T18:00."
    ),
]
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
    handed_in: HandedInAt = None,
    allow_unboxed: AllowUnboxed = False,
) -> None:
    """Grade a class.

    Submissions play against reference bots, and every rerun gives the same marks, on stdout and in CSV files.
    The files hold every student of the assignment, and another call changes only its own. A submission that does not
    work also gets a mark. Exit code 1: a submission has no mark, because this machine failed, or files were skipped.
    """
    from bourre_referee.evaluation.grade.grade_class import settle_isolation
    from bourre_referee.evaluation.grade.intake.class_folder import ClassFolder, find_submissions, single_submission
    from bourre_referee.evaluation.grade.plan.grading_plan import load
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
        moment = _moment(handed_in) if handed_in else None
        place = out or Path("grades") / known.name
        with TemporaryDirectory(prefix="bourre-") as unzipped:
            one = ClassFolder((single_submission(bots[0]),), ()) if results else None
            found = one or find_submissions(bots, Path(unzipped))
            _grade(settle_isolation(known, tell, allow_unboxed), plan, found, place, execution, results, moment)


def _moment(text: str) -> datetime:
    """Reads a time that staff wrote, by default in this machine's zone."""
    try:
        moment = datetime.fromisoformat(text).astimezone().replace(microsecond=0)
    except (OverflowError, ValueError):
        moment = None
    if moment is None or ":" not in text:
        raise BadUsage(f"--handed-in {text!r} is not a date and a time.\nhint: --handed-in 2026-11-20T18:00")
    if moment > datetime.now(UTC) + timedelta(days=1):
        raise BadUsage(f"--handed-in {text!r} is in the future.\nhint: correct the time")
    return moment


def _grade(
    plan: "Plan",
    file: Path,
    found: "ClassFolder",
    out: Path,
    execution: ExecutorOptions,
    results: Path | None,
    handed_in: datetime | None,
) -> None:
    from bourre_referee.evaluation.grade.grade_book import GradeBook
    from bourre_referee.evaluation.grade.grades_folder import Outputs
    from bourre_referee.evaluation.grade.sheets.gradescope import results_json
    from bourre_referee.evaluation.grade.sheets.leaderboard import read_salt
    from bourre_referee.storage.files import atomic

    outputs = Outputs(out.absolute())
    outputs.make()
    skipped = ", ".join(found.skipped)
    if skipped:
        tell(f"Skipped, because no submission is called so: {skipped}\nhint: remove them, or rename a student's file")
    zone = plan.term.deadline.tzinfo if plan.term.deadline else None
    if results and plan.term.versions_a_day:
        tell("warning: versions_a_day limits nothing with --results, because each call marks an unnamed submission")
    salt = None if results else read_salt(file.with_suffix(".salt"))
    book = GradeBook(outputs.marks(plan), salt, datetime.now(UTC).astimezone(zone).replace(microsecond=0), handed_in)
    marked: list[GradingResult] = []
    try:
        for graded in _marks(plan, book, book.named(found.submissions), outputs, execution):
            _print(graded)
            marked.append(graded)
    except (Interrupted, KeyboardInterrupt):
        if marked:
            book.publish(outputs)
        tell("Interrupted. The same command continues.")
        raise typer.Exit(INTERRUPTED) from None
    _write_sheets(plan, book, outputs)
    if results:
        atomic.write(results, results_json(plan, marked[0]))
    tell(f"For students: {outputs.students}/ and leaderboard.csv\nFor staff only: {outputs.staff}/")
    if skipped:
        tell(f"Skipped: {skipped}")
    if skipped or any(graded.failure for graded in marked):
        raise typer.Exit(FAILURE)


def _marks(
    plan: "Plan",
    book: "GradeBook",
    submissions: Sequence["Submission"],
    outputs: "Outputs",
    execution: ExecutorOptions,
) -> Iterator["GradingResult"]:
    """Yields each result when it is in the record, and its feedback written."""
    from bourre_referee.evaluation.grade.grade_class import grade
    from bourre_referee.evaluation.grade.marks.contest_player import Player

    together, each = execution.shared_by(len(submissions))
    with each.make() as executor:
        play = Player(plan.minutes * min(together, plan.seats), executor, _hear)
        for submission, graded in grade(plan, submissions, outputs.runs, book.salt, play, book.refusal, together):
            entered = book.enter(submission, graded)
            outputs.write_one(plan, entered)
            yield entered


def _write_sheets(plan: "Plan", book: "GradeBook", outputs: "Outputs") -> None:
    """Writes the sheets of the whole class, and tells staff what needs their attention."""
    from bourre_referee.evaluation.copies.identical_play import copies_in_class, copies_report, copies_summary
    from bourre_referee.evaluation.grade.plan.grading_plan import SUBMISSION
    from bourre_referee.evaluation.grade.sheets.class_summary import headline, late_by_first_sight, unknown_students
    from bourre_referee.text.names import printable

    marks = book.publish(outputs)
    hidden = outputs.hidden_runs(marks)
    alike = copies_in_class(hidden, SUBMISSION)
    report = outputs.write_copies(copies_report(alike, len(hidden)))
    if summary := copies_summary(alike, str(report)):
        tell(summary)
    if unknown := unknown_students(plan, marks):
        tell(f"warning: nobody in [term.extra_days] is called {', '.join(map(printable, unknown))}")
    if late := late_by_first_sight(marks):
        seen = f"{len(late)} late by the time when grade first saw the version"
        tell(f"warning: {seen}.\nhint: if it was handed in before, mark it again with --handed-in TIME")
    tell(f"{headline(plan, marks)}: {outputs.staff / 'summary.txt'}")


def _hear(progress: "Progress") -> None:
    """Reports failures of this machine at once."""
    if progress.room_failed:
        tell("\n".join(progress.notices))


def _print(graded: "GradingResult") -> None:
    from bourre_referee.text.names import printable

    name = printable(graded.student)
    if graded.waiting:
        print(f"          waits  {name}  {printable(graded.waiting)}")
        return
    if graded.mark is None:
        print(f"     not marked  {name}")
        tell(f"{name}: {printable(graded.failure)}")
        return
    late = f"{graded.less:g} less, late" if graded.less else ""
    warned = next(iter(graded.warnings), "")
    remark = "".join(f"  {text}" for text in (printable(graded.trouble) or warned, late) if text)
    print(f"{graded.points:>7g} of {graded.mark.max_points:<5g}{name}{remark}", flush=True)


def _calibrate(plan: "Plan", seeds: int) -> None:
    from bourre_referee.evaluation.grade.calibration import calibrate, calibration_lines

    for line in calibration_lines(plan, calibrate(plan, seeds)):
        print(line)
