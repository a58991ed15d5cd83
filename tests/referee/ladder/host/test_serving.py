"""Serving a ladder, step by step."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from bourre_referee.ladder.host.administration import Administration
from bourre_referee.ladder.host.board_file import board_file, read_board
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotEvent,
    BotPaused,
    BotReinstated,
    BotRetired,
    ChallengeAsked,
    ChallengesWelcomed,
    EpochClosed,
    EpochOpened,
    LadderOpened,
    LastBoardKept,
    RoomFinished,
    RoomOverran,
    RoomPaired,
    RoomVoided,
    SeasonOpened,
    TermsSet,
)
from bourre_referee.ladder.log.seasons import epoch_name
from bourre_referee.ladder.matchmaking.waiting_reasons import explain
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.room_reports import RemotePresence, WorkerNews
from bourre_referee.verify.ladder_check import verify_epoch
from tests.referee.ladder.host.hosts import SHORT_EPOCHS, Host, count, events, host
from tests.referee.ladder.host.ladder_folders import FILE, NOW, STAFF, append, make_ladder, state_of, with_bots


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    """A ladder whose first epoch goes on."""
    return with_bots(make_ladder(tmp_path), tmp_path, "ada", "bob", "cy")


@pytest.fixture
def in_epochs(tmp_path: Path) -> LadderFolder:
    """A ladder whose epochs have four rooms."""
    return with_bots(make_ladder(tmp_path, SHORT_EPOCHS), tmp_path, "ada", "bob", "cy")


def test_a_ladder_plays_room_after_room_and_every_epoch_verifies(in_epochs: LadderFolder) -> None:
    with host(in_epochs) as serving:
        serving.steps(10)
        assert len(serving.boards.boards["default"].rows(serving.boards.state, NOW).ranked) >= 3
    closed = [event.epoch for event in events(in_epochs) if isinstance(event, EpochClosed)]
    assert len(closed) >= 2
    for epoch in closed:
        assert verify_epoch(in_epochs.path, epoch, jobs=1).rooms == 4


def test_what_was_called_is_played_once_whenever_the_host_dies(ladder: LadderFolder) -> None:
    """A host that is gone leaves a room that was called, or one that is stored and not logged as finished."""
    with host(ladder) as serving:
        serving.rooms.stuck = True
        serving.steps(1)
        (called,) = serving.rooms.seen
    with host(ladder) as serving:
        serving.steps(1)  # stores the room, and dies before it logs it
        assert serving.rooms.seen[0] == called
    assert count(ladder, RoomFinished) == 0
    with host(ladder) as serving:
        serving.steps(4)
        assert called.room not in {room.room for room in serving.rooms.seen}
    numbers = [event.room for event in events(ladder) if isinstance(event, RoomFinished)]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1


def test_a_remote_bot_plays_while_it_is_here(ladder: LadderFolder) -> None:
    add_remote(ladder, Newcomer("far"), lambda: NOW)
    with host(ladder) as serving:
        serving.rooms.come = [RemotePresence(("far",), frozenset({"far"}))]
        serving.steps(12)
        assert any(
            entry.name == "far.1" and entry.command is None for room in serving.rooms.seen for entry in room.entries
        )
        serving.rooms.come = [RemotePresence(("far",), frozenset())]
        serving.steps(2)
        before = len(serving.rooms.seen)
        serving.steps(6)
        assert not any(entry.name == "far.1" for room in serving.rooms.seen[before:] for entry in room.entries)


def test_a_room_whose_remote_bot_is_away_is_void_and_the_bot_is_told_why_it_waits(in_epochs: LadderFolder) -> None:
    add_remote(in_epochs, Newcomer("far"), lambda: NOW)
    with host(in_epochs) as serving:
        serving.rooms.come = [RemotePresence(("far",), frozenset({"far"}))]
        serving.rooms.away = "far"
        while not count(in_epochs, RoomVoided):
            serving.steps(1)
        void = next(event for event in events(in_epochs) if isinstance(event, RoomVoided))
        assert (void.reason, void.left) == ("far left before it began", ("far",))
        serving.rooms.come = [RemotePresence(("far",), frozenset())]
        serving.steps(2)
        last = [event.room for event in events(in_epochs) if isinstance(event, RoomVoided)][-1]
        assert explain(serving.boards.state, "far").reason == f"it left before room {last} began"
        serving.steps(6)
    assert verify_epoch(in_epochs.path, 1, jobs=1).rooms == 4


def test_a_bot_that_this_host_has_not_seen_does_not_answer_for_a_room_that_it_left(ladder: LadderFolder) -> None:
    add_remote(ladder, Newcomer("far"), lambda: NOW)
    with host(ladder) as serving:
        serving.rooms.come = [RemotePresence(("far",), frozenset({"far"}))]
        serving.rooms.stuck = True
        serving.steps(8)
    assert state_of(ladder).bots["far"].room is not None
    with host(ladder) as again:
        assert not any(bot.present for bot in state_of(ladder).bots.values())
        again.rooms.away = "far"
        again.steps(2)
    void = next(event for event in events(ladder) if isinstance(event, RoomVoided))
    assert (void.reason, void.left) == ("far left before it began", ())


def test_a_challenge_takes_one_of_the_free_places_and_calls_no_bot_whose_files_changed(tmp_path: Path) -> None:
    ladder = with_bots(make_ladder(tmp_path, SHORT_EPOCHS.replace(STAFF, "")), tmp_path, *"abcdef")
    with host(ladder) as serving:
        serving.steps(10)
        asked = ChallengeAsked("a", ("a", "b", "c"))
        append(ladder, asked, ChallengesWelcomed("b", True), ChallengesWelcomed("c", True))
        for free, asked_by in ((1, ["a"]), (2, ["a", ""])):
            before = len(events(ladder))
            serving.rooms.free = free
            serving.steps(1)
            assert [event.asked_by for event in events(ladder)[before:] if isinstance(event, RoomPaired)] == asked_by
            serving.rooms.free = 1
            serving.steps(10)
            append(ladder, asked)
        edit(ladder, "b")
        before = len(events(ladder))
        serving.steps(1)
        assert BotBenched("b", "its files changed on disk: bot.py was changed", by="ladder") in events(ladder)[before:]
        assert not any("b" in line_up for line_up in line_ups(ladder, before))
    closed = [event for event in events(ladder) if isinstance(event, EpochClosed)]
    assert [(bool(event.digest), bool(event.unrated_digest)) for event in closed[:3]] == [
        (True, False),
        (True, False),
        (True, True),
    ]


@pytest.mark.parametrize(("usual_s", "waits_s"), [(1, 30), (20, 60)])
def test_a_room_that_lasts_long_holds_up_nobody_and_the_log_has_its_times(
    tmp_path: Path, usual_s: int, waits_s: int
) -> None:
    ladder = with_bots(make_ladder(tmp_path, FILE), tmp_path, *"abc")
    with host(ladder) as serving:
        serving.steps(1)
        serving.rooms.stuck = True
        serving.steps(1)
        serving.now += timedelta(seconds=usual_s)
        serving.rooms.stuck = False
        serving.steps(1)
        serving.rooms.stuck = True
        serving.steps(1)
        serving.now += timedelta(seconds=waits_s)
        serving.steps(2)
        assert count(ladder, RoomOverran) == 0
        serving.now += timedelta(milliseconds=1)
        serving.steps(2)
    assert [event for event in events(ladder) if isinstance(event, RoomFinished | RoomOverran)] == [
        RoomFinished(1, 1, 0, (1, 1, 1)),
        RoomFinished(2, 1, 1_000 * usual_s, (1, 1, 1)),
        RoomOverran(3),
    ]


@pytest.mark.parametrize("stop", [BotRetired, partial(BotBenched, reason="it cheats")])
def test_no_room_waits_for_a_bot_that_cannot_play_any_more(
    ladder: LadderFolder, stop: Callable[[str], BotEvent]
) -> None:
    with host(ladder) as serving:
        serving.steps(8)
        serving.rooms.stuck = True
        serving.steps(1)
        ((_, room),) = serving.boards.state.rooms.items()
        bot = next(entrant.bot for entrant in room.line_up if not entrant.joined.staff)
        assert serving.dismissed == []
        Administration(ladder, lambda: NOW).change(stop(bot))
        serving.steps(1)
        assert serving.dismissed == [bot]
        assert serving.boards.state.bots[bot].present is (stop is not BotRetired)


def test_an_epoch_ends_when_its_hours_are_over(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(2)
        serving.now += timedelta(hours=25)
        serving.rooms.come = [WorkerNews("a worker died")]
        serving.steps(3)
        assert serving.told == ["a worker died"]
    assert (count(ladder, EpochOpened), count(ladder, EpochClosed)) == (2, 1)


def test_a_log_without_a_season_gets_its_first(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path, FILE)
    ladder.log.write_bytes(b"")
    append(ladder, LadderOpened(3, owners_apart=True))
    with host(ladder) as serving:
        serving.steps(2)
    assert [type(event) for event in events(ladder)] == [LadderOpened, TermsSet, SeasonOpened, EpochOpened]


def test_an_epoch_without_a_room_ends_with_its_season(tmp_path: Path) -> None:
    """Otherwise the first rooms of a season would count for the one before it."""
    ladder = make_ladder(tmp_path, SHORT_EPOCHS)
    with host(ladder) as serving:
        serving.steps(1)
        serving.now += timedelta(hours=25)
        serving.steps(1)
        assert count(ladder, EpochOpened) == 1
        Administration(ladder, lambda: NOW).open_season()
        with_bots(ladder, tmp_path, "ada", "bob", "cy")
        serving.steps(5)
        epochs = serving.boards.state.seasons.epochs
        assert [(epoch.season, epoch.rooms > 0) for epoch in epochs[:2]] == [(1, False), (2, True)]
        assert [number for number, _ in serving.boards.last_boards(lambda _: False)] == [1]
    assert verify_epoch(ladder.path, 1, jobs=1).rooms == 0


def test_a_host_that_starts_again_goes_on_with_the_curves_of_the_board_that_it_kept(ladder: LadderFolder) -> None:
    def curves(serving: Host) -> dict[str, list[int]]:
        (board,) = board_file("all", NOW, serving.boards.boards, serving.boards.state).boards
        return {bot: [point.game for point in curve] for bot, curve in board.curves.items()}

    with host(ladder) as serving:
        serving.steps(14)
        serving.show()
        before = curves(serving)
    assert max(map(len, before.values())) > 2
    with host(ladder, kept=read_board(ladder.board)) as again:
        assert curves(again) == before
    with host(ladder) as forgetful:
        assert curves(forgetful) == {bot: curve[-1:] for bot, curve in before.items()}


def test_the_last_board_of_a_season_is_written_and_its_hash_is_logged_once(ladder: LadderFolder) -> None:
    """Also of one that a host wrote that was killed before it could log that."""
    with host(ladder) as serving:
        serving.steps(6)
        for season in (1, 2):
            Administration(ladder, lambda: NOW).open_season()
            if season == 2:
                ladder.last_board(2).write_bytes(b"{}")
            for _ in range(5):
                serving.steps(1)
                serving.show()
        written = ladder.board.stat().st_ino
        serving.show()
        assert ladder.board.stat().st_ino == written, "nothing is new"
    hashes = [sha256(ladder.last_board(season).read_bytes()).hexdigest() for season in (1, 2)]
    kept = [event for event in events(ladder) if isinstance(event, LastBoardKept)]
    assert kept == [LastBoardKept(1, hashes[0]), LastBoardKept(2, hashes[1])]
    assert (hashes[1], read_board(ladder.last_board(1)).season) == (sha256(b"{}").hexdigest(), 1)


def test_a_bot_that_only_makes_faults_is_benched_with_the_reason(tmp_path: Path) -> None:
    terms = f"{FILE}[benching]\nfault_share = 0.01\ngames = 2\n{STAFF}"
    ladder = with_bots(make_ladder(tmp_path, terms), tmp_path, "ada", "bob", "cy")
    with host(ladder) as serving:
        serving.steps(20)
    benched = [event for event in events(ladder) if isinstance(event, BotBenched)]
    assert benched
    assert "it made faults in" in benched[0].reason


def test_a_folder_with_another_seed_is_refused(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(2)
    rated, unrated = (ladder.epochs / epoch_name(1, rated=rated) for rated in (True, False))
    rated.rename(rated.with_name("aside"))
    unrated.rename(rated)
    rated.with_name("aside").rename(unrated)
    with pytest.raises(ContestError, match="its seed differs from the log"), host(ladder):
        pass


def test_a_match_that_was_taken_back_leaves_the_board(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(8)
        board = serving.boards.boards["default"]
        room = next(event for event in events(ladder) if isinstance(event, RoomPaired) and event.rated)
        serving.rooms.stuck = True
        serving.steps(2)
        before = {row.bot: row.games for row in board.rows(serving.boards.state, NOW).ranked}
        Administration(ladder, lambda: NOW).void(room.room, "the host slept")
        serving.steps(2)
        after = {row.bot: row.games for row in board.rows(serving.boards.state, NOW).ranked}
        assert {bot: before[bot] - after[bot] for bot in room.line_up} == dict.fromkeys(room.line_up, 1)
        serving.boards.refit()
        serving.boards.refit()
        assert not board.ratings.is_stale


def edit(ladder: LadderFolder, bot: str, text: str = "# another\n") -> None:
    (ladder.files_of(bot, 1) / "bot.py").write_text(text)


def line_ups(ladder: LadderFolder, since: int) -> list[tuple[str, ...]]:
    return [event.line_up for event in events(ladder)[since:] if isinstance(event, RoomPaired)]


def test_a_bot_whose_files_changed_on_disk_plays_no_more_until_they_are_restored(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(5)
        edit(ladder, "ada")
        before = len(events(ladder))
        serving.steps(6)
        (benched,) = (event for event in events(ladder)[before:] if isinstance(event, BotBenched))
        assert (benched.bot, benched.reason) == ("ada", "its files changed on disk: bot.py was changed")
        assert serving.told == [
            f"ada is suspended: {benched.reason}.\n"
            "hint: restore them and run bourre ladder reinstate, or add a new version"
        ]
        assert line_ups(ladder, before)
        assert not any("ada" in line_up for line_up in line_ups(ladder, before))
        edit(ladder, "ada", "# a bot\n")
        Administration(ladder, lambda: NOW).change(BotReinstated("ada"))
        before = len(events(ladder))
        serving.steps(6)
        assert any("ada" in line_up for line_up in line_ups(ladder, before))


@pytest.mark.parametrize("restarts", [False, True])
def test_no_room_counts_that_was_played_with_changed_files(in_epochs: LadderFolder, restarts: bool) -> None:
    """They change while it is played, and the host may be killed before it is over."""
    with host(in_epochs) as serving:
        serving.steps(5)
        serving.rooms.stuck = True
        serving.steps(2)
        (number, room), *_ = serving.boards.state.rooms.items()
        bot = next(entrant.bot for entrant in room.line_up if not entrant.joined.staff)
        edit(in_epochs, bot)
        if not restarts:
            serving.rooms.stuck = False
            serving.steps(3)
    with host(in_epochs) as serving:
        serving.steps(5)
    voided = {event.room: event.reason for event in events(in_epochs) if isinstance(event, RoomVoided)}
    assert voided == {number: f"{bot}: its files changed on disk: bot.py was changed"}
    assert [event.bot for event in events(in_epochs) if isinstance(event, BotBenched)] == [bot]
    for epoch in [event.epoch for event in events(in_epochs) if isinstance(event, EpochClosed)]:
        verify_epoch(in_epochs.path, epoch, jobs=1)


def test_a_room_that_the_host_cannot_play_is_void_and_counts_for_nobody(in_epochs: LadderFolder) -> None:
    with host(in_epochs) as serving:
        serving.rooms.fails = True
        serving.steps(3)
        serving.rooms.fails = False
        serving.now += timedelta(minutes=1)
        serving.steps(7)
        void = [event.room for event in events(in_epochs) if isinstance(event, RoomVoided)]
        assert void[0] == 1
    assert verify_epoch(in_epochs.path, 1, jobs=1).rooms == 4


def test_who_is_paused_in_another_process_is_called_no_more(ladder: LadderFolder) -> None:
    with host(ladder) as serving:
        serving.steps(6)
        Administration(ladder, lambda: NOW).change(BotPaused("ada"))
        before = len(events(ladder))
        serving.steps(6)
    later = [event for event in events(ladder)[before:] if isinstance(event, RoomPaired)]
    assert later
    assert not any("ada" in event.line_up for event in later)
