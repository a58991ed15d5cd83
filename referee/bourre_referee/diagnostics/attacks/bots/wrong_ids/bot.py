"""Answers questions that were never asked, with the lowest and the highest possible ids."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    foreign = [Answer(table=ask.table, id=number, card="AS") for number in (0, ask.id + 1000, 2**32 - 1)]
    return rogue.message(*foreign, rogue.honest(ask))


rogue.run(respond)
