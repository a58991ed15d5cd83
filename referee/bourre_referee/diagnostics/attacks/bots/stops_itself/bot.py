"""Stops itself and a child of its own in the first trick. Neither can exit on its own."""

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
