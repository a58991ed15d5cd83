"""Converts a bot's messages to the wire and back. Reading never raises, because a bot may send anything."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.messages import Answer, Hello, reported_fault
from bourre.notes import Usage, shorten_note
from bourre.rules.actions import PLAYS, Choice, Declare, Draw, Fault, Missing, NameTrump, Play, Recall, Stay
from bourre.rules.cards import Card, Suit, show
from bourre.rules.errors import InvalidCard
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage
from bourre.v1.referee_pb2 import Hello as WireHello
from bourre.v1.referee_pb2 import Usage as WireUsage

MAX_DISCARDS_TEXT = 3 * 52
MAX_ERROR_TEXT = 2000
MAX_MESSAGE_BYTES = 60 * 1024
"""The largest message with notes. The referee reads 64 KiB at most."""
_NOTE_FRAME_BYTES = 8
"""The most bytes of a note besides its text."""
_MAX_SPENT_US = 2**32 - 1


def hello_to_wire(hello: Hello) -> BotMessage:
    """Writes a bot's first message."""
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
    """Returns the hello in a message; None if it has none."""
    if not message.HasField("hello"):
        return None
    hello = message.hello
    return Hello(hello.token, hello.protocol, hello.client[:100], hello.forced_plays, hello.events)


def answers_to_wire(answers: Iterable[Answer]) -> BotMessage:
    """Returns one message with all these answers. Cuts their notes if the message is too large for the referee."""
    message = BotMessage()
    notes = 0
    for answer in answers:
        _write_answer(answer, message.answers.add())
        notes += bool(answer.note)
    if notes and message.ByteSize() > MAX_MESSAGE_BYTES:
        _shorten_notes(message, notes)
    return message


def _shorten_notes(message: BotMessage, notes: int) -> None:
    """Gives every note an equal share of the space that the answers leave."""
    written = {number: answer.note for number, answer in enumerate(message.answers) if answer.note}
    for number in written:
        message.answers[number].ClearField("note")
    share = max(0, (MAX_MESSAGE_BYTES - message.ByteSize()) // notes - _NOTE_FRAME_BYTES)
    for number, note in written.items():
        if kept := shorten_note(note, share):
            message.answers[number].note = kept


def answers_from_wire(message: BotMessage) -> list[Answer]:
    """Returns the answers in a message. An unreadable answer is Missing, with its fault."""
    return list(map(_answer_from_wire, message.answers))


def _answer_from_wire(message: WireAnswer) -> Answer:
    """Reads an answer. If it is unreadable, `error` has the reason."""
    try:
        action, error = _read_action(message), message.error
    except InvalidCard as wrong:
        action, error = Missing(Fault.UNDECODABLE), str(wrong)
    note = message.note
    return Answer(
        message.table,
        message.id,
        action,
        error[:MAX_ERROR_TEXT],
        message.spent_us,
        shorten_note(note) if note else "",
        _read_usage(message.usage) if message.HasField("usage") else None,
    )


def _read_usage(usage: WireUsage) -> Usage:
    return Usage(usage.tokens_in, usage.tokens_out, usage.calls, usage.cost_millionths).limited()


def _write_answer(answer: Answer, message: WireAnswer) -> None:
    message.table = answer.table
    message.id = answer.id
    if answer.spent_us:
        message.spent_us = min(answer.spent_us, _MAX_SPENT_US)
    if answer.note:
        message.note = shorten_note(answer.note)
    if answer.usage:
        _write_usage(answer.usage.limited(), message.usage)
    match answer.action:
        case Play(card):
            message.card = str(card)
        case Draw(discards, takes):
            _write_discards(message, discards, takes)
        case Declare(plays, discards, takes):
            message.plays = plays
            _write_discards(message, discards, takes)
        case NameTrump(trump):
            message.trump = str(trump)
        case Stay(stays):
            message.stays = stays
        case Recall(card):
            message.recall = str(card)
        case Missing():
            message.error = answer.error[:MAX_ERROR_TEXT]


def _write_usage(usage: Usage, message: WireUsage) -> None:
    message.tokens_in = usage.tokens_in
    message.tokens_out = usage.tokens_out
    message.calls = usage.calls
    message.cost_millionths = usage.cost_millionths


def _write_discards(message: WireAnswer, discards: tuple[Card, ...], takes: bool) -> None:
    message.discards = show(discards)
    if takes:
        message.takes = True


def _read_action(message: WireAnswer) -> Choice | Recall | Missing:
    """Reads an answer's action, or Missing; raises InvalidCard."""
    said = tuple(filter(message.HasField, _ANSWER_FIELDS))
    match said:
        case ("card",):
            return PLAYS[Card(message.card)]
        case ("error", *_):
            return Missing(reported_fault(message.error))
        case ("trump",):
            return NameTrump(Suit.parse(message.trump))
        case ("stays",):
            return Stay(message.stays)
        case ("recall",):
            return Recall(Card(message.recall))
    return _read_entry(message, said)


def _read_entry(message: WireAnswer, said: tuple[str, ...]) -> Declare | Draw | Missing:
    if not said or not _ENTRY_FIELDS.issuperset(said) or len(message.discards) > MAX_DISCARDS_TEXT:
        return Missing(Fault.UNDECODABLE)
    discards = tuple(map(Card, message.discards.split()))
    return Declare(message.plays, discards, message.takes) if "plays" in said else Draw(discards, message.takes)


_ANSWER_FIELDS = ("error", "plays", "discards", "takes", "card", "trump", "stays", "recall")
_ENTRY_FIELDS = frozenset(("plays", "discards", "takes"))
