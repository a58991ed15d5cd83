"""Gives every answer twice, the second time with another card: only the first may count."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    again = Answer(table=ask.table, id=ask.id, card=ask.view.hand[-2:])
    return rogue.message(rogue.honest(ask), again)


rogue.run(respond)
