"""The boards of a ladder's seasons: what they go on with, tell the ladder and show, and when they are fitted again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bourre_referee.ladder.board.benching import BenchingTerms, GameOutcome, RatedGame
from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.live_ratings import LiveRatings, Refit, refit
from bourre_referee.ladder.host.board_file import (
    BoardFile,
    ClassBoard,
    RoomNow,
    board_file,
    last_board_file,
    provable_values,
    read_board,
    write_board,
)
from bourre_referee.ladder.host.board_keeper import LOOK_EVERY, NO_REFITS, BoardKeeper
from bourre_referee.ladder.host.ladder_file import BoardSettings, BoardTerms
from bourre_referee.ladder.host.season_boards import SeasonBoards
from bourre_referee.ladder.host.showing import Notices
from bourre_referee.ladder.log.event_log import Logged
from bourre_referee.ladder.log.events import (
    BoardUpdated,
    BotBenched,
    BotJoined,
    BotLeft,
    EpochClosed,
    EpochOpened,
    Event,
    LadderFrozen,
    LadderOpened,
    MatchVoided,
    RoomFinished,
    RoomPaired,
    SeasonOpened,
)
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.model.errors import ContestError
from bourre_referee.ratings import Rating
from bourre_referee.ratings.belief import Anchors
from tests.referee.ladder.board.boards import game
from tests.referee.ladder.host.hosts import AtOnce
from tests.referee.ladder.host.ladder_folders import NOW
from tests.referee.ladder.ladders import joined

STAFF = Rating(25.0, 1.0)
SECOND = BotJoined("staff", 2, "2", "owner of staff", "fast", staff=True)
SETTINGS = BoardSettings(BoardTerms(0.008, 14.0), BenchingTerms(0.2, 4), {"staff": STAFF})
WINS = ("ab", "ac", "bc", "ab")
"""The bots of the first rooms, best first."""


class HeardLadder:
    """A log of a ladder with three bots and an anchor, and keepers of its boards; `c` makes faults in every game."""

    def __init__(self) -> None:
        self.log: list[Logged] = []
        self.read: list[tuple[int, Place]] = []
        """The rooms whose games were read, and where."""
        self._line_ups: dict[int, tuple[str, ...]] = {}
        self.note(LadderOpened(2, owners_apart=True), SeasonOpened(1), EpochOpened(1, "", ""))
        self.note(*joined("a", "b", "c"), *joined("staff", staff=True))

    def note(self, *events: Event) -> list[Logged]:
        """Logs what happens now."""
        news = [Logged(f"{NOW:%Y-%m-%dT%H:%M:%SZ}", event) for event in events]
        self.log += news
        return news

    def begin(self, line_up: str) -> list[Logged]:
        """Begins a rated room of these bots."""
        room = len(self._line_ups) + 1
        self._line_ups[room] = tuple(line_up)
        return self.note(RoomPaired(room, tuple(line_up), rated=True))

    def play(self, *line_ups: str) -> list[Logged]:
        """Plays rated rooms of these bots."""
        found: list[Logged] = []
        for line_up in line_ups:
            found += [*self.begin(line_up), *self.note(RoomFinished(len(self._line_ups), games=1))]
        return found

    def keeper(self, kept: BoardFile | None = None) -> BoardKeeper:
        """A keeper that has heard the log so far, and goes on with this board."""
        keeper = self.deaf_keeper()
        keeper.hear_past(self.log, kept)
        return keeper

    def deaf_keeper(self, refits: Mapping[tuple[int, str], Refit] = NO_REFITS) -> BoardKeeper:
        """A keeper that has heard nothing yet."""
        return BoardKeeper(SETTINGS, self._rated, AtOnce(), refits)

    def _rated(self, room: int, place: Place) -> RatedGame:
        self.read.append((room, place))
        return game(room, *(f"{bot}.1" for bot in self._line_ups[room]), faulty=["c.1"])


def shown(keeper: BoardKeeper) -> BoardFile:
    """The board that pages show, when those who left are not ranked any more."""
    return board_file("ladder", NOW + timedelta(days=20), keeper.boards, keeper.state)


def before(board: ClassBoard) -> dict[str, float]:
    """By entrant, its score when the epoch began, as far as it is known."""
    rows = (*board.rows.ranked, *board.rows.new, *board.rows.unseen, *board.old_versions)
    return {row.entrant: row.rating.score - row.change for row in rows if row.change is not None}


def test_a_board_goes_on_with_changes_of_its_epoch_and_curves_of_its_season() -> None:
    ladder = HeardLadder()
    first = ladder.keeper()
    first.hear(ladder.play(*WINS))
    first.hear(ladder.note(EpochOpened(2, "", "")))
    first.hear(ladder.play("ba", "cb", "ac"))
    first.hear(ladder.note(BotJoined("a", 2, "2", "owner of a", "fast"), BotLeft("b")))
    kept = shown(first)
    (board,) = kept.boards
    assert {row.entrant for row in board.rows.unseen} == {"b.1"}
    assert {row.entrant for row in board.old_versions} == {"a.1"}
    (same,) = shown(ladder.keeper(kept)).boards
    assert before(same) == pytest.approx(before(board))
    assert before(same).keys() == {"a.1", "b.1", "c.1", "staff.1"}
    assert {bot: len(curve) for bot, curve in same.curves.items()} == {"a.1": 5, "b.1": 5, "c.1": 4}
    (alone,) = shown(ladder.keeper()).boards
    assert (before(alone), {bot: len(curve) for bot, curve in alone.curves.items()}) == (
        {},
        {"a.1": 1, "b.1": 1, "c.1": 1},
    )
    assert provable_values(shown(ladder.keeper())) == provable_values(shown(ladder.keeper(kept)))
    assert provable_values(kept) != provable_values(shown(ladder.keeper(kept))), "its games were rated in order"
    ladder.note(EpochOpened(3, "", ""))
    (later,) = shown(ladder.keeper(kept)).boards
    assert (before(later), later.curves.keys()) == ({}, same.curves.keys())
    ladder.note(SeasonOpened(2))
    (next_season,) = shown(ladder.keeper(kept)).boards
    assert (before(next_season), next_season.curves, next_season.games) == ({}, {}, 0)


def test_a_board_tells_the_ladder_what_is_new_and_each_season_anew() -> None:
    ladder = HeardLadder()
    keeper = ladder.keeper()
    assert list(keeper.events(NOW)) == []
    keeper.hear(ladder.play(*WINS))
    told = list(keeper.events(NOW))
    assert told == [BoardUpdated("fast", (("a", "b"), ("b", "c")))]
    assert list(keeper.events(NOW + LOOK_EVERY)) == []
    keeper.hear(ladder.note(SeasonOpened(2), EpochOpened(2, "", "")))
    keeper.hear(ladder.play(*WINS))
    assert list(keeper.events(NOW)) == told
    keeper.hear(ladder.play("cb", "ca"))
    assert [event for event in keeper.events(NOW) if isinstance(event, BotBenched)] == [
        BotBenched("c", "it made faults in 4 of 4 games, and more than 20% are too many: late 8", by="ladder")
    ]


def test_boards_are_asked_only_if_something_is_new_or_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder, asked, undecided = HeardLadder(), list[datetime](), Board.undecided
    keeper = ladder.keeper()

    def note(board: Board, state: LadderState, now: datetime) -> tuple[tuple[str, str], ...]:
        asked.append(now)
        return undecided(board, state, now)

    monkeypatch.setattr(Board, "undecided", note)
    late = NOW + LOOK_EVERY
    for now in (NOW, NOW, late - timedelta(seconds=1), late, late, NOW):
        assert not list(keeper.events(now))
    assert asked == [NOW, late, NOW]
    keeper.hear(ladder.play("ab"))
    assert (len(list(keeper.events(NOW))), asked[3:]) == (1, [NOW])


def test_a_new_version_of_an_anchor_is_one_too_and_all_games_are_rated_again() -> None:
    ladder = HeardLadder()
    live = ladder.keeper()
    live.hear(ladder.play(*WINS))
    live.hear(ladder.note(LadderFrozen(), SECOND))
    for keeper, points in ((live, 3), (ladder.keeper(), 1)):
        ratings = keeper.boards["fast"].ratings
        assert len(ratings.curves["a.1"]) == points
        assert ratings.anchors == {"staff.1": STAFF, "staff.2": STAFF}
        assert (ratings.games, ratings.played["a.1"]) == (4, 3)
    assert live.boards["fast"].ratings.rating("a.1").mu > 25
    still = LiveRatings({"staff.1": STAFF, "staff.2": STAFF}, 0.0)
    for number, line_up in enumerate(WINS, start=1):
        still.take(game(number, *(f"{bot}.1" for bot in line_up)).outcome)
    assert live.boards["fast"].ratings.ratings() == still.ratings(), "a frozen ladder does not drift"


def test_games_that_a_refit_covers_are_only_counted_in_its_own_season() -> None:
    ladder = HeardLadder()
    ladder.play(*WINS)
    fit = refit([game(1, "a.1", "b.1").outcome], {"staff.1": STAFF})
    keeper = ladder.deaf_keeper({(1, "fast"): fit})
    keeper.hear(ladder.log)
    assert keeper.boards["fast"].ratings.refit == fit
    keeper.hear(ladder.note(SeasonOpened(2)))
    assert keeper.boards["fast"].ratings.refit.games == 0


def test_a_game_is_taken_back_from_the_season_in_which_it_was_paired_while_that_is_known() -> None:
    ladder = HeardLadder()
    keeper = ladder.keeper()
    keeper.hear(ladder.play(*WINS))
    unrated = RoomPaired(5, ("a", "b"), rated=False), RoomFinished(5, games=1), MatchVoided(1, 5, "slept")
    keeper.hear(ladder.note(*unrated))
    assert len(ladder.read) == len(WINS)
    keeper.hear(
        ladder.note(EpochClosed(1, "", ""), SeasonOpened(2), EpochOpened(2, "", ""), MatchVoided(1, 2, "slept"))
    )
    old, new = (keeper.seasons[season].boards["fast"].ratings for season in (1, 2))
    assert (old.is_stale, new.is_stale, ladder.read[-1]) == (True, False, (2, Place(1, rated=True, match=2)))
    assert not list(keeper.last_boards(lambda season: True)), "it is kept without the change"
    for _ in range(2):
        keeper.refit()
    ((season, boards),) = keeper.last_boards(lambda season: True)
    assert (season, boards["fast"].ratings.refit.void) == (1, frozenset({2}))
    read = len(ladder.read)
    keeper.hear(ladder.note(MatchVoided(1, 3, "slept")))
    assert (len(ladder.read), list(keeper.seasons)) == (read, [2])
    again = ladder.keeper()
    assert not list(again.last_boards(lambda season: False)), "it is not fitted yet"


def test_a_last_board_that_is_kept_is_forgotten_and_one_that_is_not_has_all_its_games() -> None:
    ladder = HeardLadder()
    ladder.play(*WINS)
    ladder.begin("ab")
    ladder.note(SeasonOpened(2), EpochOpened(2, "", ""), RoomFinished(5, games=1))
    keeper = ladder.keeper()
    assert keeper.boards["fast"].ratings.games == 0
    assert (list(keeper.last_boards(lambda season: False)), [*keeper.seasons]) == ([], [1, 2]), "its epoch is open"
    keeper.hear(ladder.note(EpochClosed(1, "", "")))
    assert list(keeper.last_boards(lambda season: False)) == [], "it is not fitted"
    changes = keeper.changes
    for _ in range(2):
        keeper.refit()
    assert keeper.changes == changes + 1
    ((season, boards),) = keeper.last_boards(lambda season: False)
    assert (season, boards["fast"].ratings.refit.games, [*keeper.seasons]) == (1, 5, [2])
    kept = ladder.keeper()
    assert (list(kept.last_boards(lambda season: season == 1)), [*kept.seasons]) == ([], [2])


class Begun(Executor):
    """Notes of how many games, and without which, refits are begun, and rates nothing."""

    def __init__(self) -> None:
        self.refits: list[tuple[int, set[int]]] = []

    def submit(  # type: ignore[override]
        self, work: object, games: Sequence[GameOutcome], anchors: Anchors, void: frozenset[int]
    ) -> Future[Refit]:
        self.refits.append((len(games), {*void}))
        done: Future[Refit] = Future()
        done.set_result(Refit(len(games), void))
        return done


def test_a_class_is_fitted_after_twenty_games_or_a_tenth_and_at_once_when_it_is_over_or_stale() -> None:
    season, begun = SeasonBoards({"fast": Board("fast", LiveRatings(), timedelta(1))}), Begun()
    for room in range(1, 251):
        season.take("fast", game(room, "a.1", "b.1"), is_past=True)
        season.refit(begun, is_over=False)
    assert begun.refits == [(games, set()) for games in (*range(20, 201, 20), 223, 248)]
    season.take_back(game(999, "a.1", "b.1"))
    assert (season.refit(begun, is_over=False), len(begun.refits), season.is_fitted) == (0, 12, False)
    assert season.refit(begun, is_over=True) == 0
    season.take_back(game(7, "a.1", "b.1"))
    assert season.refit(begun, is_over=False) == 1
    assert begun.refits[12:] == [(250, set()), (250, {7})]
    assert (season.refit(begun, is_over=True), season.is_fitted) == (1, True)
    season.take("fast", game(251, "a.1", "b.1"), is_past=True)
    season.refit(begun, is_over=True)
    season.restart("fast", LiveRatings(), is_past=True)
    assert season.refit(begun, is_over=True) == 0, "a refit with the old anchors is not adopted"


def test_a_board_is_read_as_it_was_written(tmp_path: Path) -> None:
    ladder, path = HeardLadder(), tmp_path / "board.json"
    keeper = ladder.keeper()
    keeper.hear(ladder.play(*WINS))
    keeper.hear(ladder.note(EpochOpened(2, "", ""), LadderFrozen(), BotJoined("a", 2, "2", "owner of a", "fast")))
    keeper.hear(ladder.note(RoomPaired(5, ("b", "staff"), rated=True)))
    board = shown(keeper)
    assert (board.season, board.epoch, board.frozen, board.events) == (1, 2, True, len(ladder.log))
    assert [(each.clock_class, each.games, each.refit_games, each.is_stale) for each in board.boards] == [
        ("fast", 4, 0, False)
    ]
    assert board.rooms == (RoomNow(5, True, ("b.1", "staff.1")),)
    assert {bot: waiting.place for bot, waiting in board.waiting.items()} == {
        "a": None,
        "b": None,
        "c": 1,
        "staff": None,
    }
    write_board(path, board)
    assert read_board(path) == board
    path.write_text("{}")
    with pytest.raises(
        ContestError, match=r"board\.json: Field required.\nhint: remove it, and run bourre ladder start again"
    ):
        read_board(path)
    path.unlink()
    with pytest.raises(ContestError, match=r"Cannot read .*board\.json: .*\.\nhint: run bourre ladder start first"):
        read_board(path)


def test_the_last_board_of_a_season_has_its_last_epoch_and_nobody_who_waits() -> None:
    ladder = HeardLadder()
    keeper = ladder.keeper()
    keeper.hear(ladder.play(*WINS))
    keeper.hear(ladder.note(EpochOpened(2, "", ""), SeasonOpened(2), EpochOpened(3, "", ""), LadderFrozen()))
    last = last_board_file("ladder", NOW, 1, keeper.seasons[1].boards, keeper.state)
    assert (last.season, last.epoch, last.frozen, last.events) == (1, 2, False, len(ladder.log))
    assert (last.rooms, last.waiting, last.boards[0].games) == ((), {}, 4)


def test_only_what_follows_from_the_games_is_provable() -> None:
    ladder = HeardLadder()
    keeper = ladder.keeper()
    keeper.hear(ladder.play(*WINS))
    keeper.hear(ladder.note(EpochOpened(2, "", "")))
    keeper.hear(ladder.play("ab"))
    board = shown(keeper)
    (fast,) = board.boards
    first, *others = fast.rows.ranked
    assert first.change

    def with_first(**news: object) -> object:
        ranked = (replace(first, **news), *others)  # type: ignore[arg-type]
        return provable_values(replace(board, boards=(replace(fast, rows=replace(fast.rows, ranked=ranked)),)))

    assert provable_values(replace(board, waiting={}, boards=(replace(fast, curves={}),))) == provable_values(board)
    assert with_first(change=9.0) == provable_values(board)
    for news in ({"rating": Rating()}, {"games": 9}, {"fault_share": 0.5}, {"room": 9}):
        assert with_first(**news) != provable_values(board)


def test_a_bot_is_told_its_place_once_after_each_game() -> None:
    ladder, told = HeardLadder(), list[tuple[str, str]]()
    keeper, notices = ladder.keeper(), Notices(lambda bot, text: told.append((bot, text)))
    keeper.hear(ladder.play(*WINS))
    for _ in range(2):
        notices.tell(shown(keeper))
    turn = "it plays when its turn comes and a table is free"
    assert told == [
        ("a", f"1 of 3 on the board after 3 games; waiting, 3 of 4: {turn}"),
        ("b", f"2 of 3 on the board after 3 games; waiting, 4 of 4: {turn}"),
        ("c", f"3 of 3 on the board after 2 games; waiting, 2 of 4: {turn}"),
    ]
    told.clear()
    keeper.hear(ladder.play("ca"))
    keeper.hear(ladder.note(RoomPaired(6, ("c", "b"), rated=True)))
    notices.tell(shown(keeper))
    assert [(bot, text.partition("; ")[2]) for bot, text in told if bot == "c"] == [("c", "it is in room 6")]
    assert sorted(bot for bot, _ in told) == ["a", "c"]
