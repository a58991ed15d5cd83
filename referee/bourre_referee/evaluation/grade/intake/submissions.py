"""Copies a submission to its place of play, and finds the command that starts it."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from bourre_referee.contest.bot_command import is_file, problem_with_strangers
from bourre_referee.contest.main_file import is_litter, settle_main_file
from bourre_referee.evaluation.grade.intake.bare_repository import is_bare_repository, unpack_repository
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import DEEPEST, LARGEST_BOT, in_words
from bourre_referee.storage.run.bot_zip import read_zip, unpack_bot

PROGRAMS = {".py": "python", ".js": "node"}
"""The program for a submission's main file, by its suffix. A file `command` overrides this."""
ARCHIVES = {".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".rar", ".7z"}
"""Suffixes of files that students submit instead of a folder. Zips are unpacked, and the others are refused by name."""

COMMAND = "command"
MAIN_FILES = (COMMAND, *(f"bot{suffix}" for suffix in PROGRAMS))
MAX_FILES = 2000
MAX_COMMAND = 4096


class BadSubmission(Exception):
    """The submission cannot be started. The message is for the student."""


@dataclass(frozen=True, slots=True)
class Submission:
    """The file or folder of one student."""

    student: str
    """The printable name of the file or folder."""
    path: Path
    """A bot file, an archive or a folder."""
    id: str = ""
    """The student's id in the course system, printable. Empty if unknown."""
    files: tuple[tuple[Path, str], ...] = ()
    """Its files in `path`, each with its own name, if others lie there too."""
    handed_in: datetime | None = None
    """When it was handed in, as the course system recorded it."""


def copy_submission(submission: Submission, place: Path, launchers: Sequence[str]) -> tuple[str, ...]:
    """Copies a submission to `place`, which is replaced, and returns the command that starts it from the folder above.

    Copies only plain files and follows no link. `launchers` are the only programs of this machine with which the
    command may begin. Raises BadSubmission, and OSError if this machine cannot read or write, such as on a full disk.
    """
    if place.exists():
        shutil.rmtree(place)
    place.mkdir(parents=True)
    words = _command(place, _place_files(submission, place))
    if problem := problem_with_strangers(words, place, launchers):
        raise BadSubmission(f"its command cannot be started: {problem}")
    program, *arguments = words
    own = program if program in launchers else _from_above(program, place)
    return (own, *(_from_above(word, place) for word in arguments))


def _place_files(submission: Submission, place: Path) -> str:
    """Copies a submission to an empty folder, and returns its main file, which may be `command`."""
    path = submission.path
    if any(one.is_symlink() for one in (path, *(file for file, _ in submission.files))):
        raise BadSubmission("it is a link.\nhint: hand in the file or folder itself")
    suffix = path.suffix.lower()
    if path.is_file() and suffix not in {"", *PROGRAMS, *ARCHIVES}:
        raise BadSubmission(f"a {suffix} file cannot be a bot.\nhint: hand in bot.py, or a zip with it")
    if path.is_file() and suffix not in ARCHIVES:
        name = "bot.js" if suffix == ".js" else "bot.py"
        _copy([(path, name)], place)
        return name
    if path.is_file():
        path.open("rb").close()  # a file that staff cannot read is not the student's fault
    try:
        if path.is_file():
            unpack_bot(read_zip(path), place)
        elif is_bare_repository(path):
            unpack_repository(path, place, MAX_FILES)
        else:
            _copy(submission.files or list(islice(_files(path), MAX_FILES + 1)), place)
        return settle_main_file(place, MAIN_FILES)
    except ContestError as error:
        raise BadSubmission(str(error)) from error


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yields its plain files, with their relative paths."""
    for at, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not is_litter(Path(name)))
        if len(Path(at).relative_to(folder).parts) > DEEPEST:
            raise BadSubmission(f"its files lie more than {DEEPEST} folders deep.\nhint: use fewer folders")
        for name in sorted(names):
            file = Path(at, name)
            if file.is_file() and not (file.is_symlink() or is_litter(Path(name))):
                yield file, str(file.relative_to(folder))


def _copy(files: Sequence[tuple[Path, str]], place: Path) -> None:
    if len(files) > MAX_FILES or sum(file.stat().st_size for file, _ in files) > LARGEST_BOT:
        limit = f"{MAX_FILES} files of {in_words(LARGEST_BOT)} in total"
        raise BadSubmission(f"it is too large.\nhint: hand in at most {limit}")
    for file, name in files:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place / name)
        # An isolated bot may run as another user.
        (place / name).chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)


def _command(place: Path, main: str) -> tuple[str, ...]:
    program = PROGRAMS.get(Path(main).suffix.lower())
    return (program, main) if program else _read_command(place / main)


def _read_command(file: Path) -> tuple[str, ...]:
    """Reads a file `command`, whose paths start at its folder."""
    try:
        text = file.read_bytes()[:MAX_COMMAND].decode("utf-8-sig")
        words = shlex.split(text, comments=True)
    except UnicodeDecodeError:
        raise BadSubmission("its file `command` is not UTF-8.\nhint: save it as UTF-8") from None
    except ValueError as error:
        raise BadSubmission(f"its file `command` cannot be read as a command: {error}") from error
    if not words or "\0" in text:
        raise BadSubmission("its file `command` is empty.\nhint: add a command, such as python bot.py")
    return tuple(words)


def _from_above(word: str, place: Path) -> str:
    """Turns a word that names a file of the submission into a path from the folder above."""
    return f"{place.name}/{word}" if is_file(place / word) else word
