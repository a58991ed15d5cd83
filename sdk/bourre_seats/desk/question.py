"""What an agent is asked, how it may answer, and what it said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bourre.rules.actions import Choice, Decision, Recall
from bourre.rules.cards import Card, show
from bourre.rules.view import View


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that waits for the agent."""

    number: int
    match: str
    view: View
    reneged: Card | None = None
    """The illegal card that the agent has just chosen and may still take back (R8.4, `silent`)."""
    deadline: float | None = None
    """When the referee stops waiting, by the desk's clock in seconds; None: it waits for ever."""

    @property
    def answers(self) -> str:
        """How to answer, in one sentence."""
        if self.reneged is not None:
            return f"`keep` plays {self.reneged}, or `recall` and another card of your hand takes it back."
        return _ANSWERS[self.view.decision](self.view)


class Reply(NamedTuple):
    """What the agent said; None leaves an illegal card on the table (R8.4, `silent`)."""

    said: Choice | Recall | None
    note: str = ""


def _declare_answers(view: View) -> str:
    if not view.house.declares_in_turn:
        return "`pass`, or `in` to play this deal."
    return f"`pass`, or `in` and the cards that you exchange, {_exchange(view, 'in')}"


def _exchange(view: View, word: str) -> str:
    """Says which cards may follow this word."""
    some = " ".join(map(str, view.hand[: min(2, view.max_discards)]))
    take = f" Add `take` to take {view.dead} for one of them." if view.may_take_turned else ""
    return f"at most {view.max_discards}: `{word}` keeps all, `{word} {some}` exchanges these.{take}"


_ANSWERS: dict[Decision, Callable[[View], str]] = {
    Decision.NAME_TRUMP: lambda view: "`trump` and a suit: `trump C`, `trump D`, `trump H` or `trump S`.",
    Decision.DECLARE: _declare_answers,
    Decision.DRAW: lambda view: f"`draw` and the cards that you exchange, {_exchange(view, 'draw')}",
    Decision.STAY: lambda view: f"`stay` pays another {view.house.cost_to_enter}, `leave` passes.",
    Decision.PLAY: lambda view: f"one card of your hand: {show(view.hand)}.",
}
