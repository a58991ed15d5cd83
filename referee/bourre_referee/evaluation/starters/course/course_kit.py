"""Creates the folders of a course: for each exercise a starter and a page for students, and a plan for staff."""

from __future__ import annotations

from pathlib import Path
from secrets import randbelow
from string import Template

from bourre_referee.evaluation.starters.starter import check_free

HERE = Path(__file__).parent
SEEDS = 2**63
"""A plan's seed is less."""


EXERCISES = {
    "1-legal-play": "legal_play",
    "2-counting": "counting",
    "3-sampling": "sampling",
    "4-opponents": "opponents",
}
"""By the name of its folders and of its assignment, the stem of each exercise's templates.

Each starter solves the exercise before in part.
"""


def make_course(folder: Path) -> None:
    """Creates this folder with all exercises, whose hidden deals nobody knows.

    Raises StarterError if it exists and is not empty.
    """
    check_free(folder, "bourre course new mycourse")
    for name, stem in EXERCISES.items():
        students, staff = folder / "students" / name, folder / "staff" / name
        for place in (students, staff):
            place.mkdir(parents=True)
        _write(students / "bot.py", starter_of(name).read_text("utf-8"))
        _write(students / "README.md", _template(stem, "md"))
        plan = Template(_template(stem, "toml"))
        _write(staff / "grade.toml", plan.substitute(name=name, seed=randbelow(SEEDS)))
    (folder / "staff").chmod(0o700)


def starter_of(exercise: str) -> Path:
    """Returns the file of this exercise's starter."""
    return HERE / f"{EXERCISES[exercise]}.py"


def _template(stem: str, suffix: str) -> str:
    return (HERE / f"{stem}.{suffix}").read_text("utf-8")


def _write(place: Path, text: str) -> None:
    place.write_text(text, encoding="utf-8")
