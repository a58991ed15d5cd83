"""The options that say where matches are played: contradictions are refused before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.cli.executors import ExecutorOptions
from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.cli.former_options import HERE
from tests.referee.command import called
from tests.referee.contests import write_contest


def test_jobs_of_a_cluster_elsewhere_are_refused() -> None:
    with pytest.raises(BadUsage, match="--jobs is for this machine"):
        ExecutorOptions("tls://host:8786", 2)
    assert ExecutorOptions(HERE, 2).jobs == 2


def test_options_are_repeated_in_the_command_that_goes_on() -> None:
    assert ExecutorOptions(None, 2).options == {"--jobs": 2, "--cluster": None}
    assert ExecutorOptions("tls://a:1", None).options == {"--jobs": None, "--cluster": "tls://a:1"}


def test_a_scheduler_without_tls_is_bad_input(tmp_path: Path) -> None:
    file = write_contest(tmp_path)
    ended = called("run", file, "--cluster", "10.0.0.5:8786", "--out", tmp_path / "run")
    assert ended.code == 2
    assert "without TLS, others on the network" in ended.err


def test_as_many_rooms_play_at_once_as_is_said_or_as_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()
    monkeypatch.setattr("bourre_referee.runner.local_executor.local_rooms", made.append)
    monkeypatch.setattr("bourre_referee.storage.files.process_pool.usable_cores", lambda: 3)
    for jobs in (2, None):
        with ExecutorOptions(None, jobs).make():
            pass
    assert made == [2, 3]


@pytest.mark.parametrize(
    ("jobs", "tasks", "together", "each"), [(2, 40, 2, 1), (4, 2, 2, 2), (5, 2, 2, 2), (8, 1, 1, 8), (1, 9, 1, 1)]
)
def test_tasks_share_the_cores_of_this_machine(jobs: int, tasks: int, together: int, each: int) -> None:
    assert ExecutorOptions(None, jobs).shared_by(tasks) == (together, ExecutorOptions(None, each))


def test_a_cluster_is_for_one_task_after_the_other() -> None:
    options = ExecutorOptions(HERE, 2)
    assert options.shared_by(9) == (1, options)
