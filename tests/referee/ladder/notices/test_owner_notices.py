"""What owners are told: a suspended bot, a bot that does not start, a bot that is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bourre.rules.actions import Fault
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import BotBenched
from bourre_referee.ladder.notices.owner_notices import read_notices
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import MatchOutcome, MatchSpec, SeatFault
from bourre_referee.runner.room_reports import RefusedHellos, RemotePresence
from tests.referee.ladder.host.hosts import host
from tests.referee.ladder.host.ladder_folders import NOW, add_bot, append, make_ladder, with_bots
from tests.referee.realistic_rooms import played


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    ladder = with_bots(make_ladder(tmp_path), tmp_path, "ada", "bob", "cy")
    add_remote(ladder, Newcomer("far", owner="Ann"), lambda: NOW)
    return ladder


def never_starting(bot: str) -> Callable[[MatchSpec], MatchOutcome]:
    """Plays matches in which this entrant does not start."""

    def play(spec: MatchSpec) -> MatchOutcome:
        seats = [seat for seat, entrant in enumerate(spec.line_up) if entrant.startswith(bot)]
        return replace(played(spec), faults=tuple(SeatFault(seat, Fault.START_FAILURE, 1) for seat in seats))

    return play


def test_the_owner_of_a_suspended_bot_is_told_once_and_by_any_host(ladder: LadderFolder) -> None:
    append(ladder, BotBenched("cy", "long ago", by="host"))
    with host(ladder) as serving:
        serving.steps(2)
        append(ladder, BotBenched("ada", "it harms others", by="host"))
        serving.steps(2)
        assert [notice.text for notice in serving.notices] == ["ada.1 was suspended: it harms others"]
    assert [notice.owner for notice in read_notices(ladder.notices)] == ["ada"]
    with host(ladder) as again:
        again.steps(2)
        append(ladder, BotBenched("bob", "too", by="host"))
        again.steps(1)
        assert [notice.number for notice in again.notices] == [2]


def test_the_owner_of_a_bot_that_does_not_start_is_told_at_once_and_not_after_each_room(
    ladder: LadderFolder, tmp_path: Path
) -> None:
    with host(ladder, never_starting("bob")) as serving:
        serving.steps(12)
        (notice,) = serving.notices
        assert (notice.bot, notice.owner, notice.happened) == ("bob.1", "bob", "failed to start")
        assert notice.text.startswith("bob.1 failed to start: in room ")
        add_bot(ladder, tmp_path / "bob", Newcomer("bob"), "# another\n")
        serving.steps(8)
        assert [notice.bot for notice in serving.notices] == ["bob.1", "bob.2"]


def test_staff_is_the_hosts_own(ladder: LadderFolder) -> None:
    with host(ladder, never_starting("tight")) as serving:
        serving.steps(6)
        assert serving.notices == []


def test_the_owner_of_a_refused_bot_is_told_once_an_hour_at_most(ladder: LadderFolder) -> None:
    kinds = ("revoked token", "unknown token", "already connected")
    refused = tuple(RefusedHellos(kind, "" if kind == "unknown token" else "far", 3) for kind in kinds)
    with host(ladder) as serving:
        for minutes in (0, 30, 31):
            serving.now += timedelta(minutes=minutes)
            serving.rooms.come = [RemotePresence((), frozenset(), refused=refused)]
            serving.steps(2)
        assert [(notice.bot, notice.owner, notice.happened) for notice in serving.notices] == [
            ("far.1", "Ann", "refused")
        ] * 2
        assert "ask the host for a new one" in serving.notices[0].text


def test_a_damaged_file_is_named(ladder: LadderFolder) -> None:
    ladder.notices.write_text("{")
    with pytest.raises(ContestError, match=r"notices\.json: Invalid JSON.*\nhint: remove it"):
        read_notices(ladder.notices)
