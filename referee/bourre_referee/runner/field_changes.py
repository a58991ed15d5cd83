"""Changes the bots of a running contest. Replaced bots play the matches that they missed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from bourre_referee.contest.isolation_choice import Tell
from bourre_referee.contest.stages import match_number
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.run.manifest import BotTerms, ClosedStage, Manifest, Replaced, Terms, with_bots
from bourre_referee.storage.run.run_location import RunLocation
from bourre_referee.storage.run.run_writer import RunWriter, secret_was_revealed, with_matches
from bourre_referee.storage.run.void_match import LONGEST_REASON
from bourre_referee.text.names import printable, shorten

FLAG = "--change-bots"
"""The option of `bourre run` that allows it."""


def only_bots_changed(begun: Manifest, name: str, terms: Terms) -> bool:
    """Whether only the bots, and perhaps the schedule, changed."""
    old = {bot.name: bot for bot in begun.terms.bots}
    both = [bot for bot in terms.bots if bot.name in old]
    if len(both) == len(old) == len(terms.bots):
        return False
    before = begun.terms.model_copy(update={"bots": tuple(old[bot.name] for bot in both)})
    now = terms.model_copy(update={"bots": tuple(both), "schedule": before.schedule})
    return not changes(begun.model_copy(update={"terms": before}), name, now)


def begin_stage(begun: Manifest, terms: Terms, place: RunLocation) -> Manifest:
    """Returns a manifest that closes the current stage and begins one with the bots of these terms.

    Raises ContestError if the seed was revealed, or if a bot that left returns changed.
    """
    if secret_was_revealed(begun):
        raise ContestError(
            f"{place}: its seed was revealed when all matches were finished, so further cards would be known in "
            "advance.\nhint: run a new contest with these bots"
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
    """Closes all stages so far. Their unfinished matches count as missing, because a bot may be gone."""
    pairings = (begun.terms.schedule, *begun.added)
    now = [ClosedStage(bots=begun.terms.bots, schedule=pairing, places=0, missing=()) for pairing in pairings]
    for stage, closed in zip(begun.stages, (*begun.closed, *now), strict=True):
        last = max((number for number in begun_places if number >= stage.first), default=stage.first - 1)
        numbers = range(stage.first, last + 1) if closed is now[-1] else stage.numbers
        missing = tuple(number for number in numbers if number not in finished)
        yield closed.model_copy(update={"places": len(numbers), "missing": missing})


def _read_played(begun: Manifest, place: RunLocation) -> tuple[dict[str, bytes], set[int]]:
    """Returns the record hashes of finished matches, and the numbers of all matches with an attempt."""
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
                f"bot {bot.name} played in this contest before with a different command or files.\nhint: rename it"
            )


MOST_MISSED = 1_000
"""The most matches that are discarded at once. Each has an entry in the log."""


def mended_bots(begun: Manifest, name: str, terms: Terms) -> tuple[BotTerms, ...]:
    """Returns the former bots whose files or commands were replaced; none if anything else changed too."""
    now = {bot.name: bot for bot in terms.bots}
    before = tuple(bot for bot in begun.terms.bots if bot.name in now and _program(now[bot.name]) != _program(bot))
    same = (now[bot.name].model_copy(update=_program(bot)) for bot in before)
    as_before = terms.model_copy(update={"bots": with_bots(terms.bots, same)})
    return () if changes(begun, name, as_before) else before


def _program(bot: BotTerms) -> dict[str, object]:
    """Returns the keys that start a bot."""
    return {"command": bot.command, "files": bot.files, "venv": bot.venv}


def replace_bots(
    begun: Manifest, terms: Terms, before: tuple[BotTerms, ...], place: RunLocation, now: datetime, tell: Tell
) -> Manifest:
    """Discards the matches that these bots missed, and returns the manifest with their new files or commands.

    Raises ContestError if one of them played with its old files, or if they missed too many matches.
    """
    manifest = begun
    if place.has_store():
        with place.open_to_write(begun.seed.commitment) as store:
            writer = RunWriter(place, store, begun)
            _void_missed(writer, store.results(), [bot.name for bot in before], place, now, tell)
            store.seal()
        manifest = writer.manifest
    replaced = Replaced(bots=before, closed=len(manifest.closed))
    news = {"terms": terms.model_copy(update={"baseline": begun.terms.baseline}), "digest": None}
    return manifest.model_copy(update={**news, "replaced": (*(manifest.replaced or ()), replaced)})


def _void_missed(
    writer: RunWriter, results: Sequence[MatchResult], bots: list[str], place: RunLocation, now: datetime, tell: Tell
) -> None:
    missed = {result.match: _missing(result, bots, place) for result in results}
    again = {match: names for match, names in missed.items() if names}
    if len(again) > MOST_MISSED:
        raise ContestError(
            f"{place}: {', '.join(bots)} missed {len(again):,} matches, more than the {MOST_MISSED:,} that can be "
            "played again.\nhint: set another folder with --out"
        )
    for match, names in again.items():
        writer.void(match, shorten(f"not played by {names}, now replaced", LONGEST_REASON), now)
    if again:
        public = (
            ", with cards that could be known, because the seed was revealed"
            if secret_was_revealed(writer.manifest)
            else ""
        )
        tell(f"{', '.join(bots)} missed {len(again)} matches, which are played again{public}")


def _missing(result: MatchResult, bots: list[str], place: RunLocation) -> str:
    """Returns the bot that missed this match; empty if none did."""
    seats = [seat for seat in result.seats if seat.bot in bots]
    for seat in seats:
        if seat.house_deals < result.playings:
            raise ContestError(
                f"{place}: {seat.bot} played {result.match} with its old files.\n"
                "hint: undo the change, or rename the bot and use --change-bots"
            )
    return " and ".join(printable(seat.bot) for seat in seats)
