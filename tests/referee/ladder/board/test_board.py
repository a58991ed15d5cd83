"""The board: who is ranked, in which place, and what is said of everyone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bourre_referee.ladder.board import board_places
from bourre_referee.ladder.board.benching import BenchingTerms, RatedGame
from bourre_referee.ladder.board.board import Board
from bourre_referee.ladder.board.board_places import BoardPlaces
from bourre_referee.ladder.board.board_rows import BoardRow, BoardRows
from bourre_referee.ladder.board.live_ratings import LiveRatings, refit
from bourre_referee.ladder.log.events import (
    BotArrived,
    BotBenched,
    BotJoined,
    BotLeft,
    BotPaused,
    BotReinstated,
    BotRetired,
    EpochOpened,
    Event,
    LadderFrozen,
    LadderThawed,
    RoomPaired,
)
from bourre_referee.ratings import Rating
from bourre_referee.ratings.belief import SIGMA
from bourre_referee.statistics.place_model import NO_PLACES, PlaceModel, fit_places
from bourre_referee.statistics.sequential_tests import SequentialVerdict, judge_ranking
from tests.referee.ladder.board.boards import game, games
from tests.referee.ladder.ladders import Ladder, joined

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ANCHORS = {"staff.1": Rating(25.0, 1.0)}
SKILLS = {"a.1": 40.0, "b.1": 30.0, "c.1": 30.0, "d.1": 20.0, "staff.1": 25.0}


class Hosted:
    """A ladder with the board of its class `fast`, as a host keeps it."""

    def __init__(self, *bots: str) -> None:
        self.ladder = Ladder()
        self.board = Board("fast", LiveRatings(ANCHORS), 7 * DAY)
        self.games: list[RatedGame] = []
        self.note(*joined("staff", staff=True), *joined(*(bots or "abcd")))

    def note(self, *events: Event, at: datetime = NOON) -> None:
        """Logs what happens."""
        for event in events:
            self.ladder.note(event)
            self.board.note(event, at, self.ladder.state)

    def take(self, *some: RatedGame) -> None:
        """Takes in games."""
        for each in some:
            self.games.append(each)
            self.board.take(each)

    def refit(self) -> None:
        """Fits all games at once."""
        self.board.ratings.adopt(refit((each.outcome for each in self.games), ANCHORS))

    def rows(self, now: datetime = NOON) -> BoardRows:
        """The board now."""
        return self.board.rows(self.ladder.state, now)

    def row(self, entrant: str, now: datetime = NOON) -> BoardRow:
        """The row of an entrant, wherever it stands."""
        rows = self.rows(now)
        every = [*rows.ranked, *rows.new, *rows.unseen, *self.board.old_versions(self.ladder.state)]
        return next(row for row in every if row.entrant == entrant)

    def undecided(self) -> tuple[tuple[str, str], ...]:
        """Neighbours that are not told apart."""
        return self.board.undecided(self.ladder.state, NOON)


@pytest.fixture
def hosted() -> Hosted:
    """A ladder of which much is known."""
    hosted = Hosted()
    hosted.take(*games(SKILLS, 400, Random(2)))
    hosted.refit()
    return hosted


def names(rows: Sequence[BoardRow]) -> list[str]:
    """The entrants of these rows."""
    return [row.entrant for row in rows]


def test_the_best_score_comes_first(hosted: Hosted) -> None:
    rows = hosted.rows().ranked
    assert sorted(names(rows)) == sorted(SKILLS)
    assert (names(rows)[0], names(rows)[-1]) == ("a.1", "d.1")
    assert [row.rating.score for row in rows] == sorted((row.rating.score for row in rows), reverse=True)
    assert [row.place.rank for row in rows if row.place] == [1, 2, 3, 4, 5]
    staff = next(row for row in rows if row.is_staff)
    assert (staff.entrant, staff.rating) == ("staff.1", ANCHORS["staff.1"])


def test_neighbours_are_tied_until_their_games_part_them(hosted: Hosted) -> None:
    rows = hosted.rows()
    found = {row.bot: row.place for row in rows.ranked if row.place}
    first, second, third, *_ = found
    assert (first, {second, third}) == ("a", {"b", "c"})
    assert rows.ties == ((f"{second}.1", f"{third}.1"),)
    assert rows.bracket_columns() == [("",), ("first",), ("last",), ("",), ("",)]
    assert found["a"].tied == found["d"].tied == ""
    assert (found[second].tied, found[third].tied) == ("a", "a")
    assert found["a"].games_to_part == found[third].games_to_part == 0
    assert found[second].games_to_part != 0
    assert found["d"].games_to_part is None
    assert hosted.undecided() == ((second, third),)


def test_a_newcomer_that_nobody_can_tell_from_others_ties_nobody(hosted: Hosted) -> None:
    hosted.note(*joined("e"))
    hosted.take(*(game(room, "e.1", "d.1", "c.1", "b.1") for room in range(401, 420)))
    assert hosted.rows().too_few == ("e.1",)
    hosted.refit()
    rows = hosted.rows()
    assert rows.too_few == ("e.1",)
    assert all("e.1" not in tie for tie in rows.ties or ())
    assert hosted.row("e.1").place
    assert [pair for pair in hosted.undecided() if "e" in pair], "so it is paired with its neighbours"


def test_before_the_first_refit_there_are_too_few_games() -> None:
    hosted = Hosted()
    hosted.take(*games(SKILLS, 19, Random(2)))
    rows = hosted.rows()
    assert rows.ties == ()
    assert sorted(rows.too_few) == sorted(SKILLS)
    assert len(hosted.undecided()) == len(SKILLS) - 1


def test_a_bot_that_only_its_stand_in_played_for_is_not_ranked() -> None:
    hosted = Hosted()
    for room in range(1, 31):
        played = game(room, "a.1", "b.1", "c.1")
        seats = tuple(replace(seat, house_deals=10 * (seat.bot == "c.1")) for seat in played.result.seats)
        hosted.take(replace(played, result=replace(played.result, seats=seats)))
    hosted.refit()
    assert names(hosted.rows().ranked) == ["a.1", "b.1"]
    assert "c.1" in names(hosted.rows().new)
    assert (hosted.row("c.1").games, hosted.row("c.1").rating) == (30, Rating())
    older = [replace(each, with_stand_ins=True) for each in hosted.games]
    assert refit((each.outcome for each in older), ANCHORS).ratings["c.1"].mu < 25


def test_equal_scores_are_ordered_by_name() -> None:
    scores, places = {"z": 3.0, "a": 3.0, "m": 4.0}, BoardPlaces()
    assert list(places.of(scores, NO_PLACES).places) == ["m", "a", "z"]
    assert list(places.of(scores | {"far": 9.0}, NO_PLACES).places) == ["far", "m", "a", "z"]
    model = fit_places([game(room, "m", "a", "z").outcome.outcome for room in range(40)])
    assert places.of(scores, model).ties == ()


def test_new_bots_are_listed_apart(hosted: Hosted) -> None:
    hosted.note(*joined("f", "e"), *joined("slow", clock_class="slow"))
    assert names(hosted.rows().new) == ["e.1", "f.1"]
    row = hosted.row("e.1")
    assert (row.place, row.rating, row.games, row.change) == (None, Rating(), 0, None)
    hosted.take(game(401, "e.1", "a.1"))
    assert names(hosted.rows().new) == ["f.1"]
    assert hosted.row("e.1").rating.mu > hosted.row("b.1").rating.mu
    assert "e.1" in names(hosted.rows().ranked)[3:]
    assert SIGMA > hosted.row("e.1").rating.sigma > SIGMA / 2


def test_who_is_not_seen_for_long_is_listed_apart(hosted: Hosted) -> None:
    hosted.note(BotLeft("a"), BotJoined("absent", 1, "1", "Abe", "fast"), at=NOON + DAY)
    assert hosted.row("absent.1", NOON + 2 * DAY).last_seen == NOON + DAY
    assert hosted.row("a.1", NOON + 8 * DAY).place
    later = hosted.rows(NOON + 8 * DAY + timedelta(seconds=1))
    assert names(later.unseen) == ["a.1"]
    assert "a.1" not in names(later.ranked)
    assert later.ranked[0].place
    assert (later.ranked[0].place.rank, later.unseen[0].place) == (1, None)
    assert (later.unseen[0].last_seen, later.unseen[0].presence) == (NOON + DAY, "away")
    hosted.note(BotArrived("a"), at=NOON + 9 * DAY)
    back = hosted.rows(NOON + 99 * DAY).ranked[0]
    assert (back.entrant, back.last_seen) == ("a.1", NOON + 99 * DAY)


def test_everyone_can_see_where_a_bot_is(hosted: Hosted) -> None:
    def where(bot: str) -> tuple[str, int | None]:
        row = hosted.row(f"{bot}.1")
        return row.presence, row.room

    hosted.note(RoomPaired(1, ("a", "b", "staff"), rated=True))
    assert where("a") == ("playing", 1)
    assert where("c") == ("waiting", None)
    hosted.note(BotPaused("a"), BotPaused("c"), BotLeft("d"))
    assert (where("a"), where("c"), where("d")) == (("paused", 1), ("paused", None), ("away", None))
    hosted.note(BotBenched("a", "too many faults"))
    assert where("a") == ("benched", 1)


def test_an_old_version_keeps_its_last_rating_and_the_new_one_starts_wide(hosted: Hosted) -> None:
    before = hosted.row("a.1")
    hosted.note(BotJoined("a", 2, "second try", "owner of a", "fast"), BotArrived("a"))
    old = hosted.board.old_versions(hosted.ladder.state)
    assert names(old) == ["a.1"]
    assert (old[0].rating, old[0].games) == (before.rating, before.games)
    assert (old[0].place, old[0].presence, old[0].last_seen) == (None, "retired", None)
    new = hosted.row("a.2")
    assert (new.rating, new.games, new.version, new.place) == (Rating(), 0, "second try", None)
    assert (new.bot, new.owner, new.is_staff, hosted.row("staff.1").is_staff) == ("a", "owner of a", False, True)
    assert "a.1" not in names(hosted.rows().ranked)
    hosted.note(BotRetired("b"), BotRetired("a"))
    assert names(hosted.board.old_versions(hosted.ladder.state)) == ["a.1", "b.1"]
    assert sorted(names(hosted.rows().ranked)) == ["c.1", "d.1", "staff.1"]
    assert hosted.rows().new == ()


def test_a_change_is_that_of_the_score_since_the_epoch_began(hosted: Hosted) -> None:
    assert hosted.row("a.1").change is None
    before = hosted.row("a.1").rating.score
    hosted.note(EpochOpened(2, "b" * 64, ""))
    assert hosted.row("a.1").change == 0
    hosted.take(game(401, "d.1", "c.1", "a.1"))
    assert hosted.row("a.1").change == pytest.approx(hosted.row("a.1").rating.score - before)
    assert (hosted.row("a.1").change or 0) < 0 < (hosted.row("d.1").change or 0)


def test_chips_and_faults_are_those_of_its_games() -> None:
    hosted = Hosted()
    hosted.take(game(1, "a.1", "b.1"), game(2, "a.1", "b.1", faulty=["b.1"]), game(3, "c.1", "b.1", "a.1"))
    a, b = hosted.row("a.1"), hosted.row("b.1")
    assert (a.games, a.chips_per_deal, a.fault_share) == (3, -1 / 30, 0)
    assert (b.games, b.chips_per_deal, b.fault_share) == (3, -2 / 30, 1 / 3)


def test_a_game_taken_back_is_counted_by_nobody_and_rated_until_the_refit() -> None:
    hosted = Hosted()
    some = [game(1, "a.1", "b.1"), game(2, "c.1", "b.1", faulty=["b.1"])]
    hosted.take(*some)
    before = hosted.row("c.1").rating
    hosted.board.take_back(some[1])
    assert (hosted.row("c.1").games, hosted.row("b.1").games, hosted.row("b.1").fault_share) == (0, 1, 0)
    assert names(hosted.rows().new) == ["c.1", "d.1", "staff.1"]
    assert (hosted.row("c.1").rating, hosted.board.ratings.is_stale) == (before, True)
    hosted.board.ratings.adopt(refit((each.outcome for each in some), ANCHORS, void={2}))
    assert (hosted.row("c.1").rating, hosted.board.ratings.is_stale) == (Rating(), False)


def test_a_frozen_ladder_does_not_drift() -> None:
    def sigma(*events: Event) -> float:
        hosted = Hosted()
        hosted.board.ratings = LiveRatings(ANCHORS, tau=2.0)
        hosted.note(*events)
        hosted.take(*games(SKILLS, 100, Random(1)))
        return hosted.row("a.1").rating.sigma

    assert sigma(LadderFrozen()) < 0.7 * sigma()
    assert sigma(LadderFrozen(), LadderThawed()) == sigma()


def test_who_makes_too_many_faults_is_benched_once_and_can_be_reinstated() -> None:
    hosted = Hosted()
    terms = BenchingTerms(fault_share=0.1, games=5)
    due = [(each.entrant, each.reason) for each in hosted.board.bench_due(hosted.ladder.state, terms)]
    assert due == []
    hosted.take(*(game(room, "a.1", "b.1", faulty=["a.1"]) for room in range(1, 11)))
    due = [(each.entrant, each.reason) for each in hosted.board.bench_due(hosted.ladder.state, terms)]
    assert due == [("a.1", "it made faults in 10 of 10 games, and more than 10% are too many: late 20")]
    hosted.note(BotBenched("a", due[0][1]))
    assert hosted.board.bench_due(hosted.ladder.state, terms) == []
    hosted.note(RoomPaired(1, ("b", "c", "d"), rated=True), BotReinstated("a"))
    hosted.take(game(1, "a.1", "b.1", faulty=["a.1"]))
    strict = BenchingTerms(fault_share=0.0, games=1)
    assert hosted.board.bench_due(hosted.ladder.state, strict) == []
    assert hosted.row("a.1").fault_share == 1, "it is forgiven, but not forgotten"
    hosted.take(game(2, "a.1", "b.1", faulty=["a.1"]))
    assert [each.entrant for each in hosted.board.bench_due(hosted.ladder.state, strict)] == ["a.1"]
    hosted.note(BotRetired("a"))
    assert hosted.board.bench_due(hosted.ladder.state, strict) == []


def test_nothing_is_computed_anew_while_nothing_has_changed(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []

    def count(model: PlaceModel, ranking: Sequence[str]) -> SequentialVerdict:
        asked.append(ranking)
        return judge_ranking(model, ranking)

    monkeypatch.setattr(board_places, "judge_ranking", count)
    first = hosted.rows()
    assert len(asked) == 1
    assert hosted.rows() == first
    assert len(asked) == 1
    hosted.take(game(401, "a.1", "staff.1"))
    hosted.rows()
    assert len(asked) == 2
    hosted.refit()
    hosted.rows()
    assert len(asked) == 3
