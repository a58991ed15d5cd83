"""What a bot says to the referee, to the wire and back. A bot may say anything: reading never raises."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.messages import Answer, Hello
from bourre.rules.actions import PLAYS, Choice, Declare, Draw, Fault, Missing, NameTrump, Play, Recall, Stay
from bourre.rules.cards import Card, Suit, show
from bourre.rules.errors import InvalidCard
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage
from bourre.v1.referee_pb2 import Hello as WireHello

MAX_DISCARDS_TEXT = 3 * 52
MAX_ERROR_TEXT = 2000
_MAX_SPENT_US = 2**32 - 1


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
    message = BotMessage()
    for answer in answers:
        _write_answer(answer, message.answers.add())
    return message


def answers_from_wire(message: BotMessage) -> list[Answer]:
    """The answers of a message; what cannot be read is Missing, with its fault."""
    return list(map(_answer_from_wire, message.answers))


def _answer_from_wire(told: WireAnswer) -> Answer:
    """Where it cannot be read, `error` says why."""
    try:
        action, error = _action(told), told.error
    except InvalidCard as wrong:
        action, error = Missing(Fault.UNDECODABLE), str(wrong)
    return Answer(told.table, told.id, action, error[:MAX_ERROR_TEXT], told.spent_us)


def _write_answer(answer: Answer, told: WireAnswer) -> None:
    told.table = answer.table
    told.id = answer.id
    if answer.spent_us:
        told.spent_us = min(answer.spent_us, _MAX_SPENT_US)
    match answer.action:
        case Play(card):
            told.card = str(card)
        case Draw(discards, takes):
            _tell_discards(told, discards, takes)
        case Declare(plays, discards, takes):
            told.plays = plays
            _tell_discards(told, discards, takes)
        case NameTrump(trump):
            told.trump = str(trump)
        case Stay(stays):
            told.stays = stays
        case Recall(card):
            told.recall = str(card)
        case Missing():
            told.error = answer.error[:MAX_ERROR_TEXT]


def _tell_discards(told: WireAnswer, discards: tuple[Card, ...], takes: bool) -> None:
    told.discards = show(discards)
    if takes:
        told.takes = True


def _action(told: WireAnswer) -> Choice | Recall | Missing:
    """What was said, or Missing; raises InvalidCard."""
    said = tuple(filter(told.HasField, _SAID))
    match said:
        case ("card",):
            return PLAYS[Card(told.card)]
        case ("error", *_):
            return Missing(Fault.ERROR)
        case ("trump",):
            return NameTrump(Suit.parse(told.trump))
        case ("stays",):
            return Stay(told.stays)
        case ("recall",):
            return Recall(Card(told.recall))
    return _entry(told, said)


def _entry(told: WireAnswer, said: tuple[str, ...]) -> Declare | Draw | Missing:
    if not said or not _OF_ENTRY.issuperset(said) or len(told.discards) > MAX_DISCARDS_TEXT:
        return Missing(Fault.UNDECODABLE)
    discards = tuple(map(Card, told.discards.split()))
    return Declare(told.plays, discards, told.takes) if "plays" in said else Draw(discards, told.takes)


_SAID = ("error", "plays", "discards", "takes", "card", "trump", "stays", "recall")
_OF_ENTRY = frozenset(("plays", "discards", "takes"))
