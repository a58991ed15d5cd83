"""Finds the decisions to review in the records of a run or of practice, and reviews them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bourre.record import Record, RecordedAsk, asks, read
from bourre.rules.errors import unknown
from bourre.rules.view import View
from bourre_referee.model.errors import ContestError
from bourre_referee.model.lab import open_lab
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import printable

if TYPE_CHECKING:
    from bourre_lab.review import ReviewedDecision
    from bourre_referee.model.lab import Lab


@dataclass(frozen=True, slots=True)
class Review:
    """The cost of a bot's decisions."""

    bot: str
    deals: int
    """The number of deals, counting each seating."""
    decisions: tuple[ReviewedDecision, ...]
    records: tuple[Record, ...]
    """The matches of these deals."""
    limits: tuple[str, ...]
    """The limits of the review."""
    warnings: tuple[str, ...] = ()
    """What is not judged, and where the champion is weak."""


def review_run(folder: Run, bot: str, most: int) -> Review:
    """Reviews the first `most` deals that this bot played in a run. Raises ContestError if there are none."""
    if bot not in folder.bots:
        raise ContestError(f"{folder.place}: {unknown('bot', printable(bot), map(printable, folder.bots))}")
    review = review_records((read(folder.record(match)) for match in folder.matches()), bot, most)
    if not review.deals:
        text = f"{printable(bot)!r} has not finished a match in {folder.place} yet."
        raise ContestError(f"{text}\nhint: run this command again later")
    return review


def review_records(records: Iterable[Record], bot: str, most: int) -> Review:
    """Reviews the first `most` deals of this bot. The records must have the same house rules and number of seats."""
    lab = open_lab()
    asked: list[tuple[str, RecordedAsk]] = []
    matches: list[Record] = []
    deals = 0
    for record in records:
        matches.append(record)
        for number in (number for number, name in enumerate(record.header.bots) if name == bot):
            if (room := most - deals) > 0:
                deals += min(room, len(record.deals))
                asked += ((record.header.match, ask) for ask in _first_deals(record, number, room))
        if deals >= most:
            break
    found = [one for match, ask in asked for one in lab.reviewable(match, (ask,))]
    warnings = tuple(_warnings([ask for _, ask in asked], lab))
    return Review(bot, deals, tuple(lab.review_decisions(found)), tuple(matches), tuple(lab.LIMITS), warnings)


def _warnings(asked: Sequence[RecordedAsk], lab: Lab) -> Iterator[str]:
    """Yields a sentence for a table that the champion hardly knows, and one for decisions that are not judged."""
    if asked and (gap := lab.training_gap(asked[0].view.house, asked[0].view.seats)):
        yield gap
    reasons = Counter(filter(None, map(lab.unjudged, asked)))
    if reasons:
        parts = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        yield f"Not judged: {reasons.total()} of {len(asked)} decisions ({parts})."


def _first_deals(record: Record, bot: int, most: int) -> Iterator[RecordedAsk]:
    """Yields the decisions of this bot in the first deals of a record. Each seating of a deal counts."""
    inside = {(deal.deal, deal.seating) for deal in record.deals[:most]}
    return (ask for ask in asks(record, bot) if (ask.view.deal, ask.seating) in inside)


KINDS: Final = ("name trump", "entry", "draw", "stay", "lead", "follow")


@dataclass(frozen=True, slots=True)
class KindSummary:
    """The decisions of one kind."""

    kind: str
    decisions: int
    lost: float
    """What the champion's choices bring more in all, in chips."""
    error: float
    """The standard error of that sum."""
    mistakes: int


def kind_of(view: View) -> str:
    """Returns the kind of this view, from KINDS. To come in with discards (R4.1) is an entry."""
    if view.decision == "play":
        return "follow" if view.trick else "lead"
    return {"name_trump": "name trump", "declare": "entry", "draw": "draw", "stay": "stay"}[view.decision]


def summarize(decisions: Sequence[ReviewedDecision]) -> tuple[KindSummary, ...]:
    """Returns a summary for each kind that occurred."""
    parts = ((kind, [one for one in decisions if kind_of(one.ask.view) == kind]) for kind in KINDS)
    return tuple(_summary(kind, part) for kind, part in parts if part)


def _summary(kind: str, part: Sequence[ReviewedDecision]) -> KindSummary:
    return KindSummary(
        kind=kind,
        decisions=len(part),
        lost=sum(one.lost for one in part),
        error=_root_sum(one.lost_error for one in part),
        mistakes=sum(one.is_mistake for one in part),
    )


def _root_sum(errors: Iterable[float]) -> float:
    return float(sum(error**2 for error in errors) ** 0.5)


def worst(decisions: Iterable[ReviewedDecision], most: int) -> list[ReviewedDecision]:
    """Returns the mistakes that cost most, the worst first."""
    mistakes = [one for one in decisions if one.is_mistake]
    return sorted(mistakes, key=lambda one: one.cost, reverse=True)[:most]
