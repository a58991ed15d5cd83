"""Whom a room of trivial bots asks, table by table, and how large its messages are: played here, as it is there."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre import codec
from bourre.messages import Answer, Ask, Bundle
from bourre.rules.actions import Choice, Decision, Declare, Draw, Play
from bourre.rules.deck import SeededChance
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre_referee.diagnostics.bench.bench_extent import BOTS
from bourre_referee.diagnostics.bench.echo_server import Sizes
from bourre_referee.model.spec import MatchSpec

SAMPLE = 8
"""Matches by which the sizes are taken."""


@dataclass(frozen=True, slots=True)
class Routes:
    """The way of every table around the bots."""

    by_table: tuple[tuple[int, ...], ...]
    """The number of the bot that is asked, ask after ask; forced plays are left out, as the room leaves them out."""
    sizes: Sizes
    """The mean, as the codec writes them."""


def routes_of(matches: Sequence[MatchSpec]) -> Routes:
    """What these matches ask."""
    by_table = tuple(tuple(BOTS.index(match.line_up[view.seat]) for view, _ in _asked(match)) for match in matches)
    asked = [each for match in matches[:SAMPLE] for each in _asked(match)]
    asks = [codec.bundle_to_wire(Bundle(asks=[Ask(1, 100, view, 5000)])).ByteSize() for view, _ in asked]
    answers = [codec.answers_to_wire([Answer(1, 100, choice)]).ByteSize() for _, choice in asked]
    return Routes(by_table, Sizes(round(statistics.mean(asks)), round(statistics.mean(answers))))


def _asked(spec: MatchSpec) -> Iterator[tuple[View, Choice]]:
    """Every ask of a match, with its answer."""
    match = Match(len(spec.line_up), spec.deals, spec.house, SeededChance(spec.seed))
    match.start()
    while not match.over:
        view = match.view(match.to_act)
        choice = trivial(view)
        if view.decision != Decision.PLAY or len(view.legal) > 1:
            yield view, choice
        match.apply(view.seat, choice)


def trivial(view: View) -> Choice:
    """What the bot of the bench decides."""
    if view.decision == Decision.PLAY:
        return Play(view.legal[0])
    if view.decision == Decision.DRAW:
        return Draw()
    return Declare(any(card.suit == view.trump for card in view.hand))
