"""The seat in a terminal: shows the events, asks questions, and reads the person's answers."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterator
from textwrap import wrap
from threading import Thread
from typing import TextIO

from bourre.words.table_words import SUIT_NAMES, glyph, show_glyphs
from bourre.words.table_words.picture import Picture, picture_of
from bourre.words.table_words.readers import Reader
from bourre_seats.question_queue.question import AnswerError, QueuedQuestion
from bourre_seats.seat.ending import lost_lines, result_lines
from bourre_seats.seat.hints import give_hint
from bourre_seats.seat.prompts import HOUR, ask_words, hint_lines, warning_words
from bourre_seats.seat.sitting import Sitting
from bourre_seats.seat.verdict import choice_lines

HINT, LEGAL, BACK, QUIT = "?", "legal", "back", "quit"


class Left(Exception):
    """The person has left the table."""


def read_lines(source: TextIO) -> asyncio.Queue[str]:
    """Returns a queue of the lines from this source. An empty text is the end. The thread does not block the exit."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        while True:
            try:
                line = source.readline()
            except OSError:  # the terminal is gone
                line = ""
            try:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            except RuntimeError:  # the loop is closed: the game is over
                return
            if not line:
                return

    Thread(target=read, name="bourre terminal", daemon=True).start()
    return lines


def write_words(text: str) -> None:
    """Prints the text. A terminal breaks its lines between words, and a file gets whole lines."""
    print(break_lines(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else text)


def break_lines(text: str, columns: int) -> str:
    """Breaks long lines between words. The continuation is indented one more step."""
    lines = list[str]()
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())] + "  "
        lines += wrap(line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(lines)


class Terminal:
    """One person at a terminal."""

    def __init__(self, sitting: Sitting, lines: asyncio.Queue[str], write: Callable[[str], None] = write_words) -> None:
        self._sitting = sitting
        self._lines = lines
        self._write = write
        self._told = 0
        self._asked = 0
        self._named = 0
        """The last puzzle whose name is written."""
        self._ended = 0
        """The last interlude whose result is written."""
        self._judged = 0
        """The last interlude whose judgement is written."""

    async def run(self) -> None:
        """Runs until the game is over; raises Left if the person leaves early. Input that is typed early is kept."""
        line = asyncio.ensure_future(self._lines.get())
        try:
            while not self._sitting.over:
                version, question = self._sitting.version, self._tell()
                self._tell_end()
                asked = question is not None or bool(self._sitting.interlude.offers)
                if asked and line.done():
                    await self._take(line.result(), question)
                    line = asyncio.ensure_future(self._lines.get())
                    continue
                news = asyncio.ensure_future(self._sitting.wait(version, HOUR))
                await asyncio.wait({line, news} if asked else {news}, return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
        finally:
            line.cancel()
        self._tell()
        self._write(self._sitting.desk.status)

    def _tell(self) -> QueuedQuestion | None:
        """Writes the news, and the question if it is a new one; returns the question."""
        if self._sitting.title and self._named != self._sitting.game:
            self._named = self._sitting.game
            self._write(f"{self._sitting.kicker}: {self._sitting.title}")
        for moment in self._sitting.moments:
            if moment.number > self._told:
                self._told = moment.number
                self._write(moment.text)
                if moment.verdict:
                    self._write("\n".join([f"{moment.verdict.heading}:", *choice_lines(moment.verdict)]))
                for lesson in moment.lessons:
                    self._write(f"  [{lesson.rule}] {lesson.text}")
        question = self._sitting.question
        if question is not None and question.number != self._asked:
            self._asked = question.number
            self._ask(question)
        return question

    def _tell_end(self) -> None:
        """Writes the result of a game, then what is offered, and the judgement when it is there."""
        interlude = self._sitting.interlude
        if not interlude.offers:
            return
        ending = interlude.ending
        if self._ended != interlude.count:
            self._ended = interlude.count
            if ending is not None:
                self._write("\n".join(result_lines(ending)))
            self._write(interlude.words())
        if ending is not None and self._judged != interlude.count and (ending.lost is not None or ending.unknown):
            self._judged = interlude.count
            self._write("\n".join(lost_lines(ending)))

    def _ask(self, question: QueuedQuestion) -> None:
        for lesson in self._sitting.lessons(question):
            self._write(f"  [{lesson.rule}] {lesson.text}")
        self._write("\n".join(table_lines(picture_of(question.view), self._sitting.reader(question.view.seat))))
        if warning := warning_words(question):
            self._write(f"! {warning}")
        left = self._sitting.desk.seconds_left(question)
        limit = f" You have {left:.0f} seconds." if left is not None and left < HOUR else ""
        self._write(f"{ask_words(question)}{limit}")
        self._write(f"  Answer with {question.answers} Numbers stand for cards. {self._commands()}")

    async def _take(self, line: str, question: QueuedQuestion | None) -> None:
        """Takes a line: an answer to the question, or without one a wish. The end of all lines leaves."""
        if question is not None:
            return await self._read(line, question)
        word = line.strip()
        if word or not line:
            try:
                self._sitting.interlude.wish("leave" if word in ("", QUIT) else word)
            except AnswerError as error:
                self._write(str(error))
        return None

    async def _read(self, line: str, question: QueuedQuestion) -> None:
        """Takes a line: a command or an answer."""
        word = line.strip()
        if not line or word == QUIT:
            raise Left
        if word == HINT:
            hint = await asyncio.to_thread(give_hint, question.view)
            self._write("\n".join(hint_lines(hint)))
        elif word == LEGAL:
            self._write(
                f"Legal: {show_glyphs(question.view.legal)}" if question.view.legal else "No card is asked for."
            )
        elif word:
            self._answer(question, word)

    def _commands(self) -> str:
        back = f"`{BACK}` takes your last answer back, " if self._sitting.may_take_back else ""
        return f"`{HINT}` gives a hint, `{LEGAL}` the legal cards, {back}`{QUIT}` leaves."

    def _answer(self, question: QueuedQuestion, word: str) -> None:
        try:
            if word == BACK:
                self._sitting.take_back()
            else:
                self._sitting.desk.answer(question.number, with_cards(word, question))
        except AnswerError as error:
            self._write(str(error))


def with_cards(text: str, question: QueuedQuestion) -> str:
    """Returns an answer in which cards replace their numbers in the hand, from 1."""
    numbered = {str(number): str(card) for number, card in enumerate(question.view.hand, 1)}
    return " ".join(numbered.get(word, word) for word in text.split())


def table_lines(picture: Picture, reader: Reader) -> Iterator[str]:
    """Yields the table in a few lines: pot and trump, the seats, the trick, the reader's hand."""
    trump = "not named yet" if picture.trump is None else SUIT_NAMES[picture.trump]
    turned = f", {glyph(picture.turned)} turned up" if picture.turned is not None else ""
    yield f"--- pot {picture.pot}, trump {trump}{turned} ---"
    for number in range(len(picture.seats)):
        yield f"  {_seat_line(picture, number, reader)}"
    if picture.trick:
        trick = (f"{reader.name(played.seat)} {glyph(played.card)}" for played in picture.trick)
        yield f"  Trick: {', '.join(trick)}"
    hand = () if reader.you is None else picture.seats[reader.you].hand
    yield f"  Your hand: {'   '.join(f'{place} {glyph(card)}' for place, card in enumerate(hand, start=1) if card)}"


def _seat_line(picture: Picture, number: int, reader: Reader) -> str:
    seat = picture.seats[number]
    parts = [{"": "has not declared", "in": "plays", "out": "passed"}[seat.status]]
    parts += [f"drew {seat.drew}"] * (seat.drew is not None)
    parts += [f"{seat.tricks} trick{'s' * (seat.tricks != 1)}"] * bool(seat.tricks)
    parts += [f"{seat.chips:+d} chips"]
    parts += ["cannot win this pot"] * seat.barred
    dealer = " (dealer)" * (number == picture.dealer)
    return f"{reader.name(number)}{dealer}: {', '.join(parts)}"
