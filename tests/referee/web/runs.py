"""Play finished runs: one of bots with names that no contest file accepts, and one of format `duplicate`."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path

import dev
from bourre.bot_code.decisions import decide_now
from bourre_referee.contest.contest_file import load
from bourre_referee.model.spec import MatchOutcome, MatchSpec, SeatTiming
from bourre_referee.server.table import AskOptions, Table
from examples.follower import Follower
from examples.loose import Loose
from examples.tight import Tight
from tests.referee.contests import small_contest
from tests.referee.in_process import run_in_process

HOSTILE = (
    "<script>alert(1)<!--",
    "\"'><img src=x onerror=alert(1)>",
    "<b onmouseover=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}" + "W" * 280,
)
"""Names that try to be markup, an address or a template; no contest file has them, but a stranger's run may."""
PLAYERS = {"follower": Follower, "loose": Loose, "tight": Tight}


def hostile_run(place: Path) -> Path:
    """Plays ten matches of bots with those names, which renege and commit faults."""
    contest = small_contest(place / "contest")
    named = zip(contest.entrants, HOSTILE, strict=True)
    contest = replace(contest, name=HOSTILE[0], entrants=tuple(replace(bot, name=name) for bot, name in named))
    run_in_process(contest, place / "run")
    return place / "run"


def duplicate_run(place: Path, connecting: str = "") -> Path:
    """Plays two deals, each in its three seatings; `connecting` names the bot that its author starts."""
    bots = "".join(_entry(bot, bot == connecting) for bot in PLAYERS)
    (place / "contest.toml").write_text(
        '[contest]\nname = "twice"\nseed = 7\n[table]\nseats = 3\ndeals = 2\nformat = "duplicate"\n'
        f'[schedule]\nrounds = 1\n[clock]\nstart_ms = 60000\ndecision_ms = 60000\n[isolation]\nlevel = "none"\n{bots}'
    )
    run_in_process(load(place / "contest.toml"), place / "run", _play_board)
    return place / "run"


def _entry(bot: str, connecting: bool) -> str:
    """Returns a bot's section of the contest file."""
    command = f'command = ["python", "{dev.ROOT / "examples" / bot}.py"]'
    keys = "connect = true\ntrusted = true" if connecting else command
    return f'[[bots]]\nname = "{bot}"\n{keys}\n'


def _play_board(spec: MatchSpec) -> MatchOutcome:
    """Plays a board at a table of the referee, with the bots in this process."""
    bots = [PLAYERS[name]() for name in spec.line_up]
    table = Table(1, spec, [AskOptions(forced_plays=False, events=False)] * len(bots), max_faults=10)
    table.begin(())
    while not table.over:
        for view in [table.ask(seat, 0, 0).view for seat in table.to_ask]:
            table.answer(view.seat, decide_now(bots[view.seat], view, _wait))
    return table.outcome(tuple(SeatTiming(10, 1.5, 0.5) for _ in bots))


def _wait(answer: Awaitable[object]) -> object:
    raise AssertionError(f"{answer}: these bots never wait")
