"""The CPU time of processes, which bots are stopped for it while others are asked, and when they are woken."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bourre_referee.sandbox import cpu_meter as processor
from bourre_referee.sandbox.cpu_guard import BREATH_EVERY_SECONDS, LOOK_SECONDS, CpuGuard
from bourre_referee.sandbox.cpu_meter import memory_kib, processor_ms, tree


class Desk:
    """Time that the test advances, bots that use CPU time as it says, and what was done to them, in order."""

    def __init__(self, *bots: str) -> None:
        self.now = 0.0
        self.done: list[str] = []
        self.noted: dict[str, list[str]] = {bot: [] for bot in bots}
        self.bots: dict[str, Any] = {bot: self.running(number, bot) for number, bot in enumerate(bots)}
        self.waiting: list[tuple[float, Callable[..., object], tuple[Any, ...]]] = []
        self.files_left = True
        self.turns = CpuGuard(self, self.stop)
        self.turns.watch(self.bots)

    def running(self, number: int, bot: str) -> Any:
        process = SimpleNamespace(pid=number, used=0.0, ended=SimpleNamespace(done=lambda: False))
        process.processor_ms = lambda: process.used
        process.log = SimpleNamespace(note=self.noted[bot].extend)
        return process

    def stop(self, process: int) -> Any:
        if not self.files_left:
            raise OSError(24, "Too many open files")
        bot = list(self.bots)[process]
        self.done.append(f"stop {bot}")
        return SimpleNamespace(wake=lambda: self.done.append(f"wake {bot}"), stop_again=lambda: self.stop_again(bot))

    def stop_again(self, bot: str) -> None:
        if not self.files_left:
            raise OSError(24, "Too many open files")
        self.done.append(f"again {bot}")

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[..., object], *arguments: Any) -> Any:
        call = (self.now + delay, callback, arguments)
        self.waiting.append(call)
        return SimpleNamespace(cancel=lambda: self.waiting.remove(call))

    def pass_time(self, seconds: float, **used_ms: float) -> None:
        """Lets time pass, in which these bots use this many milliseconds of CPU time."""
        for bot, used in used_ms.items():
            self.bots[bot].used += used
        until = self.now + seconds
        while due := sorted((call for call in self.waiting if call[0] <= until), key=lambda call: call[0]):
            self.waiting.remove(due[0])
            self.now, callback, arguments = due[0]
            callback(*arguments)
        self.now = until

    def act(self, script: str) -> str:
        """Plays a script: `+a` puts a bot on turn, `-a` takes it off, `1.5 b=20` lets as many looks pass, in which `b`
        uses 20 ms, `free` lets all go. Returns what was done."""
        for act in filter(None, map(str.strip, script.split(","))):
            if act == "free":
                self.turns.release()
            elif act[0] in "+-":
                (self.turns.begin if act[0] == "+" else self.turns.end)(act[1:])
            else:
                looks, *used = act.split()
                pairs = (each.split("=") for each in used)
                self.pass_time(float(looks) * LOOK_SECONDS, **{bot: float(ms) for bot, ms in pairs})
        return ", ".join(self.done)


def caught() -> Desk:
    """Bot `a` is asked, and `b` has been seen burning meanwhile."""
    desk = Desk("a", "b")
    assert desk.act("+a, 1 b=200") == "stop b"
    return desk


def test_who_burns_off_turn_is_stopped_and_told_so() -> None:
    desk = caught()
    assert desk.noted["a"] == []
    (told,) = desk.noted["b"]
    assert told.startswith("used the processor while others were asked, 0.19 s too much")


BREATH = f"{BREATH_EVERY_SECONDS / LOOK_SECONDS}"


@pytest.mark.parametrize(
    ("script", "done"),
    [
        pytest.param("+a, 1 a=240, -a, +b, 1 a=20", "", id="who burns on turn is let alone"),
        pytest.param("0.2, +a, 0.5 a=140, -a, 0.3 a=90", "", id="a turn across a look counts on both sides of it"),
        pytest.param("0.2, +a, 0.5 a=140, +a, -a, 0.3 a=90", "", id="a turn goes on when another table asks"),
        pytest.param("+a, 1 b=50" + 100 * ", 1 b=12", "", id="what is left to do after an answer is no burning"),
        pytest.param("+a, 1 b=30, 1 b=30, 1 b=30", "stop b", id="a little too much adds up"),
        pytest.param("0.9 b=200, +b, 0.2", "", id="who is caught on turn is not stopped on turn"),
        pytest.param("0.9 b=200, +b, 0.2, -b", "stop b", id="but when it has answered"),
    ],
)
def test_who_is_stopped(script: str, done: str) -> None:
    assert Desk("a", "b").act(script) == done


@pytest.mark.parametrize(
    ("script", "done"),
    [
        pytest.param("+b", "wake b", id="awake before it is asked"),
        pytest.param("+b, -a, -b", "wake b, stop b", id="stopped as soon as it has answered"),
        pytest.param("+b, +b, 1 b=250", "wake b", id="asked at several tables"),
        pytest.param("+b, +b, -b, -b", "wake b, stop b", id="when none waits for it"),
        pytest.param(f"{BREATH}, 1", "wake b, stop b", id="it breathes now and then to keep its line"),
        pytest.param(f"{BREATH}, +b, 1", "wake b", id="asked while it breathes"),
        pytest.param("free, +b, -b", "wake b", id="at the end all are awake and nobody is watched"),
        pytest.param(f"{BREATH}, -b", "wake b", id="it may breathe although a table withdraws an ask"),
        pytest.param(f"{BREATH}, free, 1", "wake b", id="who breathes as all are let go is not stopped again"),
        pytest.param("1 b=10, 1", "again b", id="who still runs is stopped again"),
    ],
)
def test_what_becomes_of_a_stopped_bot(script: str, done: str) -> None:
    desk = caught()
    assert desk.act(script) == f"stop b, {done}"
    assert "free" not in script or desk.waiting == []


@pytest.fixture
def many_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many cores that a short turn could account for all that one bot can use off turn."""
    monkeypatch.setattr("os.cpu_count", lambda: 64)


def take_turns(desk: Desk, times: int, on_turn_ms: float, off_turn_ms: float) -> None:
    """Bot `b` is on turn for a fifth of the time, and uses this much CPU time on turn and off."""
    for _ in range(times):
        desk.turns.begin("b")
        desk.pass_time(0.02, b=on_turn_ms)
        desk.turns.end("b")
        desk.pass_time(0.08, b=off_turn_ms)


@pytest.mark.usefixtures("many_cores")
def test_who_burns_all_the_time_is_stopped_however_many_cores_its_turns_could_have_used() -> None:
    desk = Desk("a", "b")
    take_turns(desk, 10, on_turn_ms=20, off_turn_ms=80)
    assert "stop b" in desk.done


@pytest.mark.usefixtures("many_cores")
def test_who_uses_many_cores_on_turn_alone_is_let_alone() -> None:
    desk = Desk("a", "b")
    take_turns(desk, 50, on_turn_ms=320, off_turn_ms=4)
    desk.turns.begin("b")
    desk.pass_time(10 * LOOK_SECONDS, b=40 * LOOK_SECONDS)
    desk.turns.end("b")
    assert desk.done == []


@pytest.mark.usefixtures("many_cores")
def test_a_little_off_turn_that_longer_turns_might_account_for_adds_up() -> None:
    desk = Desk("a", "b")
    take_turns(desk, 50, on_turn_ms=20, off_turn_ms=12)
    assert "stop b" in desk.done


@pytest.mark.usefixtures("many_cores")
def test_at_turns_only_those_are_measured_that_used_more_than_one_core() -> None:
    desk, looks = Desk("b"), list[float]()
    measure = desk.bots["b"].processor_ms

    def look() -> float:
        looks.append(desk.now)
        used: float = measure()
        return used

    desk.bots["b"].processor_ms = look
    take_turns(desk, 10, on_turn_ms=20, off_turn_ms=4)
    assert len(looks) < 5
    take_turns(desk, 10, on_turn_ms=200, off_turn_ms=0)
    assert len(looks) > 20
    desk.pass_time(LOOK_SECONDS, b=2000)
    assert desk.done == ["stop b"]  # and measuring the burning bot has no effect
    looks.clear()
    take_turns(desk, 10, on_turn_ms=200, off_turn_ms=0)
    assert len(looks) < 6


def many_cores_used_on_turn() -> Desk:
    """Bot `b` has used so many cores on turn that its turns are measured from now on."""
    desk = Desk("a", "b")
    take_turns(desk, 10, on_turn_ms=320, off_turn_ms=0)
    return desk


@pytest.mark.usefixtures("many_cores")
def test_what_was_used_on_a_turn_across_a_look_is_counted_once() -> None:
    desk = many_cores_used_on_turn()
    desk.turns.begin("b")
    desk.pass_time(LOOK_SECONDS, b=1000)
    desk.turns.end("b")
    desk.pass_time(LOOK_SECONDS, b=200)
    assert desk.done == ["stop b"]


@pytest.mark.usefixtures("many_cores")
def test_nothing_is_allowed_off_turn_for_the_time_on_turn() -> None:
    desk = many_cores_used_on_turn()
    for _ in range(20):
        desk.turns.begin("b")
        desk.pass_time(0.8 * LOOK_SECONDS, b=600)
        desk.turns.end("b")
        desk.pass_time(0.2 * LOOK_SECONDS, b=10)
    assert "stop b" in desk.done


def test_who_cannot_be_stopped_again_runs_until_it_is_seen_burning_again() -> None:
    desk = caught()
    desk.files_left = False
    desk.pass_time(LOOK_SECONDS, b=10)
    desk.turns.release()
    assert desk.done == ["stop b"]
    assert desk.noted["b"][1].startswith("cannot be stopped (Too many open files)")


def test_who_has_ended_is_not_stopped() -> None:
    desk = Desk("a", "b")
    desk.bots["b"].ended.done = lambda: True
    desk.pass_time(LOOK_SECONDS, b=200)
    assert desk.done == []


def test_who_cannot_be_stopped_is_told_so_and_tried_again_when_it_burns_again() -> None:
    desk = Desk("a", "b")
    desk.files_left = False
    desk.pass_time(LOOK_SECONDS, b=200)
    assert desk.done == []
    assert desk.noted["b"][1] == "cannot be stopped (Too many open files): runs until it is seen doing so again"
    desk.files_left = True
    desk.pass_time(LOOK_SECONDS)
    desk.turns.begin("b")
    desk.turns.end("b")
    assert desk.done == []
    desk.pass_time(LOOK_SECONDS, b=200)
    assert desk.done == ["stop b"]


def test_a_look_that_fails_is_not_the_last() -> None:
    desk = Desk("a", "b")
    look, desk.bots["a"].processor_ms = desk.bots["a"].processor_ms, lambda: 1 // 0
    with pytest.raises(ZeroDivisionError):
        desk.pass_time(LOOK_SECONDS)
    desk.bots["a"].processor_ms = look
    desk.pass_time(LOOK_SECONDS, b=200)
    assert desk.done == ["stop b"]


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports this in /proc")

BURN = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True); input()"


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty /proc."""
    monkeypatch.setattr(processor, "_PROC", tmp_path)
    return tmp_path


def start(proc: Path, parent: int, child: int) -> None:
    """Records in /proc that a process has started another one."""
    thread = proc / str(parent) / "task" / str(parent)
    thread.mkdir(parents=True)
    (thread / "children").write_text(f"{child} ")


def test_a_process_that_works_uses_time() -> None:
    before, worked = processor_ms(os.getpid()), time.process_time()
    while time.process_time() < worked + 0.1:
        pass
    assert processor_ms(os.getpid()) - before >= 80  # counted in ticks of 10 ms


def test_children_count_while_they_run_and_when_they_have_ended() -> None:
    before = processor_ms(os.getpid())
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert processor_ms(child.pid) >= 180
        assert processor_ms(os.getpid()) - before >= 180
        child.communicate(b"\n")
    assert processor_ms(os.getpid()) - before >= 180
    assert processor_ms(child.pid) == 0


def test_a_chain_of_processes_may_be_long(proc: Path) -> None:
    chain = range(1, 1202)
    for parent, child in pairwise(chain):
        start(proc, parent, child)
    assert list(tree(1)) == list(chain)


def test_who_starts_processes_without_end_is_not_looked_at_for_ever(proc: Path) -> None:
    start(proc, 1, 1)
    assert len(list(tree(1))) == 4096


def test_time_and_memory_of_all_members_are_summed_up_whatever_their_names(proc: Path) -> None:
    start(proc, 1, 2)
    (proc / "2").mkdir()
    for process, name, times, pages in ((1, "a) b", "1 2 4 8", 7), (2, "c", "16 32 64 128", 5)):
        (proc / str(process) / "stat").write_text(f"{process} ({name}) S{' 1000' * 10} {times} 1000\n")
        (proc / str(process) / "statm").write_text(f"1000 {pages} 1000\n")
    assert processor_ms(1) == 255 * 1000 / os.sysconf("SC_CLK_TCK")
    assert memory_kib(1) == 12 * os.sysconf("SC_PAGE_SIZE") // 1024
    assert (processor_ms(3), memory_kib(3)) == (0, 0)
