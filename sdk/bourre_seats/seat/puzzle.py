"""Asks a person recorded decisions as puzzles, and then shows the bot's choice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Missing, Play, Recall
from bourre.rules.sentences import sentence
from bourre.rules.tricks import broken_rule
from bourre.rules.view import View
from bourre.words.table_words import card_name
from bourre.words.table_words.deal_lines import MatchLog
from bourre.words.table_words.deal_story import begin_match, follow
from bourre.words.table_words.picture import picture_of
from bourre_seats.seat.hints import SAMPLES, give_hint
from bourre_seats.seat.prompts import button_words
from bourre_seats.seat.sitting import Sitting
from bourre_seats.seat.verdict import judge_answer


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Decisions of one bot in one deal, with only the knowledge of its seat."""

    asks: Sequence[RecordedAsk]
    """The asks of this bot, from its first in the match to the last puzzle."""
    deal: int
    ask: int | None
    """The number of the deal's ask that is the puzzle, from 1; None means each in turn."""
    notes: Mapping[int, Sequence[str]]
    """The bot's notes in lines, by the number of their answer in the deal."""


async def solve(puzzle: Puzzle, sitting: Sitting, samples: int = SAMPLES) -> bool:
    """Shows the deal as its seat saw it, asks the person each puzzle, and then shows the verdict and the bot's answer.

    `samples` is the number of sampled deals that judge all choices. Returns False if the person leaves before the last.
    """
    sitting.desk.begin("A recorded deal.")
    first = puzzle.asks[0].view
    story = begin_match(first.seats, first.house)
    solved = 0
    for ask in puzzle.asks:
        if solved and await sitting.interlude.offer(("next", "leave"), "") == "leave":
            return False
        for event in ask.events:
            story = follow(story, event)
            if story.number == puzzle.deal:
                sitting.tell(event, story, first.seat)
        if ask.view.deal == puzzle.deal and puzzle.ask in (None, ask.number):
            await _solve_one(ask, puzzle, sitting, samples)
            solved += 1
    return True


async def _solve_one(ask: RecordedAsk, puzzle: Puzzle, sitting: Sitting, samples: int) -> None:
    view, seat = ask.view, puzzle.asks[0].view.seat
    choice = await _ask(view, sitting)
    bot = sitting.reader(seat).called(view.seat)
    others = _lawful(ask, bot)
    hint = await asyncio.to_thread(give_hint, view, samples, (choice, *others.values()))
    said = said_words(ask, bot, puzzle.notes.get(ask.place, ()))
    verdict = judge_answer(hint, choice, others, said)
    text = " ".join(filter(None, (answer_words(ask, choice, bot), said)))
    sitting.say("answer", text, picture_of(view), seat, verdict=verdict)


def _lawful(ask: RecordedAsk, bot: str) -> dict[str, Choice]:
    """Returns the bot's choice by its name; empty if it broke the rules."""
    action = ask.action
    if isinstance(action, Missing) or (isinstance(action, Play) and action.card not in ask.view.legal):
        return {}
    return {bot: action}


async def _ask(view: View, sitting: Sitting) -> Choice:
    """Returns the person's choice. After an illegal card, it explains the rule and asks again."""
    while True:
        said = (await sitting.desk.ask(view, MatchLog())).said
        if said is None or isinstance(said, Recall):
            raise TypeError(f"a puzzle asks for a choice, not {said!r}")
        if not isinstance(said, Play) or said.card in view.legal:
            return said
        why = sentence(broken_rule(said.card, view.position))
        sitting.say(
            "renege", f"The {card_name(said.card)} would break {why}. Choose again.", picture_of(view), view.seat
        )


def answer_words(ask: RecordedAsk, choice: Choice, bot: str) -> str:
    """Returns both choices in words."""
    other = "No usable answer" if isinstance(ask.action, Missing) else button_words(ask.action)
    if choice == ask.action:
        return f"You and {bot} agree: “{other}”."
    return f"You: “{button_words(choice)}”. {bot}: “{other}”."


def said_words(ask: RecordedAsk, bot: str, note: Sequence[str]) -> str:
    """Returns the bot's correction of its answer, and its note."""
    back = f"{bot} then took the card back and played the {card_name(ask.recall.card)}." if ask.recall else ""
    return " ".join(filter(None, (back, f"Its note: {' '.join(note)}" if note else "")))
