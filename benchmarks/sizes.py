"""How large the messages of a room are: the mean over a match of trivial bots, as the codec writes them."""

from __future__ import annotations

import statistics

from echo import Sizes

from bourre import codec
from bourre.messages import Answer, Ask, Bundle
from bourre.rules.actions import Choice, Decision, Declare, Draw, Play
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View


def mean_sizes(seats: int, deals: int) -> Sizes:
    """The sizes of asks and answers, forced plays left out as a room leaves them out."""
    match = Match(seats, deals, HouseRules.preset("limit"), SeededChance(bytes(32)))
    match.start()
    asks: list[int] = []
    answers: list[int] = []
    while not match.over:
        view = match.view(match.to_act)
        choice = trivial(view)
        if view.decision != Decision.PLAY or len(view.legal) > 1:
            asks.append(codec.bundle_to_wire(Bundle(asks=[Ask(0, len(asks), view, 5000)])).ByteSize())
            answers.append(codec.answers_to_wire([Answer(0, len(asks), choice)]).ByteSize())
        match.apply(view.seat, choice)
    return Sizes(round(statistics.mean(asks)), round(statistics.mean(answers)))


def trivial(view: View) -> Choice:
    """What the bot of the benchmark decides."""
    if view.decision == Decision.PLAY:
        return Play(view.legal[0])
    if view.decision == Decision.DRAW:
        return Draw()
    return Declare(any(card.suit == view.trump for card in view.hand))
