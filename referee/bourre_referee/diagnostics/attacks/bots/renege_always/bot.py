"""Plays its highest card, legal or not, and repeats it when asked to correct it."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    if ask.decision != rogue.PHASES["play"]:
        return rogue.message(rogue.honest(ask))
    held = ask.view.hand.split()
    illegal = [card for card in held if card not in ask.view.legal.split()]
    return rogue.message(Answer(table=ask.table, id=ask.id, card=(illegal or held)[-1]))


rogue.run(respond)
