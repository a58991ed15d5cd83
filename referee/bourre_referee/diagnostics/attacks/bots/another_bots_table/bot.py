"""Plays at two tables, whose numbers follow each other, and answers at each the questions of the other."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage

seen: set[int] = set()


def respond(ask: Ask) -> BotMessage:
    seen.add(ask.table)
    others = seen - {ask.table} or {ask.table - 1, ask.table + 1}
    answers = [rogue.honest(ask) for _ in others]
    for answer, table in zip(answers, others, strict=True):
        answer.table = max(0, table)
    return rogue.message(*answers, rogue.honest(ask))


rogue.run(respond)
