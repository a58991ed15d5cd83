"""Check that a bot gives the same answers when only the room differs."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from itertools import zip_longest

from bourre.rules.actions import Decision
from bourre.rules.cards import show
from bourre_referee.evaluation.check.check_report import Check, Finding, make_check
from bourre_referee.evaluation.check.check_room import PlayedRoom
from bourre_referee.evaluation.check.finding_context import Context, lines_about
from bourre_referee.evaluation.check.transcript import Exchange


def determinism_check(name: str, title: str, hint: str, context: Context, other: PlayedRoom) -> Check:
    """Compare the first matches of a room with the same ones in another."""
    outcomes = context.played.outcomes[: len(other.outcomes)]
    here, there = (digest(outcome.record for outcome in room) for room in (outcomes, other.outcomes))
    if here == there:
        return make_check(name, title, f"digest {here[:12]} of {len(outcomes)} matches, both times", [])
    return make_check(name, title, "", [_first_difference(context, other, hint)])


def digest(records: Iterable[str]) -> str:
    """Return the SHA-256 of the records, in the order of the matches."""
    return hashlib.sha256("".join(records).encode()).hexdigest()


def _first_difference(context: Context, other: PlayedRoom, hint: str) -> Finding:
    """Find the first decision, in the order of the matches, whose answers differ."""
    here, there = _by_match(context.played), _by_match(other)
    for outcome in other.outcomes:
        match = outcome.result.match
        for one, two in zip_longest(here[match], there[match]):
            if answer_text(one) != answer_text(two):
                return _difference(context, one, two, other, hint)
    return Finding("in the second room its answers came at other times, late or not at all", mend=hint)


def _by_match(played: PlayedRoom) -> dict[str, list[Exchange]]:
    found: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in played.exchanges:
        found[exchange.match].append(exchange)
    return found


def _difference(context: Context, one: Exchange | None, two: Exchange | None, other: PlayedRoom, hint: str) -> Finding:
    exchange = one or two
    assert exchange is not None
    view = exchange.ask.view
    return Finding(
        what=f"{view.decision}: answered {answer_text(one)!r} the first time, {answer_text(two)!r} the second",
        where=context.where(exchange),
        hand=show(view.hand),
        legal=show(view.legal) if view.decision == Decision.PLAY else "",
        cost="no match with this bot can be reproduced",
        mend=hint,
        printed=lines_about(other.printed, exchange),
        again=context.again(exchange.match),
    )


def answer_text(exchange: Exchange | None) -> str:
    """Return what was answered to an ask; None stands for no such ask."""
    if exchange is None:
        return "never asked"
    return str(exchange.answer.action) if exchange.answer else "nothing"
