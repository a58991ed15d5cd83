"""How rooms start the bots of a ladder: from their own copies, staff with the settings of the ladder file."""

from __future__ import annotations

import fcntl
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bourre.rules.actions import Fault
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Entrant
from bourre_referee.contest.isolation_choice import choose_isolation
from bourre_referee.ladder.host import ladder_entries
from bourre_referee.ladder.host.administration import new_ladder
from bourre_referee.ladder.host.joining import Newcomer, add_hosted, add_remote
from bourre_referee.ladder.host.ladder_entries import anchors_of, bot_spec, contest_entrant, hosted_bots
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_host import _listener_spec
from bourre_referee.ladder.host.ladder_storage import FolderStorage
from bourre_referee.ladder.host.ladder_terms import epoch_terms
from bourre_referee.ladder.host.open_epochs import GameReader
from bourre_referee.ladder.host.rooms_in_play import RoomMaker
from bourre_referee.ladder.log.events import BotJoined, BotRetired, LadderOpened, SeasonOpened
from bourre_referee.ladder.log.seasons import OpenRoom, Place
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.model.listener_spec import ListenerSpec
from bourre_referee.model.spec import (
    BotEntry,
    BotSpec,
    Clock,
    Isolation,
    Limits,
    MatchSpec,
    OwnIsolation,
    RoomSpec,
    SeatFault,
)
from bourre_referee.ratings.belief import Rating
from bourre_referee.storage.files.waiting import AT_ONCE
from tests.referee.command import called
from tests.referee.ladder.host.ladder_folders import (
    FILE,
    STAFF,
    add_bot,
    append,
    joined_in,
    make_ladder,
    state_of,
    write_file,
)
from tests.referee.ladder.host.played_ladders import small_ladder

OWN = 'environment = ["TOKEN"]\n[staff.isolation]\nmemory_mib = 1024\n'


def test_each_version_starts_in_its_own_folder(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    (tmp_path / "mine/lib").mkdir(parents=True)
    (tmp_path / "mine/bot.py").touch()
    (tmp_path / "mine/lib/a.py").touch()
    add_hosted(ladder, Newcomer("alice"), ["python", "bot.py"], ["bot.py", "lib"], tmp_path / "mine")
    add_remote(ladder, Newcomer("far"))
    state, settings = state_of(ladder), ladder.settings()
    assert contest_entrant(state.bots["alice"], settings) == Entrant("alice.1", ("python", "bot.py"), ("bot.py", "lib"))
    assert ladder.site.entry(bot_spec(state.bots["alice"], settings)) == BotEntry(
        "alice.1", (sys.executable, "bot.py"), ladder.bots / "alice/1", ("bot.py", "lib")
    )
    assert ladder.site.entry(bot_spec(state.bots["far"], settings)) == BotEntry("far.1", None, ladder.bots / "far/1")


def test_staff_has_the_permissions_of_the_file_and_its_rating(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, FILE + STAFF + OWN)
    state, settings = state_of(ladder), ladder.settings()
    assert contest_entrant(state.bots["tight"], settings) == Entrant(
        "tight.1",
        ("python", "bots/tight.py"),
        ("bots",),
        isolation=OwnIsolation(memory_mib=1024),
        environment=("TOKEN",),
        files_by_default=True,
    )
    assert anchors_of(state, settings.anchors) == {"tight.1": Rating(25, 1.5)}
    second = replace(state.bots["tight"].joined, number=2)
    state.apply(second)
    assert anchors_of(state, settings.anchors) == dict.fromkeys(["tight.1", "tight.2"], Rating(25, 1.5))
    stranger = LadderState()
    for event in (LadderOpened(3, owners_apart=True), BotJoined("tight", 1, "1", "Ann", "default")):
        stranger.apply(event)
    assert contest_entrant(stranger.bots["tight"], settings) == Entrant("tight.1", None, ())
    assert anchors_of(stranger, settings.anchors) == {}


@pytest.mark.parametrize("words", ["serve", "copies"])
@pytest.mark.parametrize("staff", [STAFF, ""])
def test_no_hosted_bot_starts_where_there_is_no_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, staff: str
) -> None:
    no_box = partial(choose_isolation, probe=lambda *_: "no boxes on Mondays")
    monkeypatch.setattr(ladder_entries, "choose_isolation", no_box)
    ended = called("ladder", words, make_ladder(tmp_path, FILE + staff).path)
    assert ended.code == 2
    assert "hosted bots need isolation, and this machine has none: no boxes on Mondays" in ended.err


def test_a_ladder_that_trusts_everybody_is_told_so_at_every_start(tmp_path: Path) -> None:
    settings = make_ladder(tmp_path, f'{FILE}{STAFF}[isolation]\nlevel = "none"\n').settings()
    for _ in range(2):
        told: list[str] = []
        assert ladder_entries.isolation_here(settings, told.append) == Isolation()
        assert told[0].startswith("warning: hosted bots run without isolation")


def test_a_bot_whose_files_changed_is_not_compared(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f'{FILE}{STAFF}[isolation]\nlevel = "none"\n')
    for name in ("ann", "bob", "cy", "dee", "bob"):
        add_bot(ladder, tmp_path / name, Newcomer(name, version=None if name == "cy" else "x"))
    add_remote(ladder, Newcomer("far"))
    append(ladder, BotRetired("dee"))
    (ladder.files_of("ann", 1) / "bot.py").unlink()
    told: list[str] = []
    tight, bob, cy = hosted_bots(ladder, told.append)
    assert told[1:] == ["ann is left out: its files changed on disk: bot.py is gone"]
    assert [(bot.bot, bot.owner) for bot in (tight, bob, cy)] == [("tight", "host"), ("bob", "bob"), ("cy", "cy")]
    assert (bob.entry.name, bob.entry.folder) == ("bob.2", ladder.files_of("bob", 2))
    assert bob.described == cy.described != tight.described


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
    with pytest.raises(ContestError, match="room 99 is finished, but its match is missing"):
        reader.read(99, Place(1, rated=True, match=99))
    ladder.close()
    shutil.rmtree(ladder.epoch(1))
    with pytest.raises(ContestError, match="No folder"):
        reader.read(2, rated[2])  # what it has given out it does not keep


def test_a_new_ladder_keeps_its_terms_and_its_staff(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    assert ladder.file.read_text() == FILE + STAFF
    events = [logged.event for logged in ladder.open_log().read_new()]
    assert events[:2] == [LadderOpened(3, owners_apart=True), SeasonOpened(1)]
    assert [event.bot for event in events[2:] if isinstance(event, BotJoined)] == ["tight"]
    assert {logged.at for logged in ladder.open_log().read_new()} == {"2026-11-23T04:30:00Z"}
    assert ladder.settings().contest.folder == ladder.staff


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    file = write_file(tmp_path / "host")
    (tmp_path / "ladder").mkdir()
    new_ladder(tmp_path / "ladder", file)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ContestError, match=r"ladder already exists.\nhint: remove it, or use a new folder$"):
        new_ladder(tmp_path / "ladder", file)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_wrong_file_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match="seats = 9"):
        make_ladder(tmp_path, FILE.replace("seats = 3", "seats = 9"))
    assert not (tmp_path / "ladder").exists()


def test_a_folder_without_a_ladder_is_refused(tmp_path: Path) -> None:
    for use in (LadderFolder(tmp_path).settings, LadderFolder(tmp_path).open_log):
        with pytest.raises(ContestError, match="is not a ladder"):
            use()


def test_terms_that_cannot_change_are_watched(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    ladder.check_terms(ladder.settings(), state_of(ladder).terms)
    for old, new in (("seats = 3", "seats = 4"), ('"class"', '"class"\nowners_apart = false')):
        ladder.file.write_text((FILE + STAFF).replace(old, new))
        with pytest.raises(ContestError, match="the ladder opened with seats = 3 and owners_apart = true"):
            ladder.check_terms(ladder.settings(), state_of(ladder).terms)


def test_an_epoch_has_two_run_folders(tmp_path: Path) -> None:
    ladder = LadderFolder(tmp_path)
    folders = [ladder.epoch(7, rated=rated).folder for rated in (True, False)]
    assert folders == [tmp_path / "epochs/0007", tmp_path / "epochs/0007-unrated"]


def test_who_serves_is_seen_by_its_lock(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    assert not ladder.is_served()
    with ladder.lock.open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert ladder.is_served()
    with ladder.leading(AT_ONCE):
        assert ladder.is_served()
        with pytest.raises(ContestError, match="Another process serves the ladder"):
            ladder.leading(AT_ONCE).__enter__()
    assert not ladder.is_served()


def test_the_listener_of_a_ladder_has_its_quota_and_its_tokens(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, f"{FILE}[clock]\ndecision_ms = 7\n[quotas]\nconnections = 9\n")
    contest = ladder.settings().contest
    expected = ListenerSpec(
        "class", (), Clock(decision_ms=7), contest.listen, ladder.tokens, most_bots=9, versioned=True
    )
    assert _listener_spec(ladder, ladder.settings()) == expected


def test_strangers_do_not_see_where_a_ladder_lies(tmp_path: Path) -> None:
    assert LadderFolder(tmp_path).without_place(f"{tmp_path}/ladder.toml: no") == f"{tmp_path.name}/ladder.toml: no"
    in_database = LadderFolder(tmp_path, PlacedElsewhere(tmp_path))
    assert in_database.without_place("postgresql://elsewhere#class: no") == "the database: no"


class PlacedElsewhere(FolderStorage):
    """A storage that messages call by an address."""

    def __str__(self) -> str:
        return "postgresql://elsewhere#class"
