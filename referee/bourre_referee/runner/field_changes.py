"""Changes the bots of a running contest: finished matches stay, and the new field continues."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bourre_referee.contest.stages import match_number
from bourre_referee.model.errors import ContestError
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.manifest import ClosedStage, Manifest, Terms
from bourre_referee.storage.run_location import RunLocation
from bourre_referee.storage.run_writer import secret_was_revealed, with_matches

FLAG = "--change-bots"
"""The command line option that allows it."""


def only_bots_changed(begun: Manifest, name: str, terms: Terms) -> bool:
    """Whether bots joined or left, and nothing else changed but the schedule."""
    old = {bot.name: bot for bot in begun.terms.bots}
    both = [bot for bot in terms.bots if bot.name in old]
    if len(both) == len(old) == len(terms.bots):
        return False
    before = begun.terms.model_copy(update={"bots": tuple(old[bot.name] for bot in both)})
    now = terms.model_copy(update={"bots": tuple(both), "schedule": before.schedule})
    return not changes(begun.model_copy(update={"terms": before}), name, now)


def begin_stage(begun: Manifest, terms: Terms, place: RunLocation) -> Manifest:
    """Returns the new manifest: the current stage is closed, and one with the bots of these terms begins.

    Raises ContestError if the seed was revealed, or if a bot that left returns changed.
    """
    if secret_was_revealed(begun):
        raise ContestError(
            f"{place}: its secret seed was revealed when all matches were finished, so any further cards could "
            "be known beforehand: start another contest with these bots"
        )
    _check_returning(begun, terms)
    finished, begun_places = _read_played(begun, place)
    news = begun.model_copy(
        update={
            "terms": terms.model_copy(update={"baseline": begun.terms.baseline}),
            "closed": tuple(_close_stages(begun, {match_number(match) for match in finished}, begun_places)),
            "added": (),
            "digest": None,
        }
    )
    places = len(finished) + news.stages[-1].places
    return with_matches(news.model_copy(update={"matches": places}), finished)


def _close_stages(begun: Manifest, finished: Collection[int], begun_places: Collection[int]) -> Iterator[ClosedStage]:
    """Closes all stages so far: their unfinished matches count as missing, since a bot they need may be gone."""
    pairings = (begun.terms.schedule, *begun.added)
    now = [ClosedStage(bots=begun.terms.bots, schedule=pairing, places=0, missing=()) for pairing in pairings]
    for stage, closed in zip(begun.stages, (*begun.closed, *now), strict=True):
        last = max((number for number in begun_places if number >= stage.first), default=stage.first - 1)
        numbers = range(stage.first, last + 1) if closed is now[-1] else stage.numbers
        missing = tuple(number for number in numbers if number not in finished)
        yield closed.model_copy(update={"places": len(numbers), "missing": missing})


def _read_played(begun: Manifest, place: RunLocation) -> tuple[dict[str, bytes], set[int]]:
    """Returns the hashes of the finished matches' records, and the numbers of all matches that were attempted."""
    if not place.has_store():
        return {}, set()
    with place.open_store(begun.seed.commitment) as store:
        finished = store.record_hashes()
        return finished, {match_number(match) for match in (*finished, *(void.match for void in store.voids()))}


def _check_returning(begun: Manifest, terms: Terms) -> None:
    left = {bot.name: bot for stage in begun.closed for bot in stage.bots}
    now = {bot.name for bot in begun.terms.bots}
    for bot in terms.bots:
        before = left.get(bot.name, bot)
        if before.trusted is None:  # an older manifest lacks it
            before = before.model_copy(update={"trusted": bot.trusted})
        if bot.name not in now and before != bot:
            raise ContestError(
                f"bot {bot.name} played in this contest before with a different command or files: give it another name"
            )
