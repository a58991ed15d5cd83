"""Plays at two tables and answers at each the questions of the other."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage

seen: set[int] = set()


def respond(ask: Ask) -> BotMessage:
    seen.add(ask.table)
    answer = rogue.honest(ask)
    answer.table = next(iter(seen - {ask.table}), ask.table + 1)
    return rogue.message(answer, rogue.honest(ask))


rogue.run(respond)
