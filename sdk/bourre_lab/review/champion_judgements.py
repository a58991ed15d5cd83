"""The decisions of a match for the tests for collusion: the cost by the champion's judgement, and the other bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import tanh
from typing import Final

from bourre.record import Record, RecordedAsk, asks_of_all
from bourre.rules.actions import Choice, Declare, Missing, Play, Stay
from bourre.rules.cards import Card
from bourre.rules.tricks import beats, best_card
from bourre.rules.view import View
from bourre.sampling.view_reading import winner
from bourre_lab.champion import Judged, judge_views
from bourre_lab.review.compared_choices import judged_alike
from bourre_lab.review.mistakes import reviewable

MOST_COST: Final = 0.5
"""The largest cost of a decision, as a share of the cost of going bourré, so that no few decisions dominate."""
_SHARPNESS: Final = 2.0
_DRAWS, _ENTERS, _PLAYS = range(3)
_PASSING: Final = frozenset((Declare(False), Stay(False)))


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """One decision of a bot, and its relation to the other bots."""

    bot: str
    block: tuple[int, int]
    """The match and the deal. All seatings of a `duplicate` deal are one block."""
    situation: tuple[int, ...]
    """The public facts without cards and names. Only decisions in equal situations are compared."""
    chips: float
    """The cost of going bourré. The other figures are shares of it."""
    cost: float
    """The loss against the best choice, in the champion's judgement."""
    rivals: frozenset[str]
    """The other bots that may still win this pot, who gain by a mistake."""
    met: frozenset[str]
    """The bots that the decision meets: all that are in, or for a card that follows, the winner of the trick so far."""
    stand: float | None
    """1 for coming in, 0 for passing, or a card's place among the legal ones, from 0 (the lowest) to 1; else None."""
    sound: float
    """The champion's preference for coming in, from -1 to 1, or the place of its favourite card."""
    plays: bool
    """Whether the decision is about a card."""


def judged_decisions(number: int, record: Record) -> Iterator[JudgedDecision]:
    """Yields the lawful decisions of all bots in match `number`; raises RecordError if the rules contradict it."""
    bots = record.header.bots
    line_ups = {(deal.deal, deal.seating): deal.line_up for deal in record.deals}
    asked = [
        (bots[bot], one.ask)
        for bot, ask in asks_of_all(record)
        for one in reviewable(record.header.match, (ask,))
        if ask.view.decision != "name_trump"
    ]
    judged = judge_views([ask.view for _, ask in asked])
    for (bot, ask), choices in zip(asked, judged, strict=True):
        assert not isinstance(ask.action, Missing)
        seated = line_ups.get((ask.view.deal, ask.seating)) or range(len(bots))
        names = [bots[place] for place in seated]
        yield _judge(bot, (number, ask.view.deal), ask, choices, names)


def _judge(
    bot: str, block: tuple[int, int], ask: RecordedAsk, judged: Sequence[Judged], names: Sequence[str]
) -> JudgedDecision:
    view, action = ask.view, ask.action
    assert not isinstance(action, Missing)
    values = {one.choice: one.chips for one in judged_alike(judged, action)}
    stake = max(1, view.match)
    others = [seat for seat in range(view.seats) if seat != view.seat]
    inside = [seat for seat in others if view.plays[seat]]
    undecided = sum(view.plays[seat] is None for seat in others)
    stand: float | None
    met: Sequence[int] = inside
    if isinstance(action, Play):
        stand, sound, situation, met = _card(action.card, values, view, inside)
    else:
        stand, sound, situation = _entry(action, values, view, stake)
    return JudgedDecision(
        bot=bot,
        block=block,
        situation=(*situation, len(inside), undecided),
        chips=stake,
        cost=min(MOST_COST, (max(values.values()) - _value(action, values)) / stake),
        rivals=frozenset(names[seat] for seat in others if view.plays[seat] is not False),
        met=frozenset(names[seat] for seat in met),
        stand=stand,
        sound=sound,
        plays=isinstance(action, Play),
    )


def _value(action: Choice, values: Mapping[Choice, float]) -> float:
    """Returns the value of a choice. Senseless discards count as the worst sensible ones."""
    known = values.get(action)
    if known is not None:
        return known
    best = max(values.values())
    return min((value for choice, value in values.items() if choice not in _PASSING), default=best)


def _entry(
    action: Choice, values: Mapping[Choice, float], view: View, stake: int
) -> tuple[float | None, float, tuple[int, ...]]:
    """Returns the `stand`, the `sound` and the `situation` of a declaration."""
    passing = [value for choice, value in values.items() if choice in _PASSING]
    coming = [value for choice, value in values.items() if choice not in _PASSING]
    if not passing or not coming:
        return None, 0.0, (_DRAWS,)
    place = (view.seat - view.dealer - 1) % view.seats
    sound = tanh(_SHARPNESS * (max(coming) - passing[0]) / stake)
    return float(action not in _PASSING), sound, (_ENTERS, view.seats, view.decision == "stay", place)


def _card(
    card: Card, values: Mapping[Choice, float], view: View, inside: Sequence[int]
) -> tuple[float, float, tuple[int, ...], Sequence[int]]:
    """Returns the `stand`, the `sound`, the `situation` and the met seats of a card."""
    trump = view.trump
    ordered = sorted(view.legal, key=lambda legal: (legal.suit == trump, legal.rank))
    best = max(values, key=values.__getitem__)
    assert isinstance(best, Play)
    places = [ordered.index(one) / max(1, len(ordered) - 1) for one in (card, best.card)]
    to_come = len(view.playing) - len(view.trick) - 1
    if not view.trick:
        return places[0], places[1], (_PLAYS, len(view.tricks), 0, to_come), inside
    winning = winner(view)
    assert winning is not None
    can_beat = beats(ordered[-1], best_card(view.trick, trump), trump)
    return places[0], places[1], (_PLAYS, len(view.tricks), 1 + can_beat, to_come), (winning,)
