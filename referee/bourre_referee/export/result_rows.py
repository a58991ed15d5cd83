"""Makes the rows that follow from results alone: matches, seats, blocks, ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bourre.notes import Usage
from bourre.rules.actions import Fault
from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.export.table_rows import (
    BlockRow,
    CallRow,
    MatchTableRow,
    NoteRow,
    RatingTableRow,
    SeatTableRow,
    UsageRow,
)
from bourre_referee.luck import ORDERS
from bourre_referee.model.model_call import ModelCall
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, no_shows
from bourre_referee.model.seat_remarks import Note
from bourre_referee.model.stored import StoredMatch, StoredSeat
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.batch import VERSION
from bourre_referee.ratings.belief import NO_ANCHORS, Anchors
from bourre_referee.ratings.in_order import rate_by_match
from bourre_referee.text.amounts import in_840, in_chips
from bourre_referee.text.names import printable


def note_rows(match: StoredMatch) -> Iterator[NoteRow]:
    """Yields a row for each note of a match, by deal, seating and action. Control characters are escaped."""
    for note, bot in _notes_of(match):
        yield NoteRow(match.match, note.deal, note.seating, note.number, bot, _lines(note.text))


def call_rows(match: StoredMatch) -> Iterator[CallRow]:
    """Yields a row for each call of a language model, in the order of the notes. Control characters are escaped."""
    for note, _ in _notes_of(match):
        for call in note.calls:
            yield replace(call_row(call), match=match.match, deal=note.deal, seating=note.seating, number=note.number)


def call_row(call: ModelCall) -> CallRow:
    """Returns the row of a call that no note names, such as a trial call. Control characters are escaped."""
    reply = call.reply
    return CallRow(
        match=None,
        deal=None,
        seating=None,
        number=None,
        bot=call.bot,
        call=call.number,
        at=call.at,
        status=reply.status if reply else None,
        tokens_in=call.spent.tokens_in,
        tokens_out=call.spent.tokens_out,
        cost_millionths=call.spent.cost_millionths,
        server_model=printable(reply.server_model) if reply else "",
        fingerprint=printable(reply.fingerprint) if reply else "",
        prompt=_lines(call.prompt),
        reply=_lines(reply.body) if reply else "",
    )


def _notes_of(match: StoredMatch) -> list[tuple[Note, str]]:
    """Returns the notes of a match with their bots, by deal, seating and action."""
    pairs = zip(match.seats, match.remarks, strict=False)
    said = [(note, seat.bot) for seat, remarks in pairs for note in remarks.notes]
    return sorted(said, key=lambda pair: (pair[0].deal, pair[0].seating or 0, pair[0].number))


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.splitlines()))


def usage_rows(match: StoredMatch) -> Iterator[UsageRow]:
    """Yields a row for each bot that sent a note or its usage in a match."""
    for number, (seat, remarks) in enumerate(zip(match.seats, match.remarks, strict=False)):
        if remarks:
            usage = remarks.usage or Usage()
            yield UsageRow(
                match=match.match,
                seat=number,
                bot=seat.bot,
                tokens_in=usage.tokens_in,
                tokens_out=usage.tokens_out,
                calls=usage.calls,
                cost_millionths=usage.cost_millionths,
                notes=len(remarks.notes),
                notes_dropped=remarks.dropped,
            )


def match_row(match: StoredMatch, format: str) -> MatchTableRow:
    """Returns the row of a match."""
    return MatchTableRow(
        number=match.number,
        match=match.match,
        format=format,
        seats=len(match.seats),
        deals=match.deals,
        playings=match.playings,
        attempt=match.attempt,
        isolation=match.isolation,
        sha256=match.sha256.hex(),
    )


def seat_rows(match: StoredMatch) -> Iterator[SeatTableRow]:
    """Yields the rows of a match's seats."""
    for number, seat in enumerate(match.seats):
        yield SeatTableRow(
            match=match.match,
            seat=number,
            bot=seat.bot,
            chips=in_chips(seat.chips, match.unit),
            chips_840=in_840(seat.chips, match.unit),
            rank=seat.rank,
            wins=seat.wins,
            bourres=seat.bourres,
            reneges=seat.reneges,
            faults=seat.faults,
            house_deals=seat.house_deals,
            **_by_rule(seat),
            **_by_kind(seat),
        )


def _by_rule(seat: StoredSeat) -> dict[str, int]:
    times = dict(seat.reneges_by_rule)
    return {f"reneges_{rule.lower().replace('.', '_')}": times.get(rule, 0) for rule in RENEGE_RULES}


def _by_kind(seat: StoredSeat) -> dict[str, int]:
    times = dict(seat.faults_by_kind)
    return {f"faults_{kind}": times.get(kind, 0) for kind in Fault}


def block_rows(match: StoredMatch) -> Iterator[BlockRow]:
    """Yields a row for each bot of the match, in format `duplicate` for each bot and deal."""
    if not match.blocks:
        chips = tuple(seat.chips for seat in match.seats)
        yield from _block_rows(match, None, DealResult(chips, ()), match.deals)
    for deal, block in enumerate(match.blocks, start=1):
        yield from _block_rows(match, deal, block, len(match.seats))


def _block_rows(match: StoredMatch, deal: int | None, block: DealResult, playings: int) -> Iterator[BlockRow]:
    for number, seat in enumerate(match.seats):
        luck = block.luck[number] if block.luck else None
        yield BlockRow(
            match=match.match,
            deal=deal,
            bot=seat.bot,
            playings=playings,
            chips=in_chips(block.chips[number], match.unit),
            chips_840=in_840(block.chips[number], match.unit),
            luck=None if luck is None else in_chips(luck, match.unit * ORDERS),
            luck_26880=luck,
        )


def reduce_to_ranks(match: StoredMatch) -> MatchResult:
    """Reduces a match's result to its ranks and players, because the results of a whole run stay in memory."""
    seats = (SeatResult(seat.bot, seat.chips, seat.rank, 0, 0, 0, 0, seat.house_deals) for seat in match.seats)
    return MatchResult(match.match, match.playings, tuple(seats), match.unit)


BATCH, ONE_PASS = "batch", "one_pass"
"""The ways of rating: all matches at once, and one after the other."""


def rating_rows(
    results: Sequence[MatchResult], bots: Sequence[str], anchors: Anchors = NO_ANCHORS, version: int = VERSION
) -> Iterator[RatingTableRow]:
    """Yields the ratings of the standings, then after each match those of its bots, best first. No-shows have none."""
    absent = no_shows(results)
    for bot, rating in rate(results, bots, anchors=anchors, version=version).items():
        if bot not in absent:
            yield _rating_row(BATCH, len(results), None, bot, rating)
    for number, (match, rated) in enumerate(rate_by_match(results, bots, anchors=anchors, version=version), start=1):
        for bot, rating in rated.items():
            if bot not in absent:
                yield _rating_row(ONE_PASS, number, match.match, bot, rating)


def _rating_row(way: str, number: int, match: str | None, bot: str, rating: Rating) -> RatingTableRow:
    return RatingTableRow(way, number, match, bot, rating.mu, rating.sigma, rating.score)
