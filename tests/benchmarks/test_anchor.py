"""The comparison with another dealer, against one of shell that says at once what it played."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import anchor
import pytest

from bench.room_speed import RoomTiming
from tests.referee.command import Ended

LOG = """# name/game/hands/seed match holdem.limit.3p.game 2 7
STATE:0:crrc/cc/rf:8dJd|Td4d|As9d/6s3d6c/2c:-60|-60|120:a|b|c
STATE:1:fr:7h2h|6d5d|QcQs:-5|0|5:b|c|a
SCORE:-60|-65|125:a|b|c
"""
ACTIONS = 10


def dealer(folder: Path, ending: str) -> Path:
    """Puts a dealer into a folder, and players that do nothing."""
    programs = {"dealer": f"echo 1 2 3\ncat > match.log <<'END'\n{LOG}END\n{ending}", "example_player": "exit 0"}
    for name, program in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{program}\n")
        (folder / name).chmod(0o755)
    (folder / "holdem.limit.3p.game").touch()
    return folder


def compare(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ended:
    """Runs the program; our room and the clock say always the same."""
    monkeypatch.setattr(anchor, "time_room", lambda deals, _tables, seats: RoomTiming(0, deals * seats, 2.0))
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr(anchor, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    monkeypatch.setattr(sys, "argv", ["anchor.py", str(folder), "--pairs", "2", "--deals", "5"])
    try:
        anchor.main()
    except SystemExit as ended:
        return Ended(ended.code, *capsys.readouterr())
    return Ended(0, *capsys.readouterr())


def test_actions_of_the_dealers_log_are_compared_with_decisions_of_our_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = compare(dealer(tmp_path, "exit 0"), monkeypatch, capsys)
    rates = f"dealer {ACTIONS / 2:.0f}, our room 8, ratio 1.50"
    assert told.out.splitlines()[1:-1] == [rates, rates, f"medians: {rates}"]


def test_a_dealer_that_fails_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = compare(dealer(tmp_path, "echo 'ERROR: seat 2 could not connect' >&2; exit 1"), monkeypatch, capsys)
    assert told.code == "anchor.py: the dealer ended with 1:\nERROR: seat 2 could not connect\n"


def test_a_folder_without_a_dealer_is_refused_with_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dealer(tmp_path, "exit 0")
    (tmp_path / "dealer").unlink()
    (tmp_path / "holdem.limit.3p.game").unlink()
    told = compare(tmp_path, monkeypatch, capsys)
    assert str(told.code).startswith(f"anchor.py: '{tmp_path}' lacks 'dealer', 'holdem.limit.3p.game', or they cannot")
