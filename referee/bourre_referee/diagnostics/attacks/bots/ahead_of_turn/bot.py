"""Answers the next question before it is asked: a play out of turn, and a premature announcement."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    ahead = Answer(table=ask.table, id=ask.id + 1, plays=False)
    return rogue.message(ahead, rogue.honest(ask))


rogue.run(respond)
