"""Answers its first question, and a thousand that were never asked."""

import raw

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    return BotMessage(answers=[Answer(table=ask.table, id=ask.id + later, plays=False) for later in range(1000)])


raw.play(respond)
