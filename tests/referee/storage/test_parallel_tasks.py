"""Tasks in parallel: results in order, a death that costs no other task its result, and no process left behind."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from pathlib import Path

import pytest

from bourre_referee.storage.files.parallel_tasks import do_in_parallel
from bourre_referee.storage.files.process_pool import ProcessDied, forks_of


def act(words: str) -> str:
    """Does a task: `wait PIPE`, `open PIPE`, `hang PIPE`, `die` or `say TEXT`."""
    verb, _, rest = words.partition(" ")
    if verb == "wait":
        Path(rest).read_text()
    elif verb == "open":
        Path(rest).write_text("now")
    elif verb == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif verb == "hang":
        Path(rest).write_text(str(os.getpid()))
        signal.pause()
    return words


def test_results_come_in_order_from_several_processes_at_a_time_and_one_may_die(tmp_path: Path) -> None:
    """The first task ends after the second one has begun."""
    os.mkfifo(pipe := tmp_path / "pipe")
    tasks = [f"wait {pipe}", f"open {pipe}", "die", "say it"]
    found = dict(do_in_parallel(act, tasks, 2, forks_of(__name__)))
    assert list(found) == tasks
    died = found.pop("die")
    assert isinstance(died, ProcessDied)
    assert died.how == "was killed by SIGKILL"
    assert [*found] == [*found.values()]


def test_the_end_of_the_generator_ends_what_is_at_work_and_begins_no_more(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    late = tmp_path / "late"
    with closing(do_in_parallel(act, ["say it", f"hang {pipe}", f"open {late}"], 1, forks_of(__name__))) as found:
        assert next(found) == ("say it", "say it")
        process = int(pipe.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert not late.exists()
