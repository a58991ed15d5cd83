"""Referees of a contest in a database: one leads, another takes over, and the server may be gone for a while."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import StoreGone
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import RunLocation, place_in_database
from bourre_referee.verify.run_source import source_of
from tests.postgres_server import PostgresServer
from tests.referee import contests, rooms
from tests.referee.command import Bourre
from tests.referee.in_process import run_in_process
from tests.referee.leading_program import read_until, start
from tests.referee.scripted_rooms import ScriptedRooms


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    os.mkfifo(tmp_path / "pipe")
    text = contests.FILE.replace("small", f"small-{uuid4().hex[:12]}")
    return contests.small_contest(tmp_path / "contest", text)


@pytest.fixture
def place(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> RunLocation:
    return place_in_database(postgres.url, contest.name, tmp_path / "logs")


@pytest.fixture
def leader(contest: Contest, postgres: PostgresServer, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A referee that has stored four of ten matches, and plays the fifth until the pipe is written."""
    with start(tmp_path, postgres.url, "m0005") as program:
        read_until(program, "done 4")
        yield program
        program.kill()


@pytest.fixture
def second(leader: subprocess.Popen[str], postgres: PostgresServer, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A referee that stands by."""
    with start(tmp_path, postgres.url, "") as program:
        assert "standing by: another referee leads" in read_until(program, "told")
        yield program
        program.kill()


def serial_digest(contest: Contest, folder: Path) -> str | None:
    return run_in_process(contest, folder, rooms.played).manifest.digest


def test_a_leader_that_falls_silent_is_replaced_and_stores_nothing_more(
    leader: subprocess.Popen[str],
    second: subprocess.Popen[str],
    contest: Contest,
    place: RunLocation,
    tmp_path: Path,
    bourre: Bourre,
) -> None:
    refused = bourre("annul", str(place), "m0001", "--reason", "smoke")
    assert refused.code == 2
    assert "another referee leads this contest." in refused.err
    leader.send_signal(signal.SIGSTOP)
    assert read_until(second, "done") == "done 4\n"
    read_until(second, "ended")
    taken_over = Run.open(place)
    assert taken_over.manifest.digest == serial_digest(contest, tmp_path / "serial")
    before = place.state()
    leader.send_signal(signal.SIGCONT)
    (tmp_path / "pipe").write_bytes(b"go on")  # the room of the first ends, and is reported too late
    assert "another referee leads this contest now" in read_until(leader, "LeadLost")
    assert leader.wait() == 0
    assert place.state() == before
    assert [match.attempt for match in taken_over.stored_matches()] == [1] * 10
    assert taken_over.voids() == []


@pytest.mark.long
def test_a_server_that_restarts_has_one_leader_again(
    leader: subprocess.Popen[str],
    second: subprocess.Popen[str],
    contest: Contest,
    place: RunLocation,
    postgres: PostgresServer,
    tmp_path: Path,
) -> None:
    postgres.stop("immediate")
    postgres.start()
    (tmp_path / "pipe").write_bytes(b"go on")
    said = [(program.communicate()[0]) for program in (leader, second)]
    # Whoever is first to come back goes on; the other one comes too late, or finds that all is done.
    assert said[1].endswith("ended\n")
    assert said[0].endswith("ended\n") or "LeadLost" in said[0]
    assert Run.open(place).manifest.digest == serial_digest(contest, tmp_path / "serial")
    assert [match.attempt for match in Run.open(place).stored_matches()] == [1] * 10


@pytest.mark.long
def test_a_second_referee_can_be_stopped_while_it_stands_by(second: subprocess.Popen[str]) -> None:
    second.send_signal(signal.SIGINT)
    assert second.wait() != 0


def test_play_goes_on_while_the_server_is_gone(contest: Contest, stoppable: PostgresServer, tmp_path: Path) -> None:
    told: list[str] = []

    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 3:
            stoppable.stop("immediate")
        if progress.latest and progress.done == 7:
            stoppable.start()

    place = place_in_database(stoppable.url, contest.name, tmp_path / "logs")
    played = run(contest, place, watch=watch, tell=told.append, executor=ScriptedRooms().make)
    undisturbed = run_in_process(contest, tmp_path / "run", rooms.played)
    assert (played.manifest.digest, played.manifest.chain) == (undisturbed.manifest.digest, undisturbed.manifest.chain)
    assert [match.attempt for match in played.stored_matches()] == [1] * 10
    assert played.voids() == []
    gone, back = told
    assert "the server is gone: " in gone
    assert gone.endswith("Results are kept until the server is back, and then stored.")
    assert back.endswith("the server is back. Kept results are being stored.")


def test_a_run_that_ends_while_the_server_is_gone_says_what_is_lost(
    contest: Contest, stoppable: PostgresServer, tmp_path: Path
) -> None:
    def watch(progress: Progress) -> None:
        if progress.latest and progress.done == 3:
            stoppable.stop("immediate")
        if progress.latest and progress.done == 6:
            raise KeyboardInterrupt

    place = place_in_database(stoppable.url, contest.name, tmp_path / "logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bourre_referee.runner.interrupt.InterruptibleWait.wait", lambda *_: False)
        with pytest.raises(StoreGone, match="5 changes since then, such as finished rooms, are not stored"):
            run(contest, place, watch=watch, executor=ScriptedRooms().make)
    stoppable.start()
    assert len(Run.open(place).matches()) == 3
    again = run(contest, place, executor=ScriptedRooms().make)
    assert again.manifest.digest == serial_digest(contest, tmp_path / "run")


DEATHS = 20


def read_some(program: subprocess.Popen[str], lines: int) -> bool:
    """Reads this many lines; whether the program has ended before."""
    assert program.stdout is not None
    return any(not program.stdout.readline() for _ in range(lines))


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(1, 12))
def test_whatever_dies_the_end_is_the_same(postgres: PostgresServer, tmp_path: Path, seed: int) -> None:
    """A death is a SIGKILL of the referee, another of which is standing by, or an immediate stop of the server."""
    chance = Random(seed)
    text = contests.FILE.replace("small", f"small-{uuid4().hex[:12]}")
    text = text.replace("rounds = 2", f"rounds = {2 + DEATHS // 2}")
    contest = contests.small_contest(tmp_path / "contest", text)
    referees = [start(tmp_path, postgres.url, ""), start(tmp_path, postgres.url, "")]
    for _ in range(DEATHS):
        ended = read_some(referees[0], chance.randint(1, 6))
        if not ended and chance.random() < 0.5:
            postgres.stop("immediate")
            postgres.start()
        else:
            referees[0].kill()
            referees.append(start(tmp_path, postgres.url, ""))
            referees.pop(0).communicate()
        referees.reverse()
    # A referee that begins while the server is gone says so and ends; the last one finds it running.
    *_, said = [referee.communicate()[0] for referee in [*referees, start(tmp_path, postgres.url, "")]]
    assert said.endswith("ended\n")
    place = place_in_database(postgres.url, contest.name, tmp_path / "logs")
    finished = Run.open(place)
    serial = run_in_process(contest, tmp_path / "serial", rooms.played)
    assert (finished.manifest.digest, finished.manifest.chain) == (serial.manifest.digest, serial.manifest.chain)
    assert [match.attempt for match in finished.stored_matches()] == [1] * len(serial.matches())
    assert finished.voids() == []
    assert len(list(source_of(place).matches())) == len(serial.matches())
