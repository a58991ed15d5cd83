"""Answers each question at tables that do not exist, and correctly at its own."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    answer = rogue.honest(ask)
    if ask.id == 1:
        answer.table = 2**32 - 1
        return rogue.message(answer, rogue.honest(ask))
    return rogue.message(answer)


rogue.run(respond)
