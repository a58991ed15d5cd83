"""The board of one clock class, from its rated games, the log's events and the anchors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise

from bourre_referee.ladder.board.benching import BenchDue, BenchingTerms, GameCounts, RatedGame, bench_due
from bourre_referee.ladder.board.board_places import BoardPlaces, RankedEntrants
from bourre_referee.ladder.board.board_rows import BoardPlace, BoardRow, BoardRows, LastSeen, presence_of
from bourre_referee.ladder.board.live_ratings import LiveRatings, RatingCurve
from bourre_referee.ladder.log.entrant import LadderEntrant
from bourre_referee.ladder.log.events import BotReinstated, EpochOpened, Event, LadderFrozen, LadderThawed
from bourre_referee.ladder.log.state import LadderState


class Board:
    """The standing of the entrants of one clock class in one season."""

    def __init__(self, clock_class: str, ratings: LiveRatings, unseen: timedelta) -> None:
        """Bots that were absent for longer than `unseen` are not ranked."""
        self.ratings = ratings
        """The ratings, which adopt refits."""
        self._clock_class, self._unseen = clock_class, unseen
        self._counts: defaultdict[str, GameCounts] = defaultdict(GameCounts)
        self._seen = LastSeen()
        self._before: dict[str, float] = {}
        self._places = BoardPlaces()

    def note(self, event: Event, at: datetime, state: LadderState) -> None:
        """Applies an event of the log, with its time and the state after it.

        Events and games must come in the order of the log, because each epoch begins with the current scores.
        """
        self._seen.note(event, at)
        match event:
            case EpochOpened():
                self._before = {name: rating.score for name, rating in self.ratings.ratings().items()}
            case LadderFrozen() | LadderThawed():
                self.ratings.freeze(state.frozen)
            case BotReinstated():
                self._counts[state.bots[event.bot].name].excuse(state.rooms_paired)

    def take(self, game: RatedGame, *, is_past: bool = False) -> None:
        """Adds the next rated game of the class, in the order of the log. If it is past, the next refit rates it."""
        if is_past:
            self.ratings.count(game.outcome)
        else:
            self.ratings.take(game.outcome)
        for seat, result in enumerate(game.result.seats):
            self._counts[result.bot].count(game, seat)

    def go_on(self, curves: Mapping[str, RatingCurve], before: Mapping[str, float]) -> None:
        """Continues these rating curves, with these scores at the beginning of the epoch, by entrant."""
        self._before = dict(before)
        self.ratings.curves = dict(curves)
        for entrant, games in self.ratings.played.items():
            self.ratings.curves.setdefault(entrant, RatingCurve()).add(games, self.ratings.rating(entrant))

    def take_back(self, game: RatedGame) -> None:
        """Takes back a game. The ratings are stale until the next refit."""
        self.ratings.take_back(game.room)
        for seat, result in enumerate(game.result.seats):
            self._counts[result.bot].count(game, seat, -1)

    def rows(self, state: LadderState, now: datetime) -> BoardRows:
        """Returns the rows of all bots that have not retired."""
        bots = {entrant.name: entrant for entrant in self._bots(state)}
        ranking = self._ranked(bots.values(), now)
        places = ranking.places

        def rows_of(names: Iterable[str]) -> tuple[BoardRow, ...]:
            return tuple(self._row(bots[name], places.get(name), self._seen.of(bots[name], now)) for name in names)

        new = sorted(name for name in bots if not self._games(name))
        unseen = [name for name in self._best_first(bots) if name not in places and self._games(name)]
        return BoardRows(rows_of(places), rows_of(new), rows_of(unseen), ranking.ties, ranking.too_few)

    def old_versions(self, state: LadderState) -> tuple[BoardRow, ...]:
        """Returns the rows of retired entrants that have played, best first, with their last ratings."""
        old = {entrant.name: entrant for entrant in self._entrants(state.entrants) if entrant.retired}
        played = [name for name in self._best_first(old) if self._games(name)]
        return tuple(self._row(old[name], place=None, last_seen=None) for name in played)

    def undecided(self, state: LadderState, now: datetime) -> tuple[tuple[str, str], ...]:
        """Returns the ranked neighbours that are still tied, best first, for `BoardUpdated`.

        Most games change few of them, so the log need not store them after each game.
        """
        bots = {entrant.name: entrant for entrant in self._bots(state)}
        places = self._ranked(bots.values(), now).places
        order = list(places)
        return tuple(
            (bots[one].bot, bots[other].bot) for one, other in pairwise(order) if places[one].games_to_part != 0
        )

    def bench_due(self, state: LadderState, terms: BenchingTerms) -> list[BenchDue]:
        """Returns the entrants to suspend now, with the reasons."""
        playing = [entrant.name for entrant in self._bots(state) if entrant.benched is None]
        return bench_due(((name, self._counts[name].recent) for name in playing if name in self._counts), terms)

    def _bots(self, state: LadderState) -> Iterator[LadderEntrant]:
        """Yields the entrants that have not retired."""
        return (entrant for entrant in self._entrants(state.bots.values()) if not entrant.retired)

    def _entrants(self, entrants: Iterable[LadderEntrant]) -> Iterator[LadderEntrant]:
        return (entrant for entrant in entrants if entrant.joined.clock_class == self._clock_class)

    def _games(self, name: str) -> int:
        return self._counts[name].rated if name in self._counts else 0

    def _best_first(self, names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda name: (-self.ratings.rating(name).score, name))

    def _ranked(self, bots: Iterable[LadderEntrant], now: datetime) -> RankedEntrants:
        """Ranks the bots that have played and were seen recently."""
        scores = {
            bot.name: self.ratings.rating(bot.name).score
            for bot in bots
            if self._games(bot.name) and now - self._seen.of(bot, now) <= self._unseen
        }
        return self._places.of(scores, self.ratings.refit.places)

    def _row(self, entrant: LadderEntrant, place: BoardPlace | None, last_seen: datetime | None) -> BoardRow:
        name, joined = entrant.name, entrant.joined
        rating, before = self.ratings.rating(name), self._before.get(name)
        counts = self._counts.get(name) or GameCounts()
        return BoardRow(
            entrant=name,
            bot=joined.bot,
            version=joined.version,
            owner=joined.owner,
            is_staff=joined.staff,
            place=place,
            rating=rating,
            change=None if before is None else rating.score - before,
            games=counts.games,
            chips_per_deal=counts.chips_per_deal,
            fault_share=counts.faults.share,
            presence=presence_of(entrant),
            room=entrant.room,
            last_seen=last_seen,
        )
