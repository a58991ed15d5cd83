"""The answers of an honest bot to protocol messages, by rules of one line each."""

from __future__ import annotations

from bourre.v1 import game_pb2 as game
from bourre.v1.referee_pb2 import Answer, Ask, BotMessage, Hello, RefereeMessage


def hello(token: str) -> BotMessage:
    """Returns the first message."""
    return BotMessage(hello=Hello(protocol=1, token=token, forced_plays=True))


def answer(ask: Ask) -> Answer:
    """Plays with a high card or a short hand, draws for the lowest card, and plays the first legal one."""
    told = Answer(table=ask.table, id=ask.id)
    if ask.decision == game.DECISION_DECLARE:
        told.plays = True
    elif ask.decision == game.DECISION_NAME_TRUMP:
        told.trump = "S"
    elif ask.decision == game.DECISION_STAY:
        told.stays = True
    elif ask.decision == game.DECISION_DRAW:
        told.discards = ""
    else:
        told.card = ask.view.legal.split()[0]
    return told


def answers(message: RefereeMessage) -> BotMessage:
    """Answers all asks of a message."""
    return BotMessage(answers=map(answer, message.asks))
