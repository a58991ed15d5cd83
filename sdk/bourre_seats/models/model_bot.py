"""A bot that asks a language model for every open decision, and asks again if a call fails."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from math import inf
from typing import ClassVar, TypeVar

from bourre.bot import Bot
from bourre.rules.cards import Card, Suit
from bourre.rules.events import Declared, Event, MatchPaid, Penalized, PotCarried, PotTaken, Stayed
from bourre.rules.view import View
from bourre.words.table_words import DealLines
from bourre.words.table_words.deal_story import MatchStory
from bourre.words.table_words.event_sentences import tell
from bourre.words.table_words.readers import Reader
from bourre_seats.models.answer import MOST_CHARACTERS, read_reason
from bourre_seats.models.chat import (
    AnswerFormat,
    Chat,
    Completion,
    Message,
    Refused,
    TooLong,
    TryAgain,
    Unavailable,
    Unparsable,
)
from bourre_seats.models.prompt import Prompt
from bourre_seats.models.questions import DECLARE, DRAW, ENTER, NAME_TRUMP, PLAY, STAY, TAKE_TURNED, ModelQuestion
from bourre_seats.models.settings import ModelSettings
from bourre_seats.models.templates import Templates
from bourre_seats.models.thoughts import final_part
from bourre_seats.models.trial import try_server

MOST_CALLS = 10
"""The most calls for one answer without a clock."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""The pauses between calls in seconds. Each is twice the one before, unless the server asks for a longer one."""
LONGEST_ASKED = 300.0
"""The longest pause that a server may ask for."""


@dataclass(frozen=True, slots=True)
class Timer:
    """A clock in seconds that can wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def complete(
    chat: Chat,
    messages: Sequence[Message],
    form: AnswerFormat,
    until: float,
    call_seconds: float,
    on_call: Callable[[], None] = lambda: None,
    on_pause: Callable[[str], None] = lambda _: None,
    timer: Timer | None = None,
) -> Completion:
    """Returns a completion before `until`, a time of the timer. A call takes at most `call_seconds`.

    Calls `on_call` before each call, and `on_pause` when the server asks for a pause. Raises Unavailable with the
    reason of the last failure.
    """
    timer, pause, why = timer or Timer(), FIRST_PAUSE, "no time was left for a call"
    for _ in range(MOST_CALLS) if until == inf else count():
        if (left := until - timer.now()) <= 0:
            break
        on_call()
        try:
            return await chat.complete(messages, form, min(left, call_seconds))
        except TryAgain as failed:
            why, wait = str(failed), max(pause, failed.after_s)
            if failed.after_s:
                on_pause(f"{failed}, and asks to wait {failed.after_s:.3g} s")
        if timer.now() + wait >= until or wait > LONGEST_ASKED:
            break
        await timer.sleep(wait)
        pause = min(2 * pause, LONGEST_PAUSE)
    raise Unavailable(f"no answer in time: {why}")


T = TypeVar("T")
_MARGIN, _MOST_MARGIN_S = 0.1, 2.0
"""The share of a decision's time that is kept for the answer's transport, and its limit in seconds."""
_TOLD = (Declared, Stayed, PotTaken, PotCarried, MatchPaid, Penalized)
"""The events of earlier deals in a prompt."""


class ModelBot(Bot):
    """Asks a model for each decision. `model_bot` makes a class of it."""

    settings: ClassVar[ModelSettings]
    chat: ClassVar[Chat]
    prompt: ClassVar[Prompt]
    timer: ClassVar[Timer]

    def __init__(self) -> None:
        self._history = DealLines(self.settings.history + 1, _TOLD)
        self._match = MatchStory()
        self._drawn: tuple[View, tuple[Card, ...]] | None = None
        """A view that asks for discards, and the discards that the model has named already."""

    async def declare(self, view: View) -> bool:
        """Asks whether to play, and for the discards if the rules ask for both at once."""
        if not (self.settings.together and view.house.declares_in_turn and view.max_discards):
            return await self._ask(DECLARE, view)
        entry = await self._ask(ENTER, view)
        self._drawn = None if entry.discards is None else (view.for_draw(), entry.discards)
        return entry.plays

    async def draw(self, view: View) -> tuple[Card, ...]:
        """Asks for the discards, if any are allowed and the model did not name them with its declaration."""
        if self._drawn and self._drawn[0] == view:
            return self._drawn[1]
        return await self._ask(DRAW, view) if view.max_discards else ()

    async def take_turned(self, view: View) -> bool:
        """Asks a dealer that may take the turned card whether to take it."""
        return await self._ask(TAKE_TURNED, view)

    async def name_trump(self, view: View) -> Suit:
        """Asks for the trump suit."""
        return await self._ask(NAME_TRUMP, view)

    async def stay(self, view: View) -> bool:
        """Asks whether to pay the second ante again."""
        return await self._ask(STAY, view)

    async def play(self, view: View) -> Card:
        """Asks for a card. A forced card costs no call, but the model itself corrects a renege."""
        if len(view.legal) == 1 and view.correcting is None:
            return view.legal[0]
        return await self._ask(PLAY, view)

    def on_event(self, event: Event) -> None:
        """Follows the deals, for the prompt."""
        self._match.hear(event)
        self._tell_news()

    def _tell_news(self) -> None:
        for event, story in self._match.news():
            self._history.hear(event, tell(event, story, Reader()))

    async def _ask(self, question: ModelQuestion[T], view: View) -> T:
        """Returns the model's decision; asks once more after an answer without one. Raises ModelError."""
        until = self._until()
        self._match.begin(view.seats, view.house)
        self._tell_news()
        messages = self.prompt.messages(question, view, self._history.of_ended())
        try:
            said = await self._complete(messages, question, until)
        except TooLong:
            self.note("the prompt is too long: asks without earlier deals")
            messages = self.prompt.messages(question, view)
            said = await self._complete_short(messages, question, until)
        try:
            return self._read(question, said)
        except (Unparsable, Refused) as problem:
            self.note(f"{type(problem).__name__.lower()}: {problem}")
            retry = [
                *messages,
                Message("assistant", said.text[-MOST_CHARACTERS:]),
                self.prompt.unparsable(str(problem)),
            ]
        return self._read(question, await self._complete(retry, question, until))

    def _until(self) -> float:
        left = self.seconds_left()
        return self.timer.now() + left - (0.0 if left == inf else min(_MARGIN * left, _MOST_MARGIN_S))

    async def _complete(self, messages: list[Message], question: ModelQuestion[T], until: float) -> Completion:
        seconds = self.settings.call_seconds
        said = await complete(self.chat, messages, question.form, until, seconds, self.add_usage, self.note, self.timer)
        self.add_usage(
            tokens_in=said.tokens_in,
            tokens_out=said.tokens_out,
            calls=0,
            cost_millionths=self.settings.cost_millionths(said.tokens_in, said.tokens_out),
        )
        if said.call:
            self.note(f"call {said.call}")
        return said

    async def _complete_short(self, messages: list[Message], question: ModelQuestion[T], until: float) -> Completion:
        """Returns the completion of a prompt that cannot be shorter."""
        try:
            return await self._complete(messages, question, until)
        except TooLong as still:
            raise Unavailable(str(still)) from None

    def _read(self, question: ModelQuestion[T], said: Completion) -> T:
        if said.flaw:
            raise (Refused if said.refused else Unparsable)(said.flaw)
        final = final_part(said.text)
        decision = question.read(final)
        self.note(read_reason(final).replace("\n", "\n "))  # a line of its own would be the number of a call
        return decision


def model_bot(settings: ModelSettings, chat: Chat | None = None, timer: Timer | None = None) -> type[ModelBot]:
    """Returns a class of bots that ask this model; raises SettingsError if a prompt cannot be used.

    Without a `chat`, the bots ask the server of the settings, which needs the extra `llm`.
    """
    if chat is None:
        from bourre_seats.models.openai_chat import OpenAIChat

        chat = OpenAIChat(settings)
    prompt = Prompt(Templates(settings.prompts), legal=settings.legal)
    return type(
        "ModelBot", (ModelBot,), {"settings": settings, "chat": chat, "prompt": prompt, "timer": timer or Timer()}
    )


def run_model(settings: ModelSettings) -> None:
    """Plays this model at the referee that started the program, until the room closes; see `bourre.run`.

    Raises Unavailable before that if the server refuses a trial call.
    """
    from bourre.connection.client import run  # loads gRPC
    from bourre_seats.models.openai_chat import OpenAIChat

    chat = OpenAIChat(settings)
    bot = model_bot(settings, chat)
    if settings.trial:
        asyncio.run(try_server(chat, settings.call_seconds))
    run(bot)
