"""What a worker must show before it plays: each difference is named, with a hint."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Clock, Entry, Isolation, Level, OwnIsolation
from bourre_referee.runner.cluster import worker_tasks
from bourre_referee.runner.cluster.worker_tasks import find_unfitness, last_words, own_installation, reference_room

PLAIN = Isolation()
ADA = BotSpec("ada", ("python", "ada.py"), files=("ada.py",))


def reason(*bots: BotSpec, place: Path, isolation: Isolation = PLAIN) -> str | None:
    """Why a site in this folder cannot start these bots."""
    found = find_unfitness(bots, isolation, Site(place, place / "logs"))
    return found.reason if found else None


@pytest.mark.parametrize("part", ["bourre", "protocol", "build"])
def test_another_installation_is_told_by_what_differs(part: str) -> None:
    own = own_installation()
    assert own.difference(asdict(own)) is None
    found = own.difference({**asdict(own), part: "9.9"})
    assert found is not None
    assert f"{part} is 9.9 there, and {asdict(own)[part]} here" in found.reason
    missing = own.difference({})
    assert missing is not None
    assert "bourre is unknown there" in missing.reason


def test_a_program_a_venv_or_a_variable_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.py").touch()
    assert reason(ADA, place=tmp_path) is None
    assert reason(replace(ADA, command=("no-such-program", "ada.py")), place=tmp_path) == (
        "bot ada: there is no no-such-program there: install it, or play without this machine"
    )
    assert reason(replace(ADA, venv="env"), place=tmp_path) == (
        f"bot ada: there is no {tmp_path / 'env'} there: install it, or play without this machine"
    )
    monkeypatch.delenv("BOT_KEY", raising=False)
    needy = replace(ADA, environment=("BOT_KEY",))
    assert "BOT_KEY" in (reason(needy, place=tmp_path) or "")
    monkeypatch.setenv("BOT_KEY", "secret")
    assert reason(needy, place=tmp_path) is None


def test_each_isolation_is_tried_with_the_bots_that_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[Level, list[str]]] = []

    def probe(isolation: Isolation, entries: list[Entry]) -> str | None:
        tried.append((isolation.level, [entry.name for entry in entries]))
        return "no box" if isolation.level is Level.BWRAP else None

    monkeypatch.setattr(worker_tasks, "unavailable_reason", probe)
    boxed = replace(ADA, name="bob", isolation=OwnIsolation(Level.BWRAP))
    assert reason(ADA, boxed, place=tmp_path) == 'isolation level = "bwrap" is not available there: no box'
    assert tried == [(Level.NONE, ["ada"]), (Level.BWRAP, ["bob"])]


def test_the_last_line_of_a_reference_bot_says_why() -> None:
    assert last_words({"own1": b"one\ntwo\n\n", "own2": b""}) == "two"
    assert last_words({}) == "they printed nothing"


def test_a_folder_that_every_box_shows_is_no_place_for_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_tasks, "find_exposing_folder", lambda isolation, folder: folder.parent)
    (tmp_path / "ada.py").touch()
    assert reason(ADA, place=tmp_path) == (
        f"every bot could read {tmp_path / 'logs'}, as boxes contain {tmp_path}: set TMPDIR to another folder"
    )


def test_reference_bots_have_ample_time_to_start_and_no_fault_to_spare() -> None:
    boxed = Isolation(Level.BWRAP)
    room = reference_room(boxed, Clock(start_ms=1, decision_ms=1, bank_ms=1))
    assert room.clock == Clock()
    assert reference_room(boxed, Clock(start_ms=60_000)).clock == Clock(start_ms=60_000)
    assert (room.isolation, room.max_faults, room.tables, room.matches[0].deals) == (boxed, 1, 1, 1)
    assert [bot.name for bot in room.entries] == list(room.matches[0].line_up) == ["own1", "own2"]
