"""Measures what a prompt costs us: `python benchmarks/prompts.py [--tables 1000] [--rounds 5]`.

Every prompt of one deal at so many tables is written, with and without the legal cards. Processor time; the median of
the rounds, in which nothing but the rules of the house in words is remembered from one prompt to the next.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from bourre.bot import Bot
from bourre.practice import practice
from bourre.rules.actions import Decision
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre_seats.models.prompt import Prompt
from bourre_seats.models.questions import DECLARE, DRAW, PLAY, ModelQuestion
from bourre_seats.models.templates import Templates

QUESTIONS: dict[Decision, ModelQuestion[Any]] = {Decision.DECLARE: DECLARE, Decision.DRAW: DRAW, Decision.PLAY: PLAY}
SEATS = 5


def main() -> None:
    """Prints microseconds and characters per prompt."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    views = _views(given.tables)
    for legal in (True, False):
        spent = [_seconds(Prompt(Templates(None), legal=legal), views) for _ in range(given.rounds)]
        prompt = Prompt(Templates(None), legal=legal)
        characters = statistics.mean(
            sum(len(message.text) for message in prompt.messages(QUESTIONS[view.decision], view)) for view in views
        )
        name = "with the legal cards" if legal else "without"
        micros = 1e6 * statistics.median(spent) / len(views)
        print(f"{name:21} {micros:6.0f} us a prompt, {characters:.0f} characters, {len(views)} prompts")


def _views(tables: int) -> list[View]:
    """Returns what every seat of so many tables is asked in one deal."""
    seen: list[View] = []

    class Watched(Bot):
        def declare(self, view: View) -> bool:
            seen.append(view)
            return super().declare(view) is True

        def draw(self, view: View) -> tuple[Card, ...]:
            seen.append(view)
            return ()

        def play(self, view: View) -> Card:
            seen.append(view)
            return view.legal[0]

    practice([Watched] * SEATS, deals=1, matches=tables)
    return seen


def _seconds(prompt: Prompt, views: list[View]) -> float:
    began = time.process_time()
    for view in views:
        prompt.messages(QUESTIONS[view.decision], view)
    return time.process_time() - began


if __name__ == "__main__":
    main()
