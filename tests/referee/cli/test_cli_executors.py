"""The options that say what plays the rooms: contradictions are refused before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.cli.executors import ExecutorName, ExecutorOptions
from bourre_referee.cli.exit_codes import BadUsage
from tests.referee.command import called
from tests.referee.contests import write_contest


def test_a_scheduler_without_dask_and_jobs_of_a_cluster_are_refused() -> None:
    with pytest.raises(BadUsage, match="--scheduler is for --executor dask"):
        ExecutorOptions(ExecutorName.LOCAL, "tls://host:8786", None)
    with pytest.raises(BadUsage, match="--jobs is for this machine"):
        ExecutorOptions(ExecutorName.DASK, "tls://host:8786", 2)


def test_options_are_repeated_in_the_command_that_goes_on() -> None:
    assert ExecutorOptions(ExecutorName.LOCAL, None, 2).options == {
        "--jobs": 2,
        "--executor": None,
        "--scheduler": None,
    }
    assert ExecutorOptions(ExecutorName.DASK, "tls://a:1", None).options == {
        "--jobs": None, "--executor": "dask", "--scheduler": "tls://a:1",
    }  # fmt: skip


def test_a_scheduler_without_tls_is_bad_input(tmp_path: Path) -> None:
    file = write_contest(tmp_path)
    ended = called("run", file, "--executor", "dask", "--scheduler", "10.0.0.5:8786", "--out", tmp_path / "run")
    assert ended.code == 2
    assert "without TLS, seeds would travel readably" in ended.err


def test_as_many_rooms_play_at_once_as_is_said_or_as_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()
    monkeypatch.setattr("bourre_referee.runner.local_executor.local_rooms", made.append)
    monkeypatch.setattr("bourre_referee.storage.files.process_pool.usable_cores", lambda: 3)
    for jobs in (2, None):
        with ExecutorOptions(ExecutorName.LOCAL, None, jobs).make():
            pass
    assert made == [2, 3]
