"""Discards the same card twice, more cards than it holds, and cards of others."""

from itertools import cycle

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage

WAYS = cycle(("twice", "all", "foreign"))


def respond(ask: Ask) -> BotMessage:
    if ask.decision == rogue.PHASES["play"]:
        return rogue.message(rogue.honest(ask))
    hand = ask.view.hand
    foreign = next(card for card in ("2C", "2D", "2H", "2S", "3C", "3D") if card not in hand)
    ways = {"twice": f"{hand[:2]} {hand[:2]}", "all": f"{hand} {foreign}", "foreign": foreign}
    return rogue.message(Answer(table=ask.table, id=ask.id, plays=True, discards=ways[next(WAYS)]))


rogue.run(respond)
