"""Leaves with status 0 at its third decision, as if all were over."""

import os
from itertools import count

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage

asked = count(1)


def respond(ask: Ask) -> BotMessage:
    if next(asked) == 3:
        os._exit(0)
    return rogue.message(rogue.honest(ask))


rogue.run(respond)
