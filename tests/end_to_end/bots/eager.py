"""Passes, and in the same message announces its answer to the next question."""

import raw

from bourre.v1.game_pb2 import DECISION_PLAY
from bourre.v1.referee_pb2 import Answer, Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    if ask.decision == DECISION_PLAY:
        return BotMessage(answers=[Answer(table=ask.table, id=ask.id, card=ask.view.legal[:2])])
    asked = Answer(table=ask.table, id=ask.id, plays=False, discards="")
    unasked = Answer(table=ask.table, id=ask.id + 1, plays=False, discards="")
    return BotMessage(answers=[unasked, asked])


raw.play(respond)
