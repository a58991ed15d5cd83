"""The messages of a bot controlled by a fuzzer's bytes: honest, altered and unasked answers."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from bourre.v1.referee_pb2 import Answer, Ask, BotMessage, Hello, RefereeMessage
from fuzzing import honest
from fuzzing.choices import Choices

CARDS = ("2C", "AS", "TH", "9D", "KC", "1Z", "", "as", "AS ", "\x1b[31m", "AS KH", "10H", "é", "\0")
FIELDS = ("plays", "discards", "card", "error", "takes", "trump", "stays", "recall", "spent_us", "table", "id")


class Lies:
    """Messages to the referee, chosen by the bytes."""

    def __init__(self, choices: Choices, token: str) -> None:
        self._choices = choices
        self._token = token
        self._sent = BotMessage()
        """The latest message with answers, for repetition."""
        self._asked: list[Ask] = []
        """The latest asks."""

    def hello(self) -> BotMessage | None:
        """Returns a first message, or None to send none."""
        kind = self._choices.number(12)
        if kind < 5:
            return honest.hello(self._token)
        if kind == 5:
            return None
        if kind == 6:
            return self._raw()
        if kind == 7:
            return BotMessage(hello=Hello(protocol=self._choices.number_32(), token=self._token))
        if kind == 8:
            return BotMessage(hello=Hello(protocol=1, token=self._choices.one_of(CARDS)))
        if kind == 9:
            return BotMessage(answers=[Answer(table=0, id=1, plays=True)])
        return BotMessage(hello=Hello(protocol=1, token=self._token, events=True, client="\x1b" * 300))

    def answers(self, message: RefereeMessage) -> list[BotMessage]:
        """Returns the reply to a message of the referee."""
        if message.asks:
            self._asked = list(message.asks)
        answers = [spoilt for ask in message.asks for spoilt in self._spoilt(honest.answer(ask))]
        if self._choices.number(8) == 7:
            answers.reverse()
        splits = [answers] if self._choices.number(2) == 0 else [[answer] for answer in answers]
        said = [BotMessage(answers=split) for split in splits if split]
        self._sent = said[-1] if said else self._sent
        return said

    def unasked(self) -> BotMessage:
        """Returns an unasked message."""
        kind = self._choices.number(5)
        if kind == 0:
            return self._sent
        if kind == 1:
            return honest.hello(self._token)
        if kind == 2:
            return self._raw()
        answer = Answer(table=self._choices.number_32(), id=self._choices.number_32())
        self._spoil(answer)
        return BotMessage(answers=[answer] * (1 + self._choices.number(3) * 20))

    def _spoilt(self, answer: Answer) -> list[Answer]:
        """Returns what is sent instead of an honest answer."""
        kind = self._choices.number(10)
        if kind < 5:
            return [answer]
        if kind == 5:
            return []
        if kind == 6:
            return [answer, answer]
        if kind == 7:
            recall = Answer(table=answer.table, id=answer.id, recall=self._choices.one_of(CARDS))
            return [answer, recall] if self._choices.number(2) else [recall, answer]
        other = Answer(table=answer.table, id=answer.id) if kind == 8 else Answer.FromString(answer.SerializeToString())
        for _ in range(self._choices.number(4)):
            self._spoil(other)
        return [other, answer] if self._choices.number(4) == 3 else [other]

    def _spoil(self, answer: Answer) -> None:
        """Sets any field to any value of its type."""
        field = self._choices.one_of(FIELDS)
        if field in ("plays", "takes", "stays"):
            setattr(answer, field, bool(self._choices.number(2)))
        elif field in ("spent_us", "table", "id"):
            setattr(answer, field, self._choices.number_32())
        elif field == "discards":
            answer.discards = " ".join(self._card() for _ in range(self._choices.number(60)))
        else:
            setattr(answer, field, self._card())

    def _card(self) -> str:
        """Returns a card of the bot's own, any card, or something that is not a card."""
        hand = [card for ask in self._asked for card in ask.view.hand.split()]
        return self._choices.one_of(hand if hand and self._choices.number(2) else CARDS)

    def _raw(self) -> BotMessage:
        """Parses raw bytes; if they are no message, for which gRPC would end the stream, sends an empty one."""
        try:
            return BotMessage.FromString(self._choices.piece())
        except DecodeError:
            return BotMessage()
