"""Whole contests by the command line, with real processes and a real database: the same digest whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dev
from bourre_referee.diagnostics.attacks.descendants import WatchedProcess, descendants_of
from tests.end_to_end.rooms import BOTS
from tests.referee.command import called_in

SCRIPTS = ("gate", "repentant", "raiser")
BOURRE = (sys.executable, "-m", "bourre_referee")


def contest_file(folder: Path, tables: int = 1) -> Path:
    """Three bots, every two of them in both seats, six matches; no bot is ever late."""
    bots = "".join(
        f'[[bots]]\nname = "{name}"\ncommand = ["python", "{BOTS / name}.py", "{folder}"]\n' for name in SCRIPTS
    )
    folder.mkdir(exist_ok=True)
    path = folder / "contest.toml"
    path.write_text(
        f'[contest]\nname = "end"\nseed = 7\n[table]\nseats = 2\ndeals = 6\ntables = {tables}\n'
        "[schedule]\nrounds = 2\n[clock]\nstart_ms = 30000\ndecision_ms = 60000\n[faults]\nmax = 1000\n"
        f'[isolation]\nlevel = "none"\n{bots}'
    )
    return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of the contest if nothing disturbs it, played by one worker at one table."""
    folder = tmp_path_factory.mktemp("undisturbed")
    done = called_in(folder, "run", contest_file(folder), "--out", "run", "--jobs", "1", "--json")
    assert done.code == 0, done.err
    (folder / "told.json").write_text(done.out)
    return folder / "run"


@pytest.fixture(scope="module")
def undisturbed(kept: Path) -> dict[str, Any]:
    """Its results."""
    document: dict[str, Any] = json.loads(kept.with_name("told.json").read_text())
    return document


def test_standings_tell_who_broke_which_rules(undisturbed: dict[str, Any]) -> None:
    rows = {row["bot"]: row for row in undisturbed["standings"]}
    assert set(rows) == set(SCRIPTS)
    assert undisturbed["matches"] == 6
    assert sum(row["chips"] for row in rows.values()) == 0
    assert {bot for bot, row in rows.items() if row["reneges"]} == {"repentant"}
    assert {bot for bot, row in rows.items() if row["faults"]} == {"raiser"}
    assert all(row["deals"] == 4 * 6 for row in rows.values())


def test_neither_workers_nor_tables_change_the_standings(undisturbed: dict[str, Any], tmp_path: Path) -> None:
    """At 16 tables, both matches of two bots share a room and are played at once.

    Neither do files of the folder with names of modules, which a bot's author may have put there.
    """
    for module in ("bourre", "grpc", "random", "socket", "types"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('imported')")
    done = called_in(tmp_path, "run", contest_file(tmp_path, 16), "--out", "run", "--jobs", "2", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out) == undisturbed
    assert len(list((tmp_path / "run" / "logs" / "gate").iterdir())) == 2


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), pytest.param(signal.SIGINT, 130, marks=pytest.mark.long)]
)
def test_a_run_that_is_stopped_goes_on_to_the_same_standings(
    undisturbed: dict[str, Any], tmp_path: Path, number: signal.Signals, status: int
) -> None:
    contest, out = contest_file(tmp_path), tmp_path / "run"
    os.mkfifo(tmp_path / "gate")
    running = subprocess.Popen(
        [*BOURRE, "run", str(contest), "--out", str(out), "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        with (tmp_path / "gate").open("rb", buffering=0) as gate:  # two readers may come: neither must find it closed
            assert gate.read(4) == b"here"
            watched = WatchedProcess(descendants_of(running.pid))
            assert watched.number > 2
            running.send_signal(number)
            _, said = running.communicate(timeout=60)
            assert running.returncode == status, said
            assert watched.left_after(60) == []
    finally:
        running.kill()
        running.wait()
    if number != signal.SIGKILL:
        assert "Run again to go on." in said
    (tmp_path / "gate").unlink()
    again = called_in(tmp_path, "run", contest, "--out", out, "--json")
    assert again.code == 0, again.err
    assert "resumed: " in again.err
    assert json.loads(again.out) == undisturbed


def test_it_is_verified_also_from_its_export_and_dealt_again_without_the_package(kept: Path, tmp_path: Path) -> None:
    done = called_in(kept, "verify", ".")
    assert (done.code, done.err) == (0, "")
    assert "\ncards      36 deals dealt again" in done.out
    decisions = next(line for line in done.out.splitlines() if line.startswith("decisions"))
    assert " 0 reneges" not in decisions
    assert " 0 faults" not in decisions
    assert called_in(tmp_path, "export", kept, "--format", "jsonl", "--out", "out").code == 0
    exported = called_in(tmp_path, "verify", "out", "--jobs", "2")
    assert (exported.code, exported.out) == (0, done.out)
    command = [sys.executable, "-I", "-S", str(dev.ROOT / "docs/verify_deals.py"), str(kept)]
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stdout) == (0, "6 matches, 36 deals dealt again: no difference\n")


def test_a_match_that_was_taken_back_comes_to_the_same_digest(kept: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(kept, tmp_path / "run"))
    before = called_in(copy, "verify", ".").out
    assert called_in(copy, "annul", ".", "4", "--reason", "a test").code == 0
    assert called_in(tmp_path, "run", kept.with_name("contest.toml"), "--out", "run").code == 0
    after = called_in(copy, "verify", ".")
    assert after.code == 0
    *same, void, verdict = after.out.splitlines()
    assert void == "void       m0004, attempt 1: voided by the organiser (a test)"
    same.append(verdict)
    assert [line for line in same if ", head " not in line] == [
        line for line in before.splitlines() if ", head " not in line
    ]
    assert "finished 2 times, voided, continued, head" in after.out
