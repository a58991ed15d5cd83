"""`on_trouble = "void"`: a match in which a model's server failed is played again, and only such a match."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bourre.rules.actions import Fault
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import plan
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import MatchOutcome, RoomSpec, SeatFault
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.room_reports import RoomLost, RoomPlayed, RoomTask
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.run.contest_terms import terms_of
from bourre_referee.storage.run.run_writer import begin_run
from tests.referee import contests, realistic_rooms
from tests.referee.command import called
from tests.referee.scripted_rooms import ScriptedRooms

SERVER = 'model = "m-1"\nbase_url = "http://127.0.0.1:1/v1"\n'
HEAD = contests.FILE.replace("seats = 3\ndeals = 4", "seats = 2\ndeals = 16").replace("rounds = 2", "rounds = 3")
MODELS = f"""{HEAD}
[[models]]
name = "mini"
on_trouble = "void"
{SERVER}
[[models]]
name = "maxi"
{SERVER}
"""


class FailingServers:
    """Rooms whose bots all say now and then that their server failed, and answer otherwise at each attempt."""

    def __init__(self) -> None:
        self.attempts = Counter[str]()
        self.failed: dict[str, list[set[str]]] = {}
        """The bots with such a fault in each attempt, by match."""

    async def play(self, room: RoomSpec) -> list[MatchOutcome]:
        self.attempts[room.room] += 1
        label = f"attempt {self.attempts[room.room]}"
        [outcome] = [realistic_rooms.played(match, label, silent=Fault.PROVIDER) for match in room.matches]
        failed = {room.matches[0].line_up[fault.seat] for fault in outcome.faults if fault.fault is Fault.PROVIDER}
        self.failed.setdefault(room.room, []).append(failed)
        return [outcome]


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path / "contest", MODELS)


def test_only_a_model_is_forgiven_and_its_last_attempt_counts(contest: Contest, tmp_path: Path) -> None:
    rooms, heard = FailingServers(), list[Progress]()
    finished = run(contest, tmp_path / "run", executor=ScriptedRooms(rooms.play).make, watch=heard.append)
    for match in finished.stored_matches():
        *lost, counted = rooms.failed[match.match]
        assert match.attempt == len(lost) + 1
        assert all("mini" in failed for failed in lost)
        assert "mini" not in counted or match.attempt == 3
        assert counted == {seat.bot for seat in match.seats if "provider" in dict(seat.faults_by_kind)}
    counts = Counter(len(failed) for failed in rooms.failed.values())
    assert sorted(counts) == [1, 2, 3]
    last = [match for match, failed in rooms.failed.items() if "mini" in failed[-1]]
    told = {notice for progress in heard for notice in progress.notices}
    assert {
        f"room {match} counts after 3 attempts, with faults: the model's server failed mini" for match in last
    } < told
    checked = called("verify", tmp_path / "run")
    assert checked.code == 0, checked.out
    assert checked.out.count("lost without a bot's fault (the model's server failed mini)") == counts[2] + 2 * counts[3]


def test_a_room_that_ends_early_loses_only_what_it_played_and_is_played_again_whole(contest: Contest) -> None:
    one = next(room for room in plan(contest, bytes(32)) if "mini" in room.matches[0].line_up)
    [first] = one.matches
    room = replace(one, matches=(first, replace(first, match="m0099")))
    failed = (SeatFault(first.line_up.index("mini"), Fault.PROVIDER, 1),)
    outcome = replace(realistic_rooms.played(first), faults=failed)
    assert RoomTask(room).played((outcome,)) == (RoomLost(one, 1, "the model's server failed mini"), RoomTask(room, 2))
    played, rest = RoomTask(room, 3).played((outcome,))
    assert isinstance(played, RoomPlayed)
    assert (played.room, rest) == (one, RoomTask(room.rest(room.matches[1:])))


def test_the_terms_say_it_and_a_run_does_not_continue_without_it(contest: Contest, tmp_path: Path) -> None:
    mini, maxi = (bot.model for bot in terms_of(contest).bots[-2:])
    assert (mini and mini.on_trouble, maxi and maxi.on_trouble) == ("void", None)
    charged = contests.small_contest(tmp_path / "charged", MODELS.replace('on_trouble = "void"', ""))
    begun = begin_run("small", terms_of(contest), bytes(32), 1, datetime.now(UTC))
    assert changes(begun, "small", terms_of(charged)) == ["bot mini: on_trouble was 'void', is not set"]


def test_no_bot_may_learn_the_cards_of_a_match_that_is_played_again(tmp_path: Path) -> None:
    """Its author would hear them in between."""
    remote = MODELS.replace("[[models]]", '[[bots]]\nname = "far"\nconnect = true\n[[models]]', 1)
    with pytest.raises(ContestError, match=r'\[\[models\]\] mini: on_trouble = "void" .* far could tell') as refused:
        contests.small_contest(tmp_path / "contest", remote)
    assert 'hint: set on_trouble = "charge"' in str(refused.value)
