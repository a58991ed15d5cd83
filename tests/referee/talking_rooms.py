"""Fake rooms in which bots talk: notes with hostile text, and what their answers cost."""

from __future__ import annotations

from dataclasses import replace

from bourre.remarks import Usage
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from tests.referee import realistic_rooms

HOSTILE = "\x1b[2J<script>alert('&')</script>\r\n=cmd|' /C calc'!A0\u202edlrow"
PLAIN = "I hold the ace"


def played(spec: MatchSpec) -> MatchOutcome:
    """A match like any other, in which the first seat explains itself and the second one tries to do harm."""
    outcome = realistic_rooms.played(spec)
    silent = [SeatRemarks()] * (len(spec.line_up) - 2)
    polite = SeatRemarks((Note(1, None, 1, PLAIN), Note(2, None, 2, PLAIN)), Usage(1000, 50, 2, 2_500_000), dropped=3)
    return replace(outcome, remarks=(polite, SeatRemarks((Note(1, None, 2, HOSTILE),)), *silent))
