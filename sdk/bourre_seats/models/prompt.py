"""Makes the messages that ask a model a question about a view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bourre.rules.cards import show
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.words.house_words import CHAPTERS, house_values
from bourre.words.table_words import cards_text, seats_text, trump_text
from bourre.words.view_notation.notation_words import join
from bourre.words.view_notation.notation_writer import write_words
from bourre_seats.models.chat import Message
from bourre_seats.models.questions import PLAY, ModelQuestion
from bourre_seats.models.templates import Templates


class Prompt:
    """Writes prompts from templates, with or without the legal cards. Caches the house rules in words."""

    def __init__(self, templates: Templates, *, legal: bool) -> None:
        self._templates = templates
        self._legal = legal
        self._rules: dict[tuple[HouseRules, int], str] = {}

    def messages(self, question: ModelQuestion[Any], view: View, history: Sequence[str] = ()) -> list[Message]:
        """Returns the rules as one message and the question as another. `history` has a line for each earlier deal."""
        return [
            Message("system", self._system(view.house, view.seats)),
            Message("user", self._user(question, view, history)),
        ]

    def unparsable(self, problem: str) -> Message:
        """Returns the message that asks again after an answer without a decision."""
        return Message("user", self._templates.fill("unparsable", {"problem": problem}))

    def _system(self, house: HouseRules, seats: int) -> str:
        if (house, seats) not in self._rules:
            values = {"rules": rules_text(house), "seats": seats}
            self._rules[house, seats] = self._templates.fill("system", values)
        return self._rules[house, seats]

    def _user(self, question: ModelQuestion[Any], view: View, history: Sequence[str]) -> str:
        earlier = "\n".join(f"- {line}" for line in history)
        parts = [self._templates.fill("history", {"history": earlier})] if history else []
        parts.append(self._templates.fill("table", self._values(view)))
        if (renege := view.correcting) is not None:
            values = {"card": renege.card, "rule": renege.sentence, "match": renege.match}
            parts.append(self._templates.fill("correction", values))
        if question is PLAY and self._legal:
            parts.append(self._templates.fill("legal", {"legal": show(view.legal)}))
        values = {"dead": view.dead, "max_discards": view.max_discards, "second_ante": view.house.cost_to_enter}
        parts.append(self._templates.fill(question.name, values))
        return "\n\n".join(parts)

    def _values(self, view: View) -> dict[str, object]:
        return {
            "cards": cards_text(view),
            "deal": view.deal,
            "deals": view.deals,
            "dealer": view.dealer,
            "hand": show(view.hand),
            "match": view.match,
            "notation": _notation(view) if self._templates.uses("table", "notation") else "",
            "pot": view.pot,
            "seat": view.seat,
            "seats": seats_text(view),
            "trump": trump_text(view),
        }


def rules_text(house: HouseRules) -> str:
    """Returns the house rules in words, in the order of play, with their ids."""
    values = house_values(house)
    lines: list[str] = []
    for chapter in CHAPTERS:
        lines.append(f"{chapter.title}:")
        texts = ((statement.text_for(values), statement.rule) for statement in chapter.statements)
        lines += [f"- {text} ({rule})" for text, rule in texts if text]
    return "\n".join(lines)


def _notation(view: View) -> str:
    """Returns the view in the notation of `bourre.testing.view`, without the legal cards and the seed."""
    left_out = ("legal", "seed", *(["trump"] if view.named is None else []))
    return join(view.decision, {word: text for word, text in write_words(view).items() if word not in left_out})
