"""Keeps the caps of a contest's language models, also for calls at the same time and over restarts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Condition

from bourre.notes import MILLIONTHS
from bourre_referee.model.language_model import Caps, LanguageModel
from bourre_referee.model.model_call import Spent


class CapExceeded(Exception):
    """A call could exceed a cap, so it is not made. The message is the cap, as the contest file writes it."""


class CallBudget:
    """Counts what calls used, and reserves a bound for each call in flight."""

    def __init__(self, caps: Caps, spent: Mapping[str, Spent]) -> None:
        """`caps` are for all models together; `spent` is what each model used before."""
        self._caps = caps
        self._spent = dict(spent)
        self._in_flight: dict[str, Spent] = {}
        """The bounds of each model's calls in flight, which `_spent` contains."""
        self._changed = Condition()
        self._reached: dict[str, str] = {}

    def reserve(self, model: LanguageModel, bound: Spent) -> None:
        """Reserves a bound for a call. It waits while calls in flight may turn out cheaper; raises CapExceeded."""
        with self._changed:
            while cap := self._exceeded(model, bound):
                if self._exceeded(model, bound, settled=True):
                    self._reached.setdefault(model.name, cap)
                    raise CapExceeded(cap)
                self._changed.wait()
            self._add(model.name, bound)
            self._in_flight[model.name] = self._in_flight.get(model.name, Spent()) + bound

    def settle(self, model: LanguageModel, bound: Spent, spent: Spent) -> None:
        """Replaces the bound of a call by what it used."""
        with self._changed:
            self._in_flight[model.name] -= bound
            self._add(model.name, spent - bound)
            self._changed.notify_all()

    @property
    def reached(self) -> Mapping[str, str]:
        """The first cap that stopped each model, by the model's name."""
        with self._changed:
            return dict(self._reached)

    def _add(self, name: str, more: Spent) -> None:
        self._spent[name] = self._spent.get(name, Spent()) + more

    def _exceeded(self, model: LanguageModel, bound: Spent, *, settled: bool = False) -> str | None:
        """Returns the first cap that one more call could exceed. `settled` leaves out what calls in flight may use."""
        own = self._spent.get(model.name, Spent())
        every = sum(self._spent.values(), Spent())
        if settled:
            own -= _without_calls(self._in_flight.get(model.name, Spent()))
            every -= _without_calls(sum(self._in_flight.values(), Spent()))
        found = [*_exceeded(model.caps, own + bound, ""), *_exceeded(self._caps, every + bound, "[model_caps] ")]
        return found[0] if found else None


def _without_calls(spent: Spent) -> Spent:
    """Returns the part of a bound that may turn out smaller."""
    return spent - Spent(spent.calls)


def _exceeded(caps: Caps, spent: Spent, where: str) -> Iterator[str]:
    if caps.calls is not None and spent.calls > caps.calls:
        yield f"{where}most_calls = {caps.calls}"
    if caps.tokens is not None and spent.tokens > caps.tokens:
        yield f"{where}most_tokens = {caps.tokens}"
    if caps.cost_millionths is not None and spent.cost_millionths > caps.cost_millionths:
        yield f"{where}most_cost = {caps.cost_millionths / MILLIONTHS:g}"
