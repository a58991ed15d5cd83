"""What a seat was asked when it acted, seen from the position before."""

from __future__ import annotations

from dataclasses import dataclass

from bourre.rules.actions import Action, Decision, HandOver, Play, Recall, Unasked
from bourre.rules.card_play import Tricks
from bourre.rules.match import Match
from bourre.rules.tricks import broken_rule

CORRECT = "correct"
"""A second card after a renege: asked for as `play`, but told apart here (R8.4)."""

UNASKED: dict[type[Action], str] = {Unasked: "unasked", HandOver: "house", Recall: "recall"}
"""What is done without a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, and for a card how narrow the choice was."""

    kind: str
    trick: int | None = None
    """From 1."""
    legal: int | None = None
    """How many cards were legal."""
    renege: str | None = None
    """The rule that the answer breaks."""


def question(match: Match, action: Action) -> Question:
    """The question to which this action, next in the match, is the answer. InvalidAction when the match is over."""
    if kind := UNASKED.get(type(action)):
        return Question(kind)
    tricks = match.deal.tricks
    if tricks is None or match.decision != Decision.PLAY:
        return Question(match.decision.value)
    kind = CORRECT if tricks.correcting else Decision.PLAY.value
    renege = None if tricks.correcting else _renege(tricks, action)
    return Question(kind, len(tricks.done) + 1, tricks.legal.bit_count(), renege)


def _renege(tricks: Tricks, action: Action) -> str | None:
    """The rule that a card of the hand breaks; one that is not held is a fault instead."""
    if not isinstance(action, Play) or not tricks.hands[tricks.to_act] >> action.card & 1:
        return None
    return None if tricks.legal >> action.card & 1 else broken_rule(action.card, tricks.position())
