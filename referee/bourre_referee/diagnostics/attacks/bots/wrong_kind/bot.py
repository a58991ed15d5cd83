"""Answers each question with a decision of another kind, or with several kinds at once."""

from itertools import cycle

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage

KINDS = cycle(
    (
        Answer(card="AS", plays=True),
        Answer(stays=True),
        Answer(trump="S"),
        Answer(takes=True, trump="S"),
        Answer(recall="AS", card="AS"),
        Answer(),
    )
)


def respond(ask: Ask) -> BotMessage:
    answer = next(KINDS)
    answer.table, answer.id = ask.table, ask.id
    return rogue.message(answer)


rogue.run(respond)
