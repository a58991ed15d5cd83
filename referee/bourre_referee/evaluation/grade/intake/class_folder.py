"""Finds the submissions in the folder of a class, with the names and ids that course systems give to files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from bourre_referee.contest.main_file import describe_folder, is_litter
from bourre_referee.evaluation.grade.intake.bare_repository import is_bare_repository
from bourre_referee.evaluation.grade.intake.class_zip import ClassZip
from bourre_referee.evaluation.grade.intake.submissions import ARCHIVES, MAIN_FILES, PROGRAMS, Submission
from bourre_referee.model.errors import ContestError
from bourre_referee.text.names import printable

_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<part>file|onlinetext)_?(?P<file>.*)")
"""A folder, or a file of one without folders: `Ada Lovelace_1815_assignsubmission_file_bot.py`."""
_CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)")
"""A file: `lovelaceada_LATE_1815_7_bot-1.py`, where the 1 counts versions."""
_VERSION = re.compile(r"-\d+(?=\.[^.]+$|$)")
_GRADESCOPE = ("submission_metadata.yml", "submission_metadata.yaml")
_METADATA = re.compile(
    r"^(?P<folder>submission_\d+):|^  (?:- |  ):(?P<key>name|sid|email):[ ]*(?P<value>.*)$"
    r"|^  :created_at: (?P<date>\d{4}-\d\d-\d\d) (?P<time>\d\d:\d\d:\d\d)\S* (?P<zone>Z|[+-]\d\d:\d\d)[ \r]*$",
    re.MULTILINE,
)
_LARGEST_METADATA = 2**22


@dataclass(frozen=True, slots=True)
class ClassFolder:
    """What was handed in."""

    submissions: tuple[Submission, ...]
    skipped: tuple[str, ...]
    """The names of files that are no submission."""


def find_submissions(paths: Sequence[Path], place: Path) -> ClassFolder:
    """Finds the submissions in files, folders of one bot, and folders or zips with a folder or file for each student.

    The zip of a class is unpacked in `place`, which must last as long as its submissions. Raises ContestError for a
    missing path, a folder without a submission, and two students of the same name.
    """
    try:
        found = [_find(path, place / str(number)) for number, path in enumerate(paths)]
    except OSError as error:
        raise ContestError(f"Cannot read {error.filename} ({error.strerror}).\nhint: set its permissions") from error
    submissions = _tell_apart([one for folder in found for one in folder.submissions])
    return ClassFolder(submissions, tuple(name for folder in found for name in folder.skipped))


def single_submission(path: Path) -> Submission:
    """Returns the one submission at this path.

    Raises ContestError for a missing path. An empty folder is a submission without files.
    """
    _check_there(path)
    return Submission("submission", path)


def _check_there(path: Path) -> None:
    if not path.exists():
        raise ContestError(f"Cannot find {path}.\nhint: pass submissions, or a folder of them")


def _tell_apart(submissions: Sequence[Submission]) -> tuple[Submission, ...]:
    """Adds the id to the names of students who share one. Raises ContestError if that does not tell them apart."""
    times = Counter(one.student for one in submissions)
    named = [
        replace(one, student=f"{one.student} {one.id}".rstrip()) if times[one.student] > 1 else one
        for one in submissions
    ]
    for student, number in Counter(one.student for one in named).items():
        if number > 1:
            raise ContestError(f"Two submissions are called {student!r}.\nhint: rename one of them")
    return tuple(named)


def _find(path: Path, place: Path) -> ClassFolder:
    _check_there(path)
    if path.is_file():
        if path.suffix.lower() == ".zip" and _is_of_class(packed := ClassZip.open(path)):
            refused = tuple(packed.unpack(place))
            found = _find(place / packed.top, place)
            return ClassFolder(found.submissions, (*found.skipped, *refused))
        is_main_file = path.name.casefold() in MAIN_FILES
        name = path.resolve().parent.name if is_main_file else path.stem
        return ClassFolder((_named(name, path),), ())
    if is_bare_repository(path) or any(
        file.name.casefold() in MAIN_FILES and file.is_file() for file in path.iterdir()
    ):
        return ClassFolder((_named(_folder_name(path.resolve()), path),), ())
    inner = [one for one in sorted(path.iterdir()) if not (one.name.startswith(".") or is_litter(Path(one.name)))]
    found = _gradescope(path, inner) or _exported(inner) or _plain(inner)
    if not found.submissions:
        why = f"it has no bot.py, and no student's folder or file ({describe_folder(path)})"
        raise ContestError(f"{path}: {why}.\nhint: pass submissions, or a folder of them")
    return found


def _is_of_class(packed: ClassZip) -> bool:
    """Whether a zip has several students' bots, or the names that course systems give."""
    is_named = any(name in _GRADESCOPE or _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name) for name in packed.names)
    return not packed.is_one_bot() and (is_named or packed.has_several_bots())


def _named(
    name: str,
    path: Path,
    ident: str = "",
    files: Sequence[tuple[Path, str]] = (),
    handed_in: datetime | None = None,
) -> Submission:
    return Submission(printable(name), path, printable(ident), tuple(files), handed_in)


def _plain(inner: Sequence[Path]) -> ClassFolder:
    """Takes each folder, bot and archive. The folders of repositories lose what they share, `week-3-`."""
    taken = [one for one in inner if one.is_dir() or one.suffix.lower() in {*PROGRAMS, *ARCHIVES}]
    shared = _shared_beginning([one.name for one in taken if (one / ".git").exists() or is_bare_repository(one)])
    return ClassFolder(
        tuple(_named(_folder_name(one).removeprefix(shared) if one.is_dir() else one.stem, one) for one in taken),
        tuple(printable(one.name) for one in inner if one not in taken),
    )


def _folder_name(folder: Path) -> str:
    return folder.name.removesuffix(".git") if is_bare_repository(folder) else folder.name


def _shared_beginning(names: Sequence[str]) -> str:
    """Returns the longest beginning up to a hyphen that several names share."""
    first, *others = names or [""]
    beginnings = (first[: at + 1] for at, letter in enumerate(first) if letter == "-")
    return max((one for one in beginnings if others and all(name.startswith(one) for name in others)), default="")


def _exported(inner: Sequence[Path]) -> ClassFolder | None:
    """Takes the files and folders that Moodle or Canvas named, and what lies beside them. None if there is none."""
    students: dict[tuple[str, str], list[tuple[Path, str]]] = {}
    texts: dict[tuple[str, str], Path] = {}
    others = []
    for one in inner:
        found = _MOODLE.fullmatch(one.name) or (_CANVAS.fullmatch(one.name) if one.is_file() else None)
        if found is None:
            others.append(one)
        elif found.groupdict().get("part") == "onlinetext":
            texts[found["name"], found["id"]] = one
        else:
            file = found["file"].lstrip(".") or one.name  # never the folder above
            file = file if found.re is _MOODLE else _VERSION.sub("", file)
            students.setdefault((found["name"], found["id"]), []).append((one, file))
    for student, text in texts.items():
        students.setdefault(student, [(text, text.name)])
    if not students:
        return None
    exported = tuple(_of_files(name, ident, files) for (name, ident), files in sorted(students.items()))
    plain = _plain(others)
    return ClassFolder(exported + plain.submissions, plain.skipped)


def _of_files(name: str, ident: str, files: Sequence[tuple[Path, str]]) -> Submission:
    """Makes one submission of the files of a student, or of the only folder or archive."""
    whole = [path for path, _ in files if path.is_dir() or path.suffix.lower() in ARCHIVES]
    if len(files) == 1 or len(whole) == 1:
        return _named(name, (whole or [files[0][0]])[0], ident)
    return _named(name, files[0][0].parent, ident, files)


def _gradescope(folder: Path, inner: Sequence[Path]) -> ClassFolder | None:
    """Takes the folders that Gradescope's list names. None without the list."""
    lists = [folder / name for name in _GRADESCOPE if (folder / name).is_file()]
    if not lists:
        return None
    with lists[0].open("rb") as file:
        text = file.read(_LARGEST_METADATA).decode("utf-8", "replace")
    people = dict(_people(_METADATA.finditer(text)))
    taken = {one: people.get(one.name, {}) for one in inner if one.is_dir()}
    return ClassFolder(
        tuple(
            _named(
                " and ".join(told.get("name", ())) or one.name,
                one,
                ",".join(told.get("sid") or told.get("email") or ()),
                handed_in=_moment(told.get("created_at", ())),
            )
            for one, told in taken.items()
        ),
        tuple(printable(one.name) for one in inner if one not in (*taken, *lists)),
    )


def _people(found: Iterable[re.Match[str]]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yields each folder with the names, ids and addresses of those who handed it in."""
    told: dict[str, list[str]] = {}
    for one in found:
        if one["folder"]:
            told = {}
            yield one["folder"], told
        elif one["date"]:
            told.setdefault("created_at", [f"{one['date']}T{one['time']}{one['zone']}"])
        elif value := one["value"].strip(" \r'\""):
            told.setdefault(one["key"], []).append(value)


def _moment(told: Sequence[str]) -> datetime | None:
    """Returns the time at which Gradescope received it; None if it is not a time."""
    try:
        return datetime.fromisoformat(told[0]) if told else None
    except ValueError:
        return None
