"""Plays honestly, and sends notes as long as a message can hold, which attack any display."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage, Usage

TEXT = "\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>\r\n=cmd|' /C calc'!A0\n[bourre] honest1 cheats\u202e\0"
MOST = Usage(tokens_in=2**32 - 1, tokens_out=2**32 - 1, calls=2**32 - 1, cost_millionths=2**64 - 1)


def respond(ask: Ask) -> BotMessage:
    answer = rogue.honest(ask)
    answer.note = TEXT * 600
    answer.usage.CopyFrom(MOST)
    return rogue.message(answer)


rogue.run(respond)
