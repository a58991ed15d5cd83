"""Uses a protocol version that does not exist."""

import raw

from bourre.v1.referee_pb2 import Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    return BotMessage()


raw.play(respond, protocol=99)
