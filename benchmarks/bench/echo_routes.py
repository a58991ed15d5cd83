"""Finds which bots a room of trivial bots asks, table by table, and the sizes of its messages."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.echo_server import Sizes
from bench.extent import BOTS
from bourre import codec
from bourre.messages import Answer, Ask, Bundle
from bourre.rules.actions import Choice, Decision, Declare, Draw, Play
from bourre.rules.deck import SeededChance
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre_referee.model.spec import MatchSpec

SAMPLE = 8
"""How many matches give the sizes."""


@dataclass(frozen=True, slots=True)
class Routes:
    """The order in which every table asks the bots."""

    by_table: tuple[tuple[int, ...], ...]
    """The index of the asked bot, ask by ask; forced plays are left out, as in the room."""
    sizes: Sizes
    """The mean sizes, as the codec writes them."""


def routes_of(matches: Sequence[MatchSpec]) -> Routes:
    """Returns the routes of these matches."""
    by_table = tuple(tuple(BOTS.index(match.line_up[view.seat]) for view, _ in _asks(match)) for match in matches)
    asked = [each for match in matches[:SAMPLE] for each in _asks(match)]
    asks = [codec.bundle_to_wire(Bundle(asks=[Ask(1, 100, view, 5000)])).ByteSize() for view, _ in asked]
    answers = [codec.answers_to_wire([Answer(1, 100, choice)]).ByteSize() for _, choice in asked]
    return Routes(by_table, Sizes(round(statistics.mean(asks)), round(statistics.mean(answers))))


def _asks(spec: MatchSpec) -> Iterator[tuple[View, Choice]]:
    """Yields every ask of a match, with its answer."""
    match = Match(len(spec.line_up), spec.deals, spec.house, SeededChance(spec.seed))
    match.start()
    while not match.over:
        view = match.view(match.to_act)
        choice = trivial_choice(view)
        if view.decision != Decision.PLAY or len(view.legal) > 1:
            yield view, choice
        match.apply(view.seat, choice)


def trivial_choice(view: View) -> Choice:
    """Returns the choice of the bot of the bench."""
    if view.decision == Decision.PLAY:
        return Play(view.legal[0])
    if view.decision == Decision.DRAW:
        return Draw()
    return Declare(any(card.suit == view.trump for card in view.hand))
