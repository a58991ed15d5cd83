"""A run as it was on 26 November 2026 is verified for ever, and the same bots still play it.

`python -m tests.referee.verify.test_kept_run` plays it and writes tests/data/duplicate_run anew.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bourre.rules.actions import Choice, Decision, Declare, Draw, Fault, Missing, Play
from bourre.rules.deck import derive
from bourre.rules.visibility import View
from bourre_referee.contest.contest_file import load
from bourre_referee.contest.recount import Amounts
from bourre_referee.export.export_reader import ExportFolder
from bourre_referee.export.export_writer import export
from bourre_referee.model.spec import MatchOutcome, MatchSpec, SeatTiming
from bourre_referee.server.table import AskOptions, Table
from bourre_referee.storage.run import contest_terms
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.referee.contests import write_contest
from tests.referee.in_process import run_in_process

KEPT = Path(__file__).parents[2] / "data" / "duplicate_run"
CONTEST = """\
[contest]
name = "kept"
seed = 7

[table]
seats = 3
deals = 4
format = "duplicate"

[rules]
preset = "limit"

[faults]
max = 3

[schedule]
rounds = 1

[isolation]
level = "none"

"""
BOTS = ("bold", "late", "reneging", "shy")


def write_run(out: Path) -> None:
    """Plays the contest in this process, and exports its run without tables."""
    with TemporaryDirectory() as folder:
        contest = load(write_contest(Path(folder, "contest"), CONTEST, BOTS))
        export(run_in_process(contest, Path(folder, "run"), _played), "jsonl", out, tables=())


def _played(spec: MatchSpec) -> MatchOutcome:
    """A board, with answers that follow from its seed, the names of the bots and their number."""
    assert spec.board is not None
    table = Table(1, spec, [AskOptions(forced_plays=False, events=False)] * len(spec.line_up), max_faults=3)
    table.begin(())
    asked = 0
    while not table.over:
        for seat in table.to_ask:
            dice = derive(spec.seed, f"{spec.board.deal} {spec.board.seating} {asked}")
            table.answer(seat, _answer(spec.line_up[seat], table.ask(seat, 0, 0).view, dice))
            asked += 1
    return table.outcome(tuple(SeatTiming(10, 1.5, 0.5) for _ in spec.line_up))


def _answer(bot: str, view: View, dice: bytes) -> Choice | Missing:
    if bot == "late" and dice[0] < 80:
        return Missing(Fault.LATE)
    thrown = view.hand[: dice[1] % (4 if bot == "bold" else 3)]
    if view.decision == Decision.DECLARE:
        return Declare(dice[2] % 8 > {"bold": 0, "shy": 4}.get(bot, 2), thrown)
    if view.decision == Decision.DRAW:
        return Draw(thrown)
    cards = view.hand if bot == "reneging" and dice[3] < 80 else view.legal
    return Play(cards[dice[4] % len(cards)])


def test_the_kept_run_is_verified_and_comes_to_what_it_came_to() -> None:
    found = verify(source_of(KEPT), jobs=1)
    assert found.digest == "dc1cad4358941abf7e0ddc4d1bd97be68fbcf2c9eeccc816bf6d92754d533b5d"
    assert found.chain == "ccbeb94e3949e6f69771c6ff380ab4480dd4a718afab4a7adcff1c2325781cca"
    assert found.amounts == Amounts(deals=48, decisions=487, reneges=7, faults=21, chips=204)
    rows = json.loads((KEPT / "standings.json").read_text())["standings"]
    keys = ("chips", "adjusted_per_100", "wins", "bourres", "reneges", "faults", "house_deals")
    assert {row["bot"]: tuple(row[key] for key in keys) for row in rows} == {
        "bold": (30, 63.0989, 17, 3, 0, 0, 0),
        "reneging": (-10, 5.3139, 7, 3, 7, 0, 0),
        "shy": (-7, -24.9913, 3, 1, 0, 0, 0),
        "late": (-13, -43.4215, 9, 2, 0, 21, 0),
    }
    luck = [[block.luck for block in match.blocks] for match in ExportFolder(KEPT).matches()]
    assert luck == [
        [(44520, 110040, -154560), (3234, 24248, -27482), (18113, 43586, -61699), (-26887, 29522, -2635)],
        [(-87360, -4200, 91560), (-137823, 23539, 114284), (-3264, -28959, 32223), (-16198, -16715, 32913)],
        [(-20160, 40320, -20160), (-8508, -77073, 85581), (-42106, 23994, 18112), (-15690, 46320, -30630)],
        [(2520, -5040, 2520), (68545, -68980, 435), (-21059, -46865, 67924), (-30584, 37428, -6844)],
    ]


def test_the_same_bots_still_play_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest_terms, "BASELINE", "bot styles 1")
    write_run(tmp_path / "out")
    names = ["matches.jsonl", *(f"records/{path.name}" for path in (KEPT / "records").iterdir())]
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (KEPT / name).read_bytes(), name
    assert ExportFolder(tmp_path / "out").manifest().chain == ExportFolder(KEPT).manifest().chain


if __name__ == "__main__":
    write_run(KEPT)
