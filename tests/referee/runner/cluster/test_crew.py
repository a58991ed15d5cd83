"""The folder of a Dask worker's crew, and the processes that play its rooms."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bourre_referee.model.spec import Clock, Isolation, RoomSpec
from bourre_referee.runner.cluster import crew
from bourre_referee.runner.cluster.crew import Crew, make_folder
from bourre_referee.runner.cluster.fitness import reference_room
from bourre_referee.runner.worker import Failed, Played
from tests.end_to_end.processes import no_child_left

pytestmark = pytest.mark.xdist_group("processes")


def age(folder: Path) -> None:
    os.utime(folder, (0, 0))


def test_folders_of_crews_that_were_killed_are_removed_and_others_are_not(tmp_path: Path) -> None:
    left, held, new, other = (tmp_path / name for name in ("bourre-worker-left", "x", "bourre-worker-new", "other"))
    for folder in (left, new, other):
        folder.mkdir()
    held = make_folder(tmp_path)
    for folder in (left, held, other):
        age(folder)
    made = make_folder(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {held.name, made.name, new.name, other.name}


@pytest.fixture
def reference() -> RoomSpec:
    return reference_room(Isolation(), Clock(start_ms=60_000, decision_ms=20_000))


def test_a_crew_plays_with_one_process_again_and_again_and_leaves_nothing(
    reference: RoomSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    with no_child_left(), TemporaryDirectory(prefix="crew-") as folder:  # short, as sockets are in it
        monkeypatch.setattr(tempfile, "tempdir", folder)
        hands = Crew()
        answers = [hands.play(reference) for _ in range(2)]
        assert all(isinstance(answer.answer, Played) for answer in answers)
        assert [list(answer.logs) for answer in answers] == [["own1", "own2"]] * 2
        assert len(hands._idle) == 1
        hands.close()
        assert list(Path(folder).iterdir()) == []


def test_a_room_that_nobody_wants_is_ended(reference: RoomSpec) -> None:
    with no_child_left():
        hands = Crew()
        answer = hands.play(reference, lambda: False)
        assert answer.answer == Failed("nobody wants this room any more")
        hands.close()


def test_a_log_that_is_sent_home_is_bounded(reference: RoomSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_LONGEST_LOG", 5)
    own1, own2 = reference.entries
    loud = replace(own1, command=("python", "-c", "print('a' * 100)"))
    hands = Crew()
    answer = hands.play(replace(reference, entries=(loud, own2)))
    hands.close()
    assert answer.logs == {"own1": b"[bour", "own2": b""}  # the first line says that it never started
