"""Finished runs to be shown: of bots with names that no contest file takes, and of format `duplicate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import dev
from bourre_referee.contest.file import load
from bourre_referee.running.run import run
from tests.referee.contests import small_contest
from tests.referee.here import run_here

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "\u202egnp.exe\u2066",
    "javascript:alert(1)",
    "{{ 7 * 7 }}" + "W" * 10_000,
)
"""Names that would like to be markup, to turn the text around, to be an address, to be a template."""


def hostile_run(place: Path) -> Path:
    """Ten matches of bots with those names, which renege and are at fault."""
    contest = small_contest(place / "contest")
    named = zip(contest.entrants, HOSTILE, strict=True)
    contest = replace(contest, name=HOSTILE[0], entrants=tuple(replace(bot, name=name) for bot, name in named))
    run_here(contest, place / "run")
    return place / "run"


def duplicate_run(place: Path) -> Path:
    """Two deals, each in its three seatings, played by processes."""
    bots = "".join(
        f'[[bots]]\nname = "{bot}"\ncommand = ["python", "{dev.ROOT / "examples" / file}"]\n'
        for bot, file in (("random", "random_bot.py"), ("loose", "loose.py"), ("tight", "tight.py"))
    )
    (place / "contest.toml").write_text(
        '[contest]\nname = "twice"\nseed = 7\n[table]\nseats = 3\ndeals = 2\nformat = "duplicate"\n'
        f'[schedule]\nrounds = 1\n[clock]\nstart_ms = 60000\ndecision_ms = 60000\n[isolation]\nlevel = "none"\n{bots}'
    )
    run(load(place / "contest.toml"), place / "run", jobs=1)
    return place / "run"
