"""Before its last card it sends so many unasked messages that the referee takes over. After the match it answers."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    unasked = [Answer(table=ask.table, id=ask.id + 1000, card="AS")] * 10
    last = len(ask.view.hand.split()) == 1
    return rogue.message(*(unasked if last else []), rogue.honest(ask))


rogue.run(respond)
