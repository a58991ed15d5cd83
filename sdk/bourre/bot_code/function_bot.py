"""Makes bots of plain functions, for notebooks and experiments: `bot_from(play=lambda view: view.legal[-1])`."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterable
from functools import wraps
from inspect import Parameter, signature
from typing import TypeVar

from bourre.bot import Bot
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View

T = TypeVar("T")
Function = Callable[[View], T | Awaitable[T]] | Callable[[View, Bot], T | Awaitable[T]]
"""A decision: a function of the view, or of the view and the bot, for notes and usage."""


def bot_from(
    *,
    declare: Function[bool] | None = None,
    draw: Function[Iterable[Card]] | None = None,
    play: Function[Card] | None = None,
    take_turned: Function[bool] | None = None,
    name_trump: Function[Suit] | None = None,
    stay: Function[bool] | None = None,
    name: str = "FunctionBot",
) -> type[Bot]:
    """Returns a class of bots that calls these functions with its views. Other decisions are the defaults of `Bot`.

    A function with a second parameter also gets its bot: `def play(view, bot): bot.note("my highest")`.
    The class works like any other, in `practice`, `assert_legal`, `run` and a file for `bourre practice`.
    """
    functions: dict[str, Callable[..., object] | None] = {
        "declare": declare,
        "draw": draw,
        "play": play,
        "take_turned": take_turned,
        "name_trump": name_trump,
        "stay": stay,
    }
    methods = {method: _method(function) for method, function in functions.items() if function is not None}
    author = sys._getframe(1).f_globals.get("__name__", __name__)  # as for a class in the caller's module
    return type(name, (Bot,), {"__module__": author, "__doc__": "A bot made of functions.", **methods})


def _method(function: Callable[..., object]) -> Callable[[Bot, View], object]:
    takes_bot = _takes_two(function)

    @wraps(function, updated=())
    def method(self: Bot, view: View) -> object:
        return function(view, self) if takes_bot else function(view)

    return method


def _takes_two(function: Callable[..., object]) -> bool:
    """Returns whether a function needs two arguments."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # a function written in C may hide its parameters
        return False
    positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in positional and one.default is Parameter.empty for one in parameters) == 2
