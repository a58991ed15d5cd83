"""Whole contests by the command line: real processes, real gRPC, a real database; the same digest whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.diagnostics.attacks.descendants import Watched, descendants_of
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
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of the contest if nothing disturbs it, played by one worker at one table."""
    folder = tmp_path_factory.mktemp("undisturbed")
    words = ["run", str(contest_file(folder)), "--out", str(folder / "run"), "--jobs", "1", "--json"]
    done = subprocess.run([*BOURRE, *words], capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
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


@pytest.mark.parametrize(("number", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
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
            watched = Watched(descendants_of(running.pid))
            assert watched.number > 2
            running.send_signal(number)
            _, said = running.communicate(timeout=60)
            assert running.returncode == status, said
            assert watched.left_after(60) == []
    finally:
        running.kill()
        running.wait()
    if number != signal.SIGKILL:
        assert "run again to go on from there" in said
    (tmp_path / "gate").unlink()
    again = called_in(tmp_path, "run", contest, "--out", out, "--json")
    assert again.code == 0, again.err
    assert "resumed: " in again.err
    assert json.loads(again.out) == undisturbed
