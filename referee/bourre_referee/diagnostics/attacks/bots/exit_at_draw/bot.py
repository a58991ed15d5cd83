"""Plays along until it is asked to draw, then crashes to escape its losses."""

import os

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage


def respond(ask: Ask) -> BotMessage:
    if ask.decision == rogue.PHASES["draw"]:
        os._exit(7)
    return rogue.message(rogue.honest(ask))


rogue.run(respond)
