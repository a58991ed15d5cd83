"""Answers with cards that do not exist, misspelt in every way."""

from itertools import cycle

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage

CARDS = cycle(("", "1Z", "as", "A♠", "AS\0", "\x1b[31mAS", "-1", "AS KS", "A" * 60_000, "AS", " ", "None"))


def respond(ask: Ask) -> BotMessage:
    text = next(CARDS)
    if ask.decision == rogue.PHASES["play"]:
        return rogue.message(Answer(table=ask.table, id=ask.id, card="1Z" if text == "AS" else text))
    return rogue.message(Answer(table=ask.table, id=ask.id, plays=True, discards=f"1Z {text}"))


rogue.run(respond)
