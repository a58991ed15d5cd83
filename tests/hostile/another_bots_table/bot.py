"""Plays at two tables and answers at each the questions of the other."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    answer = rogue.honest(ask)
    answer.table = 1 - ask.table
    return rogue.message(answer, rogue.honest(ask))


rogue.run(respond)
