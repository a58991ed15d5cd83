"""Fake rooms in which bots talk: notes with hostile text, and what their answers cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bourre.notes import Usage
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from tests.referee import contests, realistic_rooms
from tests.referee.in_process import finished_run, leave_at

PLAIN = "I hold the ace"
HOSTILE = "\x1b[2J<script>alert('&')</script>\r\n=cmd|' /C calc'!A0\u202edlrow"
FORMULA = "=1+1"
SECRET = contests.FILE.replace("seed = 7\n", "")
"""A contest whose seed is secret until its end."""


def played(spec: MatchSpec) -> MatchOutcome:
    """A match like any other, in which the first seat explains itself and the second one tries to do harm."""
    outcome = realistic_rooms.played(spec)
    silent = [SeatRemarks()] * (len(spec.line_up) - 2)
    polite = SeatRemarks((Note(1, None, 1, PLAIN), Note(2, None, 2, PLAIN)), Usage(1000, 50, 2, 2_500_000), dropped=3)
    return replace(
        outcome, remarks=(polite, SeatRemarks((Note(1, None, 2, HOSTILE), Note(1, None, 3, FORMULA))), *silent)
    )


def plainly(spec: MatchSpec) -> MatchOutcome:
    """The same without the harm."""
    outcome = played(spec)
    return replace(outcome, remarks=(outcome.remarks[0], *[SeatRemarks()] * (len(spec.line_up) - 1)))


def run_to_the_end(place: Path, text: str = contests.FILE) -> Path:
    """A finished run of ten matches; a secret seed is revealed."""
    return finished_run(place, text, played)


def run_half(place: Path, text: str = SECRET) -> Path:
    """A run that was interrupted, so that a secret seed is still secret."""
    leave_at(5, contests.small_contest(place / "contest", text), place / "run", played)
    return place / "run"
