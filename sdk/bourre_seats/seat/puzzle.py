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
from bourre_seats.seat.hints import SAMPLES, Hint, give_hint
from bourre_seats.seat.prompts import button_words
from bourre_seats.seat.sitting import Sitting


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


async def solve(puzzle: Puzzle, sitting: Sitting, samples: int = SAMPLES) -> None:
    """Shows the deal as its seat saw it, asks the person each puzzle, and then shows the bot's answer.

    `samples` is the number of sampled deals that judge both answers.
    """
    sitting.desk.begin("A recorded deal.")
    first = puzzle.asks[0].view
    story = begin_match(first.seats, first.house)
    for ask in puzzle.asks:
        for event in ask.events:
            story = follow(story, event)
            if story.number == puzzle.deal:
                sitting.tell(event, story, first.seat)
        if ask.view.deal == puzzle.deal and puzzle.ask in (None, ask.number):
            choice = await _ask(ask.view, sitting)
            hint = await asyncio.to_thread(give_hint, ask.view, samples)
            bot, note = sitting.reader(first.seat).called(ask.view.seat), puzzle.notes.get(ask.place, ())
            sitting.say("answer", answer_words(ask, choice, hint, bot, note), picture_of(ask.view), first.seat)
    sitting.finish("That was the puzzle.")


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


def answer_words(ask: RecordedAsk, choice: Choice, hint: Hint, bot: str, note: Sequence[str] = ()) -> str:
    """Returns both choices in words, their average results over the sampled deals, and the bot's note."""
    other = "No usable answer" if isinstance(ask.action, Missing) else button_words(ask.action)
    if choice == ask.action:
        told = f"You and {bot} agree: “{other}”."
    else:
        told = f"You: “{button_words(choice)}”. {bot}: “{other}”."
    if ask.recall is not None:
        told += f" It then took the card back and played the {card_name(ask.recall.card)}."
    chips = {estimate.choice: estimate.chips for estimate in hint.estimates}
    if choice != ask.action and choice in chips and ask.action in chips:
        gains = f"{chips[choice]:+.1f} chips for yours, {chips[ask.action]:+.1f} for the other"
        told += f" {hint.samples} sampled deals say, on average: {gains}."
    return f"{told} Its note: {' '.join(note)}" if note else told
