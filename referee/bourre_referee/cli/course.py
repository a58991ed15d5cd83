"""`bourre course`: four exercises for a class, ready to hand out and to grade."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from bourre_referee.cli.command_group import Command, CourseGroup
from bourre_referee.cli.exit_codes import BadUsage, activation_lines, tell

app = typer.Typer(cls=CourseGroup, help="Teach with four exercises that build on each other.")


@app.command(cls=Command)
def new(
    path: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder, such as mycourse.")],
) -> None:
    """Create a course: legal play, counting, sampling, opponents.

    In FOLDER/students, each exercise has a page and a bot to edit: hand these out. In FOLDER/staff, each has a plan
    for `bourre grade`, with a secret seed and tried thresholds.
    """
    from bourre_referee.evaluation.starters.course.course_kit import EXERCISES, make_course
    from bourre_referee.evaluation.starters.starter import StarterError

    try:
        make_course(path)
    except StarterError as error:
        raise BadUsage(str(error)) from error
    first = next(iter(EXERCISES))
    tell(f"Created {path}. Hand out {path / 'students' / first}. Keep {path / 'staff'} secret. Then:")
    plan = quote(str(Path(path, "staff", first, "grade.toml")))
    steps = [*activation_lines(), f"bourre grade submissions --plan {plan}"]
    tell("\n".join(f"  {step}" for step in steps))


@app.callback()
def course() -> None:
    """Keep `new` a word of its own: a group with a single command would be that command."""
