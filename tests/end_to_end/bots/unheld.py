"""Comes in with cards that it does not hold, and plays them."""

import raw

from bourre.v1.game_pb2 import DECISION_PLAY
from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    foreign = next(card for card in ("2C", "2D", "2H", "2S", "3C", "3D") if card not in ask.view.hand)
    if ask.decision == DECISION_PLAY:
        return BotMessage(answers=[Answer(table=ask.table, id=ask.id, card=foreign)])
    return BotMessage(answers=[Answer(table=ask.table, id=ask.id, plays=True, discards=foreign)])


raw.play(respond)
