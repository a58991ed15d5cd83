"""Bots made of plain functions, for a notebook or a quick idea: `bot_from(play=lambda view: view.legal[-1])`."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterable
from functools import wraps

from bourre.bot import Bot
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View


def bot_from(
    *,
    declare: Callable[[View], bool | Awaitable[bool]] | None = None,
    draw: Callable[[View], Iterable[Card] | Awaitable[Iterable[Card]]] | None = None,
    play: Callable[[View], Card | Awaitable[Card]] | None = None,
    take_turned: Callable[[View], bool | Awaitable[bool]] | None = None,
    name_trump: Callable[[View], Suit | Awaitable[Suit]] | None = None,
    stay: Callable[[View], bool | Awaitable[bool]] | None = None,
    name: str = "FunctionBot",
) -> type[Bot]:
    """Returns a class of bots that calls these functions with its views; decisions left out are made as in `Bot`.

    The class works like any other: in `practice`, `assert_legal`, `run`, and in a file for `bourre practice`.
    """
    functions: dict[str, Callable[[View], object] | None] = {
        "declare": declare,
        "draw": draw,
        "play": play,
        "take_turned": take_turned,
        "name_trump": name_trump,
        "stay": stay,
    }
    methods = {method: _method(function) for method, function in functions.items() if function is not None}
    author = sys._getframe(1).f_globals.get("__name__", __name__)  # as for a class that is written there
    return type(name, (Bot,), {"__module__": author, "__doc__": "A bot made of functions.", **methods})


def _method(function: Callable[[View], object]) -> Callable[[Bot, View], object]:
    @wraps(function, updated=())
    def method(self: Bot, view: View) -> object:
        return function(view)

    return method
