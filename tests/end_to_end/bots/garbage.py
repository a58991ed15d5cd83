"""Answers every ask with cards that do not exist."""

import raw

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    return BotMessage(answers=[Answer(table=ask.table, id=ask.id, card="\x1b[31m1Z")])


raw.play(respond)
