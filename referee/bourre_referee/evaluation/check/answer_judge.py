"""Judges one answer by the view that the bot received."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from bourre.practice.cost import default_words, price
from bourre.practice.seat import objection
from bourre.rules.actions import CHOICE_TYPES, Choice, Decision, Declare, Draw, Fault, Missing, Recall
from bourre.rules.sentences import sentence
from bourre.rules.visibility import View
from bourre_referee.evaluation.check.transcript import Exchange

_FIELDS = {
    Decision.NAME_TRUMP: "`trump`",
    Decision.DECLARE: "`plays`, with `discards` where it plays",
    Decision.DRAW: "`discards`",
    Decision.STAY: "`stays`",
    Decision.PLAY: "`card`",
}


class Area(StrEnum):
    """The check that a complaint belongs to."""

    PROTOCOL = "protocol"
    DECISIONS = "decisions"
    LEGALITY = "legality"
    CORRECTION = "correction"
    SPEED = "speed"


@dataclass(frozen=True, slots=True)
class Complaint:
    """The fault in an exchange."""

    area: Area
    what: str
    rule: str
    exchange: Exchange

    @property
    def cost(self) -> str:
        """The cost of the mistake in a contest."""
        view = self.exchange.ask.view
        if self.rule[:3] in ("R5.", "R6."):
            return _cost_of_renege(view)
        if self.rule == "R4.1":
            return "a fault, and the referee ignores them and asks again later"
        if self.rule[:3] in ("R3.", "R4."):
            return "a fault, and it stands pat (R8.5)"
        return f"a fault, and {_cost_of_default(view)}"


def find_complaint(exchange: Exchange) -> Complaint | None:
    """Returns the complaint about this exchange, or None."""
    if exchange.late:
        return Complaint(Area.SPEED, f"{exchange.ask.view.decision}: no answer in time", "", exchange)
    if exchange.answer is None:
        return None
    found = _find_fault(exchange.answer.action, exchange.answer.error, exchange.ask.view)
    if found is None:
        return None
    area, what, rule = found
    if exchange.ask.view.correcting:
        area, what = Area.CORRECTION, f"asked for another card, {what}"
    return Complaint(area, what, rule, exchange)


def _find_fault(action: Choice | Recall | Missing, error: str, view: View) -> tuple[Area, str, str] | None:
    match action:
        case Missing(Fault.ERROR):
            return Area.DECISIONS, f"{view.decision}: the bot reported an error: {error or 'no reason given'}", ""
        case Missing():
            why = error or f"this question needs {_FIELDS[view.decision]} and nothing else"
            return Area.PROTOCOL, f"{view.decision}: the answer is invalid: {why}", ""
    if not isinstance(action, CHOICE_TYPES[view.decision]):
        what = f"{view.decision}: answered {str(action)!r}, but this question needs {_FIELDS[view.decision]}"
        return Area.PROTOCOL, what, ""
    return _find_illegal(action, view)


def _find_illegal(action: Choice | Recall, view: View) -> tuple[Area, str, str] | None:
    if isinstance(action, Declare) and not action.plays:
        return None  # the rest of a pass is ignored
    if isinstance(action, Declare) and not view.house.declares_in_turn and (action.discards or action.takes):
        return Area.LEGALITY, "declare returned discards, which belong to draw, after all have declared (R4.1)", "R4.1"
    if why := objection(action, view):
        return Area.LEGALITY, why, _rule_in(why)
    if isinstance(action, Declare | Draw) and action.takes and not (view.may_take_turned and action.discards):
        return Area.LEGALITY, "draw took the turned card when that is not allowed (R3.2)", "R3.2"
    return None


def _rule_in(words: str) -> str:
    """Returns the rule in this text, with its sentence."""
    named = re.search(r"R\d\.\d+", words)
    return sentence(named[0]) if named else ""


def _cost_of_renege(view: View) -> str:
    cost = f"{price(view)}, if the card stands (R8.1)"
    if view.house.asks_for_correction and not view.correcting:
        cost += ", or this pot and the next turn to deal, if it is corrected (R8.2)"
    return cost


def _cost_of_default(view: View) -> str:
    """Describes the default for a seat without an answer (R8.5), or without a second one (R8.4, `prompt`)."""
    if view.correcting:
        return f"the refused card stands, at the price of {price(view)} (R8.1)"
    if view.decision == Decision.PLAY:
        return f"the lowest legal card is played, at the price of {price(view)} (R8.5)"
    return f"{default_words(view)} (R8.5)"
