"""Answers with a megabyte, which is more than the referee takes."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    return rogue.message(Answer(table=ask.table, id=ask.id, error="x" * 2**20))


rogue.run(respond)
