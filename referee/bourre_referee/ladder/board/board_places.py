"""Ranks the entrants of a board by their scores, with brackets of those that are tied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bourre_referee.ladder.board.board_rows import BoardPlace
from bourre_referee.statistics.place_model import NO_PLACES, PlaceModel
from bourre_referee.statistics.sequential_tests import judge_ranking
from bourre_referee.statistics.tied_letters import assign_letters


@dataclass(frozen=True, slots=True)
class RankedEntrants:
    """The ranked entrants."""

    places: Mapping[str, BoardPlace]
    """Best first."""
    ties: tuple[tuple[str, ...], ...] = ()
    """Brackets of neighbours that are not told apart."""
    too_few: tuple[str, ...] = ()
    """Those with too few games to tell them apart."""


class BoardPlaces:
    """Ranks entrants, unless nothing has changed since the last call."""

    def __init__(self) -> None:
        self._scores: Mapping[str, float] = {}
        self._model = NO_PLACES
        self._ranking = RankedEntrants({})

    def of(self, scores: Mapping[str, float], model: PlaceModel) -> RankedEntrants:
        """Ranks these entrants. Equal scores are ordered by name. The model is that of the last refit."""
        if scores != self._scores or model is not self._model:
            self._scores, self._model = dict(scores), model
            self._ranking = self._rank(sorted(scores, key=lambda entrant: (-scores[entrant], entrant)))
        return self._ranking

    def _rank(self, order: list[str]) -> RankedEntrants:
        found = judge_ranking(self._model, order)
        letters = assign_letters(order, found.brackets)
        places = {
            entrant: BoardPlace(rank, tied, found.games_to_part.get(entrant))
            for rank, (entrant, tied) in enumerate(zip(order, letters, strict=True), start=1)
        }
        return RankedEntrants(places, found.brackets, found.too_few)
