"""A room with real bot processes over real gRPC: verdicts, clocks, logs, and nothing left behind."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import grpc
import pytest

import bourre_referee.sandbox.supervisor
import bourre_referee.server.starvation
from bourre.bot import Bot
from bourre.record import read, replay
from bourre.rules.cards import Card
from bourre.rules.sentences import sentence
from bourre.rules.visibility import View
from bourre_referee.diagnostics.attacks.invited_room import play_invited
from bourre_referee.model.spec import BotEntry, Clock, MatchOutcome, RoomFailed
from bourre_referee.sandbox.bot_process import BotProcess
from bourre_referee.server.room import Room, play_room
from bourre_referee.storage.files.public_log import read_public_log
from bourre_referee.storage.run.start_failures import read_start_failure
from tests.end_to_end.rooms import ALL_HONEST, BOTS, GENEROUS, faults_of, played, room_with, visited

BUSY = (
    "it was not ready within 3 s, still busy in dumb.py, line 5. "
    "hint: end the loop there, or do less before the last line, which must be reached within that time"
)
IMPATIENT = Clock(start_ms=20_000, decision_ms=60, bank_ms=60)
"""For bots that never answer; the honest bots answer within microseconds, and these tests do not judge them."""


def assert_record_proves(outcome: MatchOutcome) -> None:
    """Asserts that a replay of the record ends with the balances of the result."""
    record = read(outcome.record)
    assert record.final == tuple(result.chips for result in outcome.result.seats)
    assert sum(1 for _ in replay(record)) > 1


@pytest.fixture(autouse=True)
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks everything that a test starts with the test's own folder in its environment."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def processes_of(mark: Path) -> list[str]:
    """The command lines of the processes with this mark."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
                words = (folder / "cmdline").read_bytes()
            except OSError:
                continue  # it has ended meanwhile, or belongs to another user
            if f"TMPDIR={mark}".encode() in environment:
                found.append(words.replace(b"\0", b" ").decode(errors="replace"))
    return found


def test_honest_bots_play_a_match_without_fault(tmp_path: Path) -> None:
    (outcome,) = played(room_with("honest", tmp_path, honest=4, deals=20), guests={})
    assert outcome.faults == ()
    assert sum(seat.chips for seat in outcome.result.seats) == 0
    assert all(timing.decisions >= 20 for timing in outcome.timings)
    assert_record_proves(outcome)


def test_onlookers_see_a_room_while_it_is_played(tmp_path: Path) -> None:
    path, seen = tmp_path / "rooms" / "m0001", []

    class Spy(Bot):
        def play(self, view: View) -> Card | Awaitable[Card]:
            seen.append(len(list(read_public_log(path))))
            return super().play(view)

    (outcome,) = played(replace(room_with("honest", tmp_path), public=path.parent), {**ALL_HONEST, "tested": Spy})
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[-1] <= sum(len(step.events) for step in replay(read(outcome.record)))
    assert not path.exists()


def test_a_bot_that_is_not_tried_leaves_what_one_leaves_that_never_starts(tmp_path: Path) -> None:
    tried = room_with("absent", tmp_path / "logs", matches=2)
    untried = replace(tried, absent=("tested",), logs=tmp_path / "none")
    for one, other in zip(played(tried), played(untried), strict=True):
        assert (one.result, one.record, one.faults) == (other.result, other.record, other.faults)
        seat = [result.bot for result in one.result.seats].index("tested")
        assert one.timings[seat]._replace(cpu_ms=0.0) == other.timings[seat]
    assert not (tmp_path / "none" / "tested").exists()


def test_models_without_calls_are_not_started_and_commit_no_fault(tmp_path: Path) -> None:
    room = room_with("honest", tmp_path / "logs", matches=2)
    for outcome in played(replace(room, capped=tuple(bot.name for bot in room.entries))):
        assert outcome.faults == ()
        assert all(map(outcome.result.is_by_stand_in, outcome.result.seats))
        assert_record_proves(outcome)
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(
    ("script", "faults", "told"),
    [  # one time less than deals: once all others passed, and the dealer was not asked (R4.6)
        ("raiser", {"error": 7}, "RuntimeError: a bug in the bot ... no answer to declare in deal 1"),
        ("garbage", {"undecodable": 7}, ""),
        (
            "crasher",
            {"crashed": 1},
            "[bourre] it ended with status 7 before the last match was over: the stand-in plays",
        ),
        (
            "leaver",
            {"disconnected": 1},
            "[bourre] it ended with status 0 before the last match was over: the stand-in plays",
        ),
        ("absent", {"start_failure": 1}, ""),
        ("flooder", {"over_limit": 1}, ""),
        ("outdated", {"start_failure": 1}, "speaks protocol 1, the bot 99"),
        ("loud", {}, "xxxx ... [bourre kept the first 262144 of 10000"),
        ("forker", {}, ""),
    ],
)
def test_each_fault_has_its_verdict_and_the_match_ends(
    script: str, faults: dict[str, int], told: str, tmp_path: Path
) -> None:
    (outcome,) = played(room_with(script, tmp_path))
    assert faults_of(outcome, "tested") == faults
    assert faults_of(outcome, "honest1") == faults_of(outcome, "honest2") == {}
    assert outcome.result.deals == 8
    assert_record_proves(outcome)
    assert processes_of(tmp_path) == []
    log = (tmp_path / "tested" / "m0001.log").read_text()
    assert len(log) < 300_000
    assert all(words in log for words in told.split(" ... "))


@pytest.mark.usefixtures("tireless_host")
def test_a_bot_that_never_answers_is_late_until_the_house_plays_for_it(tmp_path: Path) -> None:
    (outcome,) = played(room_with("silent", tmp_path, clock=IMPATIENT, max_faults=3))
    assert faults_of(outcome, "tested") == {"late": 3}
    assert outcome.result.seats[0].house_deals == 6
    late = (tmp_path / "tested" / "m0001.log").read_text().splitlines()
    begins = "[bourre] m0001, deal 1, seat 0: no answer to declare within the 0.12 s that you had"
    assert late[0].startswith(begins)
    assert [" s that you had, " in line for line in late] == [True] * 3
    assert_record_proves(outcome)


@pytest.mark.usefixtures("tireless_host")
def test_a_bot_that_uses_up_its_time_is_played_by_the_house_and_heard_at_its_other_tables(tmp_path: Path) -> None:
    clock = replace(GENEROUS, match_ms=300)
    outcomes = played(room_with("silent", tmp_path, clock=clock, matches=3, tables=3))
    assert [faults_of(outcome, "tested") for outcome in outcomes] == [{"stalled": 1}] * 3
    assert min(seat.house_deals for outcome in outcomes for seat in outcome.result.seats if seat.bot == "tested") >= 6
    for outcome in outcomes:
        assert_record_proves(outcome)


def test_times_of_bot_queue_and_processor_are_told_apart(tmp_path: Path) -> None:
    (outcome,) = played(room_with("honest", tmp_path, deals=20))
    for timing in outcome.timings:
        assert 0 < timing.bot_ms < timing.total_ms
        assert timing.queue_ms > 0
    used_ms = sum(timing.cpu_ms for timing in outcome.timings)
    assert used_ms > 0 or not Path("/proc/self/stat").exists()


def test_a_late_bot_on_a_starved_host_voids_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bourre_referee.server.starvation, "TOLERATED_SECONDS", -0.04)  # every beat is far too late
    with pytest.raises(
        RoomFailed, match=r"room m0001: overloaded: tested was late, .* fewer --jobs, or .* decision_ms"
    ):
        played(room_with("silent", tmp_path, clock=IMPATIENT))
    assert processes_of(tmp_path) == []


@pytest.mark.usefixtures("tireless_host")
def test_a_bot_that_never_says_hello_fails_to_start(tmp_path: Path) -> None:
    clock = Clock(start_ms=3_000, decision_ms=10_000, bank_ms=10_000)
    (outcome,) = played(room_with("dumb", tmp_path, clock=clock))
    assert faults_of(outcome, "tested") == {"start_failure": 1}
    assert outcome.result.seats[0].house_deals == 8
    assert read_start_failure(tmp_path, "tested", "m0001") == BUSY


def test_a_bot_that_ends_at_its_start_is_told_why(tmp_path: Path) -> None:
    (outcome,) = played(room_with("absent", tmp_path))
    assert faults_of(outcome, "tested") == {"start_failure": 1}
    why = read_start_failure(tmp_path, "tested", "m0001")
    assert why == "it ended with status 1 before it said hello, after printing: no such luck"


@pytest.mark.parametrize(
    "script", ["reneger", *(pytest.param(script, marks=pytest.mark.long) for script in ("honest", "raiser"))]
)
def test_the_digest_does_not_depend_on_the_number_of_tables(script: str, tmp_path: Path) -> None:
    digests = set()
    for tables in (1, 6):
        outcomes = played(room_with(script, tmp_path, matches=6, deals=2, tables=tables, max_faults=1000))
        digests.add(hashlib.sha256("".join(outcome.record for outcome in outcomes).encode()).hexdigest())
    assert len(digests) == 1


@pytest.mark.parametrize("tables", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_room_that_restarts_plays_on_while_no_bot_fails(tables: int, tmp_path: Path) -> None:
    kept = replace(room_with("honest", tmp_path, matches=3, tables=tables), restarts=True)
    fresh = [replace(kept, matches=(match,)) for match in kept.matches]
    outcomes = played(kept)
    assert [outcome.record for outcome in outcomes] == [played(room)[0].record for room in fresh]


@pytest.mark.parametrize(
    ("script", "start_ms", "played_matches"),
    [("crasher", 20_000, 1), pytest.param("dumb", 3_000, 1, marks=pytest.mark.long), ("raiser", 20_000, 3)],
)
def test_a_room_that_restarts_ends_after_the_match_in_which_a_bot_goes(
    script: str, start_ms: int, played_matches: int, tmp_path: Path
) -> None:
    spec = room_with(script, tmp_path, matches=3, deals=3, clock=replace(GENEROUS, start_ms=start_ms))
    assert len(played(replace(spec, restarts=True))) == played_matches
    assert processes_of(tmp_path) == []


def test_an_async_bot_thinks_at_many_tables_at_once(tmp_path: Path) -> None:
    at_once = played(room_with("thinker", tmp_path, matches=4, deals=4, tables=4))
    alone = played(room_with("honest", tmp_path, matches=4, deals=4), ALL_HONEST)
    assert [outcome.faults for outcome in at_once] == [()] * 4
    assert [outcome.record for outcome in at_once] == [outcome.record for outcome in alone]


def test_a_cancelled_room_takes_its_bots_with_it(tmp_path: Path) -> None:
    async def cancel_once_playing() -> None:
        room = Room(room_with("silent", tmp_path))
        async with room.run_bots():
            await room.assemble()
            assert processes_of(tmp_path)
            playing = asyncio.create_task(room.play())
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing

    asyncio.run(cancel_once_playing())
    assert processes_of(tmp_path) == []


@pytest.mark.parametrize("step", ["start", "end", "stop"])
@pytest.mark.parametrize("bot", [pytest.param("honest", marks=pytest.mark.long), "silent"])
def test_a_room_cancelled_while_it_opens_or_closes_is_closed_all_the_same(
    step: str, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[str] = []

    async def cancel_there() -> list[str]:
        there = asyncio.Event()

        def telling(real: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            name = real.__name__

            async def tell(*arguments: Any) -> Any:
                if name == step:
                    there.set()
                done = await real(*arguments)
                came.append(name)
                return done

            return tell

        server = type(grpc.aio.server())
        monkeypatch.setattr(BotProcess, "start", telling(BotProcess.start))
        monkeypatch.setattr(BotProcess, "end", telling(BotProcess.end))
        monkeypatch.setattr(server, "stop", telling(server.stop))
        room = asyncio.create_task(play_room(room_with(bot, tmp_path, clock=IMPATIENT)))
        await there.wait()
        for _ in range(3):
            room.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await room
        return processes_of(tmp_path)

    assert asyncio.run(cancel_there()) == []
    assert came in (["start", "end", "stop"], ["start"] * 3 + ["end"] * 3 + ["stop"])


def test_a_room_that_the_host_cannot_open_fails_and_scores_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(RoomFailed, match="m0001"):
        asyncio.run(play_room(room_with("honest", tmp_path)))


def tasks_of_rooms(name: str) -> list[asyncio.Task[Any]]:
    """The tasks in this loop whose coroutine has this name."""
    return [task for task in asyncio.all_tasks() if str(getattr(task.get_coro(), "__qualname__", "")).startswith(name)]


@pytest.mark.parametrize(
    "step",
    [
        "bourre.codec.BundleWriter.write",
        pytest.param("bourre.codec.answers_from_wire", marks=pytest.mark.long),
        "bourre_referee.server.connection.Connection.receive",
        pytest.param("bourre_referee.server.table.Table.answer", marks=pytest.mark.long),
        "bourre_referee.server.reconnection.Reconnection.await_return",
    ],
)
def test_a_mistake_of_the_referee_ends_the_room_is_charged_to_nobody_and_leaves_nothing_behind(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def left() -> list[str]:
        with pytest.raises(KeyError, match="a mistake of ours"):
            await visited(room_with("crasher", tmp_path))
        for carrying in tasks_of_rooms("_carried"):
            await asyncio.wait({carrying})  # gRPC cancels its calls a moment later
        return [str(task) for task in [*tasks_of_rooms("Room."), *tasks_of_rooms("Reconnection.")]]

    monkeypatch.setattr(step, Mock(side_effect=KeyError("a mistake of ours")))
    assert asyncio.run(left()) == []


def test_a_missing_program_is_the_bots_fault(tmp_path: Path) -> None:
    spec = room_with("honest", tmp_path)
    missing = BotEntry("tested", ("no-such-program",), spec.entries[0].folder)
    (outcome,) = played(replace(spec, entries=(missing, *spec.entries[1:])))
    assert faults_of(outcome, "tested") == {"start_failure": 1}
    assert "cannot run no-such-program" in (tmp_path / "tested" / "m0001.log").read_text()


def test_a_bot_that_its_author_starts_connects_over_tcp(tmp_path: Path) -> None:
    spec = room_with("honest", tmp_path)
    by_author = replace(spec, entries=(BotEntry("tested", None, spec.entries[0].folder), *spec.entries[1:]))
    authors: list[subprocess.Popen[bytes]] = []

    def start_it(bot: str, address: str, token: str) -> None:
        assert bot == "tested"
        assert address.startswith("127.0.0.1:")
        environment = {**os.environ, "BOURRE_ADDRESS": address, "BOURRE_TOKEN": token}
        authors.append(subprocess.Popen([sys.executable, str(BOTS / "honest.py")], env=environment))

    (outcome,) = asyncio.run(play_invited(by_author, start_it))
    assert [author.wait(timeout=60) for author in authors] == [0]
    assert outcome.faults == ()
    (launched,) = played(room_with("honest", tmp_path), guests={})
    assert launched.record == outcome.record


def test_a_bot_that_its_author_never_starts_is_played_by_the_house(tmp_path: Path) -> None:
    spec = room_with("honest", tmp_path, clock=replace(GENEROUS, connect_ms=50))
    unattended = replace(spec, entries=(BotEntry("tested", None, spec.entries[0].folder), *spec.entries[1:]))
    (outcome,) = asyncio.run(play_invited(unattended, lambda _bot, _address, _token: None))
    assert faults_of(outcome, "tested") == {"start_failure": 1}


def test_a_bot_that_has_hardly_begun_is_killed_too(tmp_path: Path) -> None:
    lifeline = Path(bourre_referee.sandbox.supervisor.__file__)
    started = subprocess.Popen(
        [sys.executable, "-IS", str(lifeline), "sleep", "1000"], stdin=subprocess.PIPE, env=os.environ
    )
    assert started.stdin is not None
    started.stdin.close()
    assert started.wait(timeout=60) == 0
    assert processes_of(tmp_path) == []


def test_a_renege_that_stands_costs_a_match_and_is_reported_in_the_bots_own_log(tmp_path: Path) -> None:
    (outcome,) = played(room_with("reneger", tmp_path, deals=20), guests={})
    tested = outcome.result.seats[0]
    assert faults_of(outcome, "tested") == {}
    told = [str(event) for step in replay(read(outcome.record)) for event in step.events]
    assert any("barred from the pot and owes" in line and "R8.1" in line for line in told)
    assert any("pays" in line and "renege" in line for line in told)
    log = (tmp_path / "tested" / "m0001.log").read_text()
    assert sum(times for _, times in tested.reneges_by_rule) == tested.reneges > 0
    for rule, times in tested.reneges_by_rule:
        assert log.count(f": {sentence(rule)}") >= times
    assert "holding" in log
    assert "legal: " in log
    assert "into the next pot: " in log
    assert "a renege (R8.1)" in log
    assert "see it all: bourre replay RUN m0001 --deal" in log
    assert (tmp_path / "honest1" / "m0001.log").read_text() == ""
