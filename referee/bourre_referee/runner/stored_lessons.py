"""What the stored matches of a run teach about its bots, and the luck that they still lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bourre.record import read
from bourre.record.played_record import play_text
from bourre_referee.contest.recount import boards_of, recount
from bourre_referee.contest.stages import match_number
from bourre_referee.luck import Baseline, LessonsInOrder, PlannedMatch, TaughtBoards
from bourre_referee.model.results import MatchResult
from bourre_referee.storage.database.store import Store
from bourre_referee.storage.database.store_reader import StoreReader


def lessons_of(store: StoreReader, planned: Iterable[PlannedMatch]) -> LessonsInOrder:
    """Returns the lessons from the stored matches of a run whose other matches are to be played.

    The first finished attempt at a match teaches, so that annulling it changes no other match's luck.
    """
    annulled = {void.match: void.record for void in reversed(store.voids()) if void.record is not None}
    plan = {match.match: match for match in planned}
    plan |= {result.match: _planned(result) for result in store.results()}
    plan |= {match: PlannedMatch(match, tuple(read(record).header.bots)) for match, record in annulled.items()}
    lessons = LessonsInOrder(sorted(plan.values(), key=lambda match: match_number(match.match)))
    for match in store.record_hashes().keys() | annulled.keys():
        lessons.hear(match, _reader(store, match, annulled.get(match)))
    return lessons


def _planned(result: MatchResult) -> PlannedMatch:
    return PlannedMatch(result.match, tuple(seat.bot for seat in result.seats))


def _reader(store: StoreReader, match: str, first_record: str | None) -> Callable[[], TaughtBoards]:
    def read_lesson() -> TaughtBoards:
        played = play_text(first_record or store.record(match) or "")
        return TaughtBoards(boards_of(played), played.record.header.house)

    return read_lesson


def set_unknown_luck(store: Store, baseline: Baseline | None, lessons: LessonsInOrder) -> Iterator[MatchResult]:
    """Computes and stores the luck of each stored match that lacks it, if the lessons are complete, and yields it."""
    for result in store.results():
        if not result.blocks or result.blocks[0].luck:
            continue
        begun, record = lessons.lessons(_planned(result)), store.record(result.match)
        if begun is not None and record is not None:
            found = recount(play_text(record), baseline, begun).result
            store.set_luck(result.match, [block.luck for block in found.blocks])
            yield found
