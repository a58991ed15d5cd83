"""What becomes of a room that the log called: the task that is played, and the game that is read again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_entries import RoomMaker
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_terms import epoch_terms
from bourre_referee.ladder.host.open_epochs import GameReader
from bourre_referee.ladder.log.seasons import OpenRoom, Place
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import BotSpec, Clock, Isolation, Limits, MatchSpec, RoomSpec, SeatFault
from tests.referee.ladder.host.ladder_folders import add_bot, joined_in, make_ladder
from tests.referee.ladder.host.played_ladders import small_ladder


def test_a_room_has_the_terms_of_its_epoch_and_each_version_is_watched_by_itself(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    for text in ("# first\n", "# second\n"):
        add_bot(ladder, tmp_path / "ada", Newcomer("ada"), text)
    add_remote(ladder, Newcomer("far"))
    _, first, second, far = joined_in(ladder)
    isolation = Isolation(limits=Limits(memory_mib=7))
    maker = RoomMaker(ladder.settings(), isolation, ladder.files_of)
    terms = epoch_terms(ladder.settings()).model_copy(update={"clock": Clock(decision_ms=7), "max_faults": 3})
    match = MatchSpec("m0004", ("ada.2", "far.1"), HouseRules(), 5, bytes(32))
    room = OpenRoom((second, far), True, False, Place(1, True, 4))
    assert maker.make(12, room, match, terms) == RoomSpec(
        room="room000012",
        entries=(BotSpec("ada.2", ("python", "bot.py"), "ada/2", ("bot.py",)), BotSpec("far.1", None, "far/1")),
        matches=(match,),
        tables=1,
        clock=Clock(decision_ms=7),
        max_faults=3,
        isolation=isolation,
    )
    assert maker.changed_bots([first, second, far]) == {}
    (ladder.files_of("ada", 2) / "bot.py").write_text("# third\n")
    assert maker.changed_bots([first, far]) == {}
    assert maker.changed_bots([second]) == {"ada": "its files changed on disk: bot.py was changed"}


def test_games_are_read_with_their_faults_in_any_order_and_again(tmp_path: Path) -> None:
    ladder = small_ladder(tmp_path)
    ladder.play(6)
    found = {room: ladder.state.seasons.place_of(room) for room in range(1, 7)}
    rated = {room: place for room, place in found.items() if place and place.rated}
    reader = GameReader(LadderFolder(ladder.folder))
    games = {room: reader.read(room, place) for room, place in reversed(rated.items())}
    assert [seat.bot for seat in games[2].result.seats] == list(ladder.state.seasons.epochs[0].rated[0])
    assert {(game.room, game.faults) for game in games.values()} == {
        (room, (SeatFault(0, Fault.LATE, 2),)) for room in rated
    }
    for room in (2, 4):
        assert reader.read(room, rated[room]) == games[room]
    with pytest.raises(ContestError, match="room 99 is finished, but its match is missing: restore a copy"):
        reader.read(99, Place(1, rated=True, match=99))
    ladder.close()
    shutil.rmtree(ladder.epoch(1))
    with pytest.raises(ContestError, match="there is no run in it"):
        reader.read(2, rated[2])  # what it has given out it does not keep
