"""Takes the files of a submission from a bare git repository, as of its last commit, without running anything of it.

Its settings could name programs: as filters, hooks, or servers of missing objects. So git reads a copy of the objects
and branches alone, with settings of its own, and only by commands that show objects as they are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from bourre_referee.contest.main_file import is_litter
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.untrusted_files import LARGEST_BOT, MIB, in_words, path_problem

_LARGEST = 256 * MIB
_MOST_OBJECTS = 50_000
_LONGEST_LIST = MIB
_LIMITS = 'ulimit -v 2097152; ulimit -t 60; exec "$@"'
"""The KiB of memory and the seconds of a processor for each command of git."""
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
_SETTINGS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_TOO_LARGE = f"its repository has too many or too large files.\nhint: hand in at most {in_words(LARGEST_BOT)}"
_INCOMPLETE = "its repository is incomplete.\nhint: push again"
_PLAIN = {b"100644": 0o644, b"100755": 0o755}
"""The modes of plain files. Links and submodules have others."""


def is_bare_repository(path: Path) -> bool:
    """Whether this folder is a bare git repository."""
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def unpack_repository(path: Path, place: Path, most: int) -> None:
    """Writes the plain files of the repository's last commit, at most this many, to an empty folder.

    Raises ContestError if it is damaged, empty or too large, and OSError if it cannot be read.
    """
    if shutil.which("git") is None:
        raise OSError("git, which reads repositories, is not installed")
    with TemporaryDirectory(prefix="bourre-") as copy:
        _copy_objects(path, Path(copy))
        git = _Git(Path(copy))
        _write(git, list(_files(git, _last_commit(git))), place, most)


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a commit."""

    path: PurePosixPath
    mode: int
    blob: bytes
    size: int


@dataclass(frozen=True, slots=True)
class _Git:
    """Runs git in a repository that contains nothing but objects and branches."""

    folder: Path

    def __call__(self, *words: str, asked: bytes = b"", most: int = _LONGEST_LIST) -> bytes | None:
        """Returns the output; None if git fails. Raises ContestError for more than `most` bytes."""
        variables = {**_SETTINGS, "GIT_DIR": str(self.folder), "HOME": str(self.folder), "PATH": os.environ["PATH"]}
        command = ["/bin/sh", "-c", _LIMITS, "sh", "git", *words]
        (self.folder / "asked").write_bytes(asked)
        with (
            (self.folder / "asked").open("rb") as source,
            subprocess.Popen(
                command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=variables, cwd=self.folder
            ) as process,
        ):
            assert process.stdout is not None
            found = process.stdout.read(most + 1)
            if len(found) > most:
                process.kill()
                raise ContestError(_TOO_LARGE)
        return None if process.returncode else found


def _copy_objects(path: Path, copy: Path) -> None:
    """Copies plain files only. `info` is left out, which could lead to objects of other repositories."""
    (copy / "config").write_text(_CONFIG)
    for name in ("objects", "refs"):
        (copy / name).mkdir()
    free = _LARGEST
    for number, file in enumerate(_object_files(path)):
        source, target = path / file, copy / file
        free -= source.stat().st_size
        if free < 0 or number >= _MOST_OBJECTS:
            raise ContestError(f"its repository is larger than {in_words(_LARGEST)}.\nhint: hand in a zip of its files")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _object_files(path: Path) -> Iterator[Path]:
    for file in (path / "HEAD", path / "packed-refs", *_walk(path / "objects"), *_walk(path / "refs")):
        if file.is_file() and not file.is_symlink():
            yield file.relative_to(path)


def _walk(folder: Path) -> Iterator[Path]:
    for at, folders, names in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if name != "info"]
        yield from (Path(at, name) for name in names)


def _last_commit(git: _Git) -> str:
    """Returns the commit of HEAD, or of the only branch."""
    branches = (git("for-each-ref", "--format=%(refname)", "refs/heads") or b"").decode(errors="replace").split()
    for name in ("HEAD", *branches[:1]) if len(branches) == 1 else ("HEAD",):
        if found := git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"):
            return found.decode().strip()
    why = "has several branches and no HEAD" if branches else "has no commit"
    raise ContestError(f"its repository {why}.\nhint: push to the default branch")


def _files(git: _Git, commit: str) -> Iterator[_File]:
    listed = git("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    if listed is None:
        raise ContestError(_INCOMPLETE)
    for line in listed.split(b"\0")[:-1]:
        head, _, name = line.partition(b"\t")
        mode, _, blob, size = head.split()
        path = PurePosixPath(name.decode(errors="surrogateescape"))
        if mode not in _PLAIN or is_litter(Path(path)):
            continue
        if problem := path_problem(path):
            raise ContestError(f"its repository has {str(path)[:100]!r}, which {problem}.\nhint: rename it")
        if not size.isdigit():
            raise ContestError(_INCOMPLETE)
        yield _File(path, _PLAIN[mode], blob, int(size))


def _write(git: _Git, files: Sequence[_File], place: Path, most: int) -> None:
    if len(files) > most or sum(file.size for file in files) > LARGEST_BOT:
        raise ContestError(_TOO_LARGE)
    paths = {file.path for file in files}
    if len(paths) < len(files) or any(folder in paths for file in files for folder in file.path.parents):
        raise ContestError("its repository has two files, or a file and a folder, of the same name.\nhint: rename one")
    asked = b"".join(file.blob + b"\n" for file in files)
    found = BytesIO(git("cat-file", "--batch", asked=asked, most=LARGEST_BOT + _LONGEST_LIST) or b"")
    for file in files:
        if found.readline().split() != [file.blob, b"blob", b"%d" % file.size]:
            raise ContestError(_INCOMPLETE)
        (place / file.path).parent.mkdir(parents=True, exist_ok=True)
        (place / file.path).write_bytes(found.read(file.size))
        (place / file.path).chmod(file.mode)
        found.read(1)  # a newline after each
