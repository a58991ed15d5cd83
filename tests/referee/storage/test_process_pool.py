"""Processes, files and digests: work in order, none left behind; files appear whole; records in a chain."""

import hashlib
import os
import signal
import stat
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice, repeat
from pathlib import Path
from queue import Queue

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files import atomic
from bourre_referee.storage.files import process_pool as pool
from bourre_referee.storage.files.child_process import FIRST_S, LONGEST_S, Restarts, tended
from bourre_referee.storage.files.digest import Chain, digest, hash_of
from bourre_referee.storage.files.process_pool import AHEAD, TOGETHER, TendedExecutor, compute_in_process, map_in_order

PID = "__import__('os').getpid()"


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads in place of processes, which start sooner."""
    monkeypatch.setattr(pool, "ProcessPoolExecutor", lambda jobs, **_: ThreadPoolExecutor(jobs))


def tasks(end: int) -> Iterator[int]:
    yield from range(end)
    raise ContestError(f"task {end} is damaged")


def work(task: int) -> str:
    if task % 100 == 13:
        raise ContestError(f"task {task} fails")
    return str(task)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("end", [0, 5, TOGETHER, 2 * TOGETHER + 3])
def test_what_ends_the_tasks_is_told_after_the_answers_to_those_before(end: int, jobs: int) -> None:
    answers = map_in_order(str, tasks(end), jobs)
    assert [*islice(answers, end)] == [(task, str(task)) for task in range(end)]
    with pytest.raises(ContestError, match=f"task {end} is damaged"):
        next(answers)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_first_failure_in_order_is_told_after_the_answers_to_those_before(jobs: int) -> None:
    answers = map_in_order(work, tasks(500), jobs)
    assert [*islice(answers, 13)] == [(task, str(task)) for task in range(13)]
    with pytest.raises(ContestError, match="task 13 fails"):
        next(answers)


@pytest.mark.usefixtures("threads")
def test_tasks_are_taken_only_some_at_a_time() -> None:
    remaining = iter(range(1_000))
    answers = map_in_order(str, remaining, 2)
    next(answers)
    assert next(remaining) == 2 * AHEAD * TOGETHER


def test_processes_end_with_the_generator_and_ctrl_c_is_for_the_parent_alone() -> None:
    with closing(map_in_order(eval, repeat(PID), 2)) as answers:
        processes = {pid for _, pid in islice(answers, 10 * TOGETHER)}
    assert os.getpid() not in processes
    for pid in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert list(map_in_order(signal.getsignal, [signal.SIGINT], 2)) == [(signal.SIGINT, signal.SIG_IGN)]


def test_processes_end_when_the_parent_is_killed() -> None:
    """They write to the same pipe, which is read until nobody can write to it any more."""
    program = f"""
import os, signal
from itertools import islice, repeat
from bourre_referee.storage.files.process_pool import map_in_order
if __name__ == "__main__":
    answers = map_in_order(eval, repeat({PID!r}), 2)
    next(answers)
    print("works", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "works\n")


def test_a_process_that_dies_is_told_with_a_hint() -> None:
    with pytest.raises(ContestError, match=r"died while it replayed matches, .*\nhint: use fewer --jobs"):
        list(map_in_order(eval, ["__import__('os')._exit(3)"], 2))


def test_one_task_is_done_in_a_process_that_is_gone_afterwards_and_its_death_is_told() -> None:
    process = compute_in_process(eval, PID)
    assert process not in (None, os.getpid())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(ContestError, match="a process ended with exit code 3 while it computed"):
        compute_in_process(eval, "__import__('os')._exit(3)")


def test_no_more_processes_start_than_have_enough_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "usable_cores", lambda: 4)
    assert [pool.worthwhile_jobs(deals) for deals in (0, 3_999, 4_000, 7_999, 100_000)] == [1, 1, 2, 3, 4]


STUBBORN = """
import signal
from bourre_referee.storage.files.child_process import tended

def compute():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("works", flush=True)
    signal.pause()

if __name__ == "__main__":
    with tended("test", compute, print):
        signal.pause()
"""
"""A parent with a child that hears no SIGTERM, such as one that computes for a visitor."""


def test_a_process_that_is_busy_ends_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(STUBBORN)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "works\n"
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout.read() == ""  # the pipe ends with the last process that holds it


def say_who(fifo: Path) -> None:
    fifo.write_text(str(os.getpid()))
    signal.pause()


def test_a_process_that_dies_is_told_and_started_again(tmp_path: Path) -> None:
    news: Queue[str] = Queue()
    os.mkfifo(fifo := tmp_path / "fifo")
    work = partial(
        eval, f"open({str(fifo)!r}, 'w').write(str(__import__('os').getpid())), __import__('signal').pause()"
    )
    with tended("test", work, news.put):
        first = int(fifo.read_text())
        os.kill(first, signal.SIGKILL)
        assert news.get() == "the process of the test was killed by SIGKILL: it is started again in 1 s"
        assert int(fifo.read_text()) != first
    assert news.empty()


def test_each_start_waits_longer_unless_the_process_had_lasted() -> None:
    told: list[str] = []
    restarts = Restarts("test", told.append)
    delays = [restarts.delay("ended", 0.1) for _ in range(9)]
    assert delays == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert [restarts.delay("ended", LONGEST_S), restarts.delay("ended", 0)] == [FIRST_S, 2 * FIRST_S]
    assert len(told) == 11


class Told:
    """Patience that notes how long it was to wait."""

    def __init__(self, answers: list[bool]) -> None:
        self._answers = deque(answers)
        self.texts: list[str] = []
        self.waits: list[float] = []
        self.tell = self.texts.append

    def wait(self, seconds: float) -> bool:
        self.waits.append(seconds)
        return self._answers.popleft()


def die_once(mark: Path) -> int:
    if not mark.exists():
        mark.mkdir()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def test_a_task_whose_process_dies_is_done_again_and_told(tmp_path: Path) -> None:
    patience = Told([True])
    with TendedExecutor("ratings", patience) as executor:
        assert executor.submit(die_once, tmp_path / "died").result() == 7
    assert patience.waits == [FIRST_S]
    assert patience.texts == ["the process of the ratings was killed by SIGKILL: it is started again in 1 s"]


def test_a_file_is_replaced_as_a_whole_and_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a longer text than the next one")
    (tmp_path / "file.new").write_text("half of")
    atomic.write(path, "é\n", 0o600)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == ("é\n".encode(), 0o600)
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(ContestError, match=r"Cannot write .*file: .*\nhint: check its permissions and the free disk"):
        atomic.write(tmp_path / "file", "text")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_a_new_folder_appears_at_the_end_and_leaves_another_one_alone(tmp_path: Path) -> None:
    out = tmp_path / "a" / "out"

    def make(fails: bool) -> None:
        with atomic.new_folder(out, " here") as folder:
            (folder / "x").touch()
            assert not out.exists()
            if fails:
                raise KeyError("a mistake of ours")

    with pytest.raises(KeyError):
        make(fails=True)
    assert [*out.parent.iterdir()] == []
    make(fails=False)
    assert [*out.parent.rglob("*")] == [out, out / "x"]
    with pytest.raises(ContestError, match=r"out already exists.\nhint: remove it, or use a new folder here$"):
        make(fails=False)


def test_the_digest_is_that_of_all_records_in_a_row() -> None:
    assert digest(["a\n", "é\n"]) == hashlib.sha256("a\né\n".encode()).hexdigest()
    assert digest([]) == hashlib.sha256(b"").hexdigest()


def test_the_chain_ends_before_the_first_gap_and_goes_on_when_it_is_closed() -> None:
    begun = hashlib.sha256(b"seed").digest()
    hashes = {f"m000{number}": hash_of(f"record {number}") for number in (1, 2, 3, 4)}
    links = [begun]
    for record_hash in hashes.values():
        links.append(hashlib.sha256(links[-1] + record_hash).digest())
    chain = Chain(begun.hex())
    for finished, length in [((), 0), ((2,), 0), ((4, 1, 2), 2), ((4, 1, 2), 2), ((1, 2, 3, 4), 4)]:
        chain.extend({f"m000{number}": hashes[f"m000{number}"] for number in finished})
        assert (chain.length, str(chain)) == (length, links[length].hex())


def test_what_will_never_be_played_is_no_gap() -> None:
    begun = hashlib.sha256(b"seed").hexdigest()
    records = [hash_of(f"record {number}") for number in range(3)]
    chain, whole = Chain(begun, {1, 3, 4}), Chain(begun)
    whole.extend({f"m000{number}": record for number, record in enumerate(records, start=1)})
    chain.extend({"m0002": records[0], "m0006": records[2]})
    assert str(chain) != str(whole)
    chain.extend({"m0002": records[0], "m0005": records[1], "m0006": records[2]})
    assert str(chain) == str(whole)


def test_a_task_that_hangs_ends_with_the_block_and_is_not_done_again(tmp_path: Path) -> None:
    os.mkfifo(fifo := tmp_path / "fifo")
    patience = Told([])
    with TendedExecutor("ratings", patience) as executor:
        hanging, waiting = executor.submit(say_who, fifo), executor.submit(say_who, fifo)
        process = int(fifo.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(ContestError, match="was killed by SIGKILL while it computed"):
        hanging.result()
    assert waiting.cancelled()
