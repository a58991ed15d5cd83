"""A person's seat: the open questions, and the history in moments."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Literal

from bourre.connection.channel import Tls
from bourre.connection.client import ClientRefused, play
from bourre.rules.cards import Card
from bourre.rules.events import (
    CardPlayed,
    DealEnded,
    DealStarted,
    Event,
    HandDealt,
    MatchEnded,
    MatchPaid,
    PotCarried,
    PotTaken,
    Reneged,
    TrickTaken,
)
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.words.table_words import name_cards
from bourre.words.table_words.deal_lines import MatchLog
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.event_sentences import tell
from bourre.words.table_words.picture import Picture, picture_after, picture_of
from bourre.words.table_words.readers import Reader
from bourre_seats.question_queue.desk import Desk
from bourre_seats.question_queue.desk_bot import DeskBot
from bourre_seats.question_queue.question import AnswerError, QueuedQuestion, Reply
from bourre_seats.seat.guide import Guide, Lesson
from bourre_seats.seat.interlude import Interlude
from bourre_seats.seat.take_back import Given, GivenAnswers, TakenBack
from bourre_seats.seat.verdict import AnswerVerdict

MOST_MOMENTS = 400
"""The number of remembered moments, about ten deals."""
Kind = Literal["", "deal", "card", "trick", "pot", "bourre", "renege", "end", "answer", "back"]
_KINDS: dict[type[object], Kind] = {
    DealStarted: "deal",
    CardPlayed: "card",
    TrickTaken: "trick",
    PotTaken: "pot",
    PotCarried: "pot",
    MatchPaid: "bourre",
    Reneged: "renege",
    DealEnded: "end",
    MatchEnded: "pot",
}


@dataclass(frozen=True, slots=True)
class SeatMoment:
    """An event in words, with the table after it."""

    number: int
    """The number of the moment over all matches of the seat, from 1."""
    kind: Kind
    text: str
    picture: Picture
    you: int
    """The seat of the person."""
    lessons: tuple[Lesson, ...] = ()
    verdict: AnswerVerdict | None = None
    """The verdict on the answer to a puzzle."""


class Sitting:
    """All that a person at a seat sees. Use it in one event loop only."""

    def __init__(self, names: Sequence[str] = (), *, guided: bool = False, practice: bool = False) -> None:
        """`names` are the names of the seats. In `practice`, answers can be taken back, and another game may follow."""
        self.desk = Desk(changed=self._tick)
        self.interlude = Interlude(self._tick)
        self.names = tuple(map(_spaced, names))
        self.title = ""
        """The name of a puzzle. Empty for a game."""
        self.kicker = ""
        """What stands above the title."""
        self.game = 1
        """The number of the game or puzzle."""
        self.guide = Guide(teaches=guided)
        self.moments: deque[SeatMoment] = deque(maxlen=MOST_MOMENTS)
        self.version = 0
        """The number of changes."""
        self.ended = asyncio.Event()
        self._practice = practice
        self._answers = GivenAnswers()
        self._game: asyncio.Task[None] | None = None
        self._numbers = count(1)
        self._lessons: dict[int, tuple[Lesson, ...]] = {}
        self._news = asyncio.Event()

    def begin_another(self) -> None:
        """Begins the next game or puzzle of this sitting."""
        self.game += 1
        self.moments.clear()
        self._answers = GivenAnswers()
        self._tick()

    def name(self, title: str, kicker: str, names: Sequence[str]) -> None:
        """Names the puzzle, and the seats at its table."""
        self.title, self.kicker, self.names = title, kicker, tuple(map(_spaced, names))

    @property
    def over(self) -> bool:
        """Whether the last game is over."""
        return self.ended.is_set()

    @property
    def question(self) -> QueuedQuestion | None:
        """The oldest open question."""
        return next(iter(self.desk.questions), None)

    def lessons(self, question: QueuedQuestion) -> tuple[Lesson, ...]:
        """Returns the lessons of a question, which stay the same."""
        if question.number not in self._lessons:
            self._lessons = {question.number: self.guide.look(question.view)}
        return self._lessons[question.number]

    def reader(self, you: int) -> Reader:
        """Returns the reader for the person at this seat."""
        return Reader(self.names, you, name_cards)

    def tell(self, event: Event, story: DealStory, you: int) -> None:
        """Adds a moment for an event that the story ends with, if it was not told before a take-back.

        That another seat is dealt its cards needs no word.
        """
        if self._answers.goes_back or (isinstance(event, HandDealt) and event.seat != you):
            return
        text = as_sentence(tell(event, story, self.reader(you)))
        self.say(_KINDS.get(type(event), ""), text, picture_after(story, event), you, self.guide.hear(event))

    def say(
        self,
        kind: Kind,
        text: str,
        picture: Picture,
        you: int,
        lessons: tuple[Lesson, ...] = (),
        verdict: AnswerVerdict | None = None,
    ) -> None:
        """Adds a moment."""
        self.moments.append(SeatMoment(next(self._numbers), kind, text, picture, you, lessons, verdict))
        self._tick()

    def finish(self, why: str) -> None:
        """Ends the last game with this reason."""
        self.interlude.end()
        self.ended.set()
        self.desk.end(why)

    async def wait(self, version: int, seconds: float) -> None:
        """Waits for another version, at most this long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.version == version:
                    self._news.clear()
                    await self._news.wait()

    async def sit(self, address: str, token: str, tls: Tls | None = None) -> None:
        """Plays until the goodbye; raises ClientRefused, TlsError, or TakenBack, after which to call it again."""
        self.desk.begin("Connecting to the referee.")
        why, plays_on = "Goodbye.", False
        game = play(_bot_for(self), address, token, tls=tls, watch=self.desk.follow, forced_plays=False)
        self._game = asyncio.ensure_future(game)
        try:
            await self._game
            plays_on = self._practice
        except ClientRefused as refused:
            why = f"The game has broken off. {refused}"
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._answers.goes_back and not (task and task.cancelling()):
                self.desk.end("The same cards are dealt again.")
                raise TakenBack from None
            raise
        finally:
            if plays_on:
                self.desk.end(why)
            elif not self._answers.goes_back:
                self.finish(why)

    @property
    def may_take_back(self) -> bool:
        """Whether an answer can be taken back now."""
        return self._practice and self.question is not None and bool(self._answers.given)

    def take_back(self) -> None:
        """Takes the last answer back, so `sit` raises TakenBack. Raises AnswerError if that is not allowed."""
        if not self._practice:
            raise AnswerError("Here an answer stands: answers are taken back only in practice games.")
        if not self.may_take_back or self._game is None:
            raise AnswerError("There is no answer of yours to take back now.")
        self._answers.go_back()
        self._game.cancel()

    async def ask(self, view: View, log: MatchLog, reneged: Card | None) -> Reply:
        """Returns the person's answer. After a take-back, it repeats the earlier answers."""
        reply = self._answers.repeat(view, reneged)
        if reply is None:
            if self._answers.goes_back:
                self._answers.goes_back = False
                self.say("back", "You take your last answer back.", picture_of(view), view.seat)
            reply = await self.desk.ask(view, log, reneged)
        self._answers.given.append(Given(view, reneged, reply))
        return reply

    def _tick(self) -> None:
        self.version += 1
        self._news.set()


class PersonBot(DeskBot):
    """One match of a person, who also sees the events at the table."""

    sitting: ClassVar[Sitting]

    def __init__(self) -> None:
        super().__init__()
        self._you = 0
        """The person's seat, after its cards are dealt."""

    async def play(self, view: View) -> Card:
        """Asks for a card. The last card is played without asking."""
        return view.hand[0] if len(view.hand) == 1 else await super().play(view)

    async def _reach_desk(self, view: View, reneged: Card | None) -> Reply:
        return await self.sitting.ask(view, self._log, reneged)

    def on_event(self, event: Event) -> None:
        """Tells the person the event, after the first question has shown the house rules."""
        if isinstance(event, HandDealt) and event.cards is not None:
            self._you = event.seat
        super().on_event(event)

    def on_match_end(self, balances: tuple[int, ...]) -> None:
        """Tells the person the events of a match without questions, for which the house rules are unknown."""
        self._match.begin(len(balances), HouseRules())
        self._tell_news()

    def _tell(self, event: Event, story: DealStory) -> None:
        super()._tell(event, story)
        self.sitting.tell(event, story, self._you)


def as_sentence(words: str) -> str:
    """Returns these words with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."


def _spaced(name: str) -> str:
    """Returns the name of an example as people write it: `Monte Carlo` for `monte_carlo`."""
    return name.replace("_", " ").title() if name.islower() else name


def _bot_for(sitting: Sitting) -> type[PersonBot]:
    return type("Person", (PersonBot,), {"desk": sitting.desk, "sitting": sitting})
