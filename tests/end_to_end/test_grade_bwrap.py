"""A submission that looks for the seed, the marks and other submissions: in a sandbox it finds none of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.classroom import PLAN, SUBMISSIONS, practising, write_class
from tests.referee.command import called_in
from tests.referee.tiny_wheels import write_wheel

pytestmark = pytest.mark.timeout(300)

SPY = '''\
import os
import sys
from pathlib import Path

import lucky

from bourre import Bot, run

NAMES = {"grade.toml", "grade.salt", "marks.json", "marks.csv", "manifest.json", "run.db", "feedback.txt"}
SECRETS = {b"5823946712389": "the seed", b"Ada Lovelace": "another student"}
SYSTEM = {"/usr", "/proc", "/sys", "/dev", "/lib", "/python", "/venv", "/sdk", "/supervisor"}


def top():
    """In a box everything; else the folder of the plan, in which the command runs that has started it."""
    if Path("/supervisor").exists():
        return Path("/")
    process = os.getppid()
    while not Path(f"/proc/{process}/cwd/grade.toml").exists():
        process = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
    return Path(f"/proc/{process}/cwd").resolve()


def places():
    """All that it may find there."""
    for at, folders, files in os.walk(top()):
        folders[:] = [name for name in folders if os.path.join(at, name) not in SYSTEM]
        yield from (Path(at, name) for name in [*folders, *files])


def processes():
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            yield from (process / name for name in ("environ", "cmdline"))


def content(path):
    try:
        small = path.is_file() and path.stat().st_size < 1_000_000 and not path.samefile(__file__)
        return path.read_bytes() if small else b""
    except OSError:  # it may not be read, or has gone
        return b""


def look():
    for path in places():
        if path.name in NAMES or "Lovelace" in path.name:
            print("FOUND", path.name, "to change" if os.access(path, os.W_OK) else "")
    for path in [*places(), *processes()]:
        found = content(path)
        for secret, what in SECRETS.items():
            if secret in found:
                print("FOUND", what, "in", path.name)


if __name__ == "__main__":
    look()
    print("has looked", sys.argv[1:])
    print("CHANGEABLE" if os.access(lucky.__file__, os.W_OK) else "read-only")
    run(Bot)
'''


@pytest.fixture(scope="module", autouse=True)
def short_practice() -> Iterator[None]:
    """A few practice deals show as much as 100."""
    with practising(2):
        yield


def looked(folder: Path, level: str) -> str:
    """What the spy prints when the class is marked for the second time, so that all that it looks for exists."""
    folder.mkdir()
    written = PLAN.replace('"none"', f'"{level}"').replace("deals = 6", "deals = 2")
    (folder / "grade.toml").write_text(f'{written}[packages]\nallow = true\nfolder = "wheels"\n')
    write_class(folder / "class")
    marked = folder / "class" / "Ada Lovelace"
    (marked / "bot.py").write_text(SUBMISSIONS["Cy Syntax"])  # marked at once
    spy = folder / "class" / "Spy"
    spy.mkdir()
    (spy / "bot.py").write_text(SPY)
    (spy / "requirements.txt").write_text(write_wheel(folder / "wheels", "lucky", {"lucky.py": ""}))
    for submissions in ([marked], [marked, spy]):
        done = called_in(folder, "grade", *submissions, "--jobs", "1")
        assert done.code == 0, done.err
    logs = list((folder / "grades" / "week-3" / "staff" / "runs").glob("Spy*/*/*/logs/submission/*.log"))
    assert len(logs) >= 2, "one of practice deals, one of hidden ones"
    told = [log.read_text() for log in logs]
    assert all("has looked" in text for text in told), told
    marks = json.loads((folder / "grades" / "week-3" / "staff" / "marks.json").read_text())
    packages = [one["versions"][-1]["packages"] for one in marks["submissions"]]
    assert [one and one["installed"] for one in packages] == [None, ["lucky==1.0"]]
    return "".join(told)


def test_in_a_box_a_submission_finds_no_seed_no_mark_and_nobody_else(tmp_path: Path) -> None:
    told = looked(tmp_path / "course", "bwrap")
    assert "FOUND" not in told
    assert "read-only" in told, "the packages that it shares with others"


@pytest.mark.long
def test_without_a_box_it_finds_all_of_them(tmp_path: Path) -> None:
    """What --allow-unboxed warns of; it also shows that the spy above would find what there is."""
    found = looked(tmp_path / "course", "none")
    for what in ("the seed in grade.toml", "marks.json to change", "run.db", "grade.salt", "another student in "):
        assert f"FOUND {what}" in found, found
