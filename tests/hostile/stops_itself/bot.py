"""Stops itself in its first trick, with a child that stops as well: neither can end by itself."""

import os
import signal

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage

if os.fork() == 0:
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


def respond(ask: Ask) -> BotMessage:
    if ask.decision == rogue.PHASES["play"]:
        os.kill(os.getpid(), signal.SIGSTOP)
    return rogue.message(rogue.honest(ask))


rogue.run(respond)
