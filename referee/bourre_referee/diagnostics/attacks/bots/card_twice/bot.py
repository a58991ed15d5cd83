"""Plays its first card of each deal again and again."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage

first: dict[int, str] = {}


def respond(ask: Ask) -> BotMessage:
    if ask.decision != rogue.PHASES["play"]:
        return rogue.message(rogue.honest(ask))
    card = first.setdefault(ask.view.deal, ask.view.legal[:2])
    return rogue.message(Answer(table=ask.table, id=ask.id, card=card))


rogue.run(respond)
