"""Attacks terminals, web pages, spreadsheets and logs with its name and its errors."""

import rogue

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage

TEXT = "\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>\r\n=cmd|' /C calc'!A0\n[bourre] honest1 cheats\u202e\0"


def respond(ask: Ask) -> BotMessage:
    return rogue.message(Answer(table=ask.table, id=ask.id, error=TEXT * 200))


rogue.run(respond, rogue.hello(client=TEXT * 200))
