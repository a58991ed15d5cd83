"""Sits at two tables and answers the asks of one at the other."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    answer = rogue.honest(ask)
    answer.table = 1 - ask.table
    return rogue.message(answer, rogue.honest(ask))


rogue.run(respond)
