"""The submissions to be marked: found where they were put, and copied to where they are played."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.errors import ContestError
from bourre_referee.text.names import printable

PROGRAMS = {"bot.py": "python", "bot.js": "node"}
"""What a submission's main file is called, and what runs it; a file `command` says otherwise."""

COMMAND = "command"
MAX_FILES = 2000
MAX_BYTES = 64 * 1024 * 1024
MAX_COMMAND = 4096
LEFT_OUT = {"__pycache__", ".git", ".venv"}


class BadSubmission(Exception):
    """What is wrong with a submission that cannot be started, in words for the student."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student handed in."""

    student: str
    """The name of the file or folder, fit to be printed."""
    path: Path
    """A file that is a bot, or a folder."""


def found(paths: Sequence[Path]) -> list[Submission]:
    """The submissions of these paths: files, folders of one bot, folders with a folder or file for each student.

    ContestError for a path that is not there, for a folder without a submission, and for two students of one name.
    """
    try:
        submissions = [submission for path in paths for submission in _found(path)]
    except OSError as error:
        raise ContestError(
            f"{error.filename}: cannot be read ({error.strerror}): let its owner open it to you"
        ) from error
    names: set[str] = set()
    for submission in submissions:
        if submission.student in names:
            raise ContestError(f"two submissions are called {submission.student!r}: give each a name of its own")
        names.add(submission.student)
    return submissions


def alone(path: Path) -> Submission:
    """The one submission of this path; a folder in it is it, where the bot lies one folder deeper.

    ContestError for a path that is not there; who handed in nothing has an empty folder.
    """
    _check_there(path)
    if path.is_dir() and not _is_bot(path):
        deeper = [inner for inner in sorted(path.iterdir()) if inner.is_dir() and _is_bot(inner)]
        if len(deeper) == 1:
            return Submission("submission", deeper[0])
    return Submission("submission", path)


def _check_there(path: Path) -> None:
    if not path.exists():
        raise ContestError(f"{path}: there is no such file or folder; give submissions, or a folder of them")


def _found(path: Path) -> Iterator[Submission]:
    _check_there(path)
    if path.is_file():
        same = path.name in PROGRAMS
        yield Submission(printable(path.resolve().parent.name if same else path.stem), path)
    elif _is_bot(path):
        yield Submission(printable(path.resolve().name), path)
    else:
        inner = [one for one in sorted(path.iterdir()) if not one.name.startswith(".") and one.name not in LEFT_OUT]
        handed_in = [one for one in inner if one.is_dir() or one.suffix in (".py", ".js")]
        if not handed_in:
            why = f"there is no bot.py in it, and no student's folder or file ({_held(path)})"
            raise ContestError(f"{path}: {why}; give submissions, or a folder of them")
        for one in handed_in:
            yield Submission(printable(one.name if one.is_dir() else one.stem), one)


def _is_bot(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (*PROGRAMS, COMMAND))


def staged(submission: Submission, place: Path) -> tuple[str, ...]:
    """Copies it to `place`, which is replaced; returns the command that starts it from the folder above.

    No link is followed and nothing but plain files comes along. Raises BadSubmission.
    """
    if place.exists():
        shutil.rmtree(place)
    place.mkdir(parents=True)
    if submission.path.is_symlink():
        raise BadSubmission("it is a link: hand in the file or folder itself")
    if submission.path.is_file():
        name = "bot.js" if submission.path.suffix == ".js" else "bot.py"
        _copy([(submission.path, name)], place)
    else:
        _copy(list(_files(submission.path)), place)
    return _command(place)


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Its plain files, with their paths from there."""
    for at, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        for name in sorted(names):
            file = Path(at, name)
            if file.is_file() and not file.is_symlink():
                yield file, str(file.relative_to(folder))


def _copy(files: Sequence[tuple[Path, str]], place: Path) -> None:
    try:
        if len(files) > MAX_FILES or sum(file.stat().st_size for file, _ in files) > MAX_BYTES:
            raise BadSubmission(f"it is too large: hand in at most {MAX_FILES} files of {MAX_BYTES >> 20} MiB in all")
        for file, name in files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place / name)
            # Who plays in a box may be another user.
            (place / name).chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)
    except OSError as error:
        raise BadSubmission(f"its files cannot be read ({error.strerror})") from error


def _command(place: Path) -> tuple[str, ...]:
    written = place / COMMAND
    if written.is_file():
        return _written(written, place)
    for name, program in PROGRAMS.items():
        if (place / name).is_file():
            return program, f"{place.name}/{name}"
    mend = "call your bot's file bot.py, or bot.js, at the top level"
    raise BadSubmission(f"there is no bot.py in it ({_held(place)}): {mend}")


def _held(folder: Path) -> str:
    there = sorted(path.name for path in folder.iterdir())
    return f"it holds {', '.join(there[:5])}" if there else "it is empty"


def _written(file: Path, place: Path) -> tuple[str, ...]:
    """The words of a file `command`; those that name a file of the submission are its path from the folder above."""
    try:
        text = file.read_bytes()[:MAX_COMMAND].decode()
        words = shlex.split(text, comments=True)
    except ValueError as error:
        raise BadSubmission(f"its file `command` cannot be read as a command: {error}") from error
    if not words or "\0" in text:
        raise BadSubmission("its file `command` holds no command: write one, as in: python bot.py")
    return tuple(f"{place.name}/{word}" if _names_file(word, place) else word for word in words)


def _names_file(word: str, place: Path) -> bool:
    try:
        return bool(word) and (place / word).is_file() and (place / word).resolve().is_relative_to(place.resolve())
    except OSError:  # a word too long to be a path
        return False
