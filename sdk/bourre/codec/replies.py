"""What a bot says to the referee, to the wire and back. A bot may say anything: reading never raises."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.messages import Answer, Hello
from bourre.rules.actions import Choice, Declare, Draw, Fault, Missing, Play
from bourre.rules.cards import Card, show
from bourre.rules.errors import InvalidCard
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage
from bourre.v1.referee_pb2 import Hello as WireHello

MAX_DISCARDS_TEXT = 3 * 52
MAX_ERROR_TEXT = 2000


def hello_to_wire(hello: Hello) -> BotMessage:
    """A bot's first message."""
    return BotMessage(
        hello=WireHello(
            protocol=hello.protocol,
            token=hello.token,
            client=hello.client,
            forced_plays=hello.forced_plays,
            events=hello.events,
        )
    )


def hello_from_wire(message: BotMessage) -> Hello | None:
    """The hello of a message; None where it holds none."""
    if not message.HasField("hello"):
        return None
    hello = message.hello
    return Hello(hello.token, hello.protocol, hello.client[:100], hello.forced_plays, hello.events)


def answers_to_wire(answers: Iterable[Answer]) -> BotMessage:
    """One message with all the answers that are ready."""
    return BotMessage(answers=map(_answer_to_wire, answers))


def answers_from_wire(message: BotMessage) -> list[Answer]:
    """The answers of a message; what cannot be read is Missing, with its fault."""
    return [Answer(told.table, told.id, _action(told), told.error[:MAX_ERROR_TEXT]) for told in message.answers]


def _answer_to_wire(answer: Answer) -> WireAnswer:
    action = answer.action
    told = WireAnswer(table=answer.table, id=answer.id)
    if isinstance(action, Play):
        told.card = str(action.card)
    elif isinstance(action, Draw):
        told.discards = show(action.discards)
    elif isinstance(action, Declare):
        told.plays = action.plays
        told.discards = show(action.discards)
    else:
        told.error = answer.error[:MAX_ERROR_TEXT]
    return told


def _action(told: WireAnswer) -> Choice | Missing:
    if told.HasField("error"):
        return Missing(Fault.ERROR)
    says_plays, says_discards, says_card = (told.HasField(name) for name in ("plays", "discards", "card"))
    if says_card == (says_plays or says_discards) or len(told.discards) > MAX_DISCARDS_TEXT:
        return Missing(Fault.UNDECODABLE)
    try:
        if says_card:
            return Play(Card(told.card))
        discards = tuple(map(Card, told.discards.split()))
    except InvalidCard:
        return Missing(Fault.UNDECODABLE)
    return Declare(told.plays, discards) if says_plays else Draw(discards)
