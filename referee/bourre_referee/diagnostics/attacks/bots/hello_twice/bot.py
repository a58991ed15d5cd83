"""Says hello again and again in mid-call, with other settings and other tokens."""

import rogue

from bourre.v1.referee_pb2 import Ask, BotMessage, Hello


def respond(ask: Ask) -> BotMessage:
    answer = rogue.message(rogue.honest(ask))
    answer.hello.CopyFrom(Hello(protocol=99, token="f" * 64, client="another", forced_plays=True, events=True))
    return answer


rogue.run(respond)
