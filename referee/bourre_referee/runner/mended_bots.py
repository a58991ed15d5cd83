"""Replaces bots of a running contest that have not played yet: the matches that they missed are played again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bourre_referee.contest.isolation_choice import Tell
from bourre_referee.model.errors import ContestError
from bourre_referee.model.results import MatchResult
from bourre_referee.runner.run_changes import changes
from bourre_referee.storage.manifest import BotTerms, Manifest, Replaced, Terms, with_bots
from bourre_referee.storage.run_location import RunLocation
from bourre_referee.storage.run_writer import RunWriter, secret_was_revealed
from bourre_referee.storage.void_match import LONGEST_REASON
from bourre_referee.text.names import printable, shorten

MOST_MISSED = 1_000
"""The most matches that are voided at once: each has an entry in the log."""


def mended_bots(begun: Manifest, name: str, terms: Terms) -> tuple[BotTerms, ...]:
    """Returns the bots as they were whose files or commands were replaced; none if anything else changed, too."""
    now = {bot.name: bot for bot in terms.bots}
    before = tuple(bot for bot in begun.terms.bots if bot.name in now and _program(now[bot.name]) != _program(bot))
    same = (now[bot.name].model_copy(update=_program(bot)) for bot in before)
    as_before = terms.model_copy(update={"bots": with_bots(terms.bots, same)})
    return () if changes(begun, name, as_before) else before


def _program(bot: BotTerms) -> dict[str, object]:
    """Returns what starts a bot."""
    return {"command": bot.command, "files": bot.files, "venv": bot.venv}


def replace_bots(
    begun: Manifest, terms: Terms, before: tuple[BotTerms, ...], place: RunLocation, now: datetime, tell: Tell
) -> Manifest:
    """Voids the matches that these bots missed, and returns the manifest with what they are by these terms.

    Raises ContestError if one of them played with its old files, or if they missed too many matches.
    """
    manifest = begun
    if place.has_store():
        with place.open_store(begun.seed.commitment, writing=True) as store:
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
            f"{place}: {', '.join(bots)} missed {len(again):,} matches, more than the {MOST_MISSED:,} that are played "
            "again: start again with --fresh"
        )
    for match, names in again.items():
        writer.void(match, shorten(f"not played by {names}, now replaced", LONGEST_REASON), now)
    if again:
        public = (
            ", and their cards could be known: the seed was revealed" if secret_was_revealed(writer.manifest) else ""
        )
        tell(f"{', '.join(bots)} missed {len(again)} matches, which are played again{public}")


def _missing(result: MatchResult, bots: list[str], place: RunLocation) -> str:
    """Returns which of the bots missed this match; empty if none of them sat in it."""
    seats = [seat for seat in result.seats if seat.bot in bots]
    for seat in seats:
        if seat.house_deals < result.playings:
            raise ContestError(
                f"{place}: {seat.bot} played in {result.match} with its old files, so they stay: undo the change, or "
                "enter it under another name with --change-bots"
            )
    return " and ".join(printable(seat.bot) for seat in seats)
