"""Referees and the server die at random moments: the digest is that of a serial run, and nothing is stored twice."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from bourre_referee.runner.contest_run import run
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.run_location import place_in_database
from bourre_referee.verify.run_source import source_of
from tests.postgres_server import PostgresServer
from tests.referee import contests, rooms
from tests.referee.leading_program import start

pytestmark = [pytest.mark.xdist_group("processes"), pytest.mark.timeout(900), pytest.mark.long]

DEATHS = 20


def read_some(program: subprocess.Popen[str], lines: int) -> bool:
    """Reads this many lines; whether the program has ended before."""
    assert program.stdout is not None
    return any(not program.stdout.readline() for _ in range(lines))


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
    serial = run(contest, tmp_path / "serial", jobs=1, play_room=rooms.play_room)
    assert (finished.manifest.digest, finished.manifest.chain) == (serial.manifest.digest, serial.manifest.chain)
    assert [match.attempt for match in finished.stored_matches()] == [1] * len(serial.matches())
    assert finished.voids() == []
    assert len(list(source_of(place).matches())) == len(serial.matches())
