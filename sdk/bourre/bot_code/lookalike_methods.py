"""Finds methods of a bot with misspelt names, such as `Play` or `declair`, which are never called."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType

from bourre.bot import METHODS, Bot

WARNING_PREFIX = "bourre: warning: "
"""The prefix of these warnings on a bot's stderr, where `bourre check` looks for them."""
_NEAR = 0.75
"""The least `difflib` similarity of a misspelling, such as `paly` for `play`."""
_OTHER_NAMES = {
    "declare": ("bid", "decide", "enter", "enterpot", "join", "inorout"),
    "draw": ("discard", "discards", "exchange", "replace", "swap", "throwaway"),
    "take_turned": ("taketrump", "takecard", "takedead"),
    "name_trump": ("choosetrump", "picktrump", "declaretrump", "calltrump", "selecttrump", "trump"),
    "stay": ("secondpass", "keepin", "remain"),
    "play": ("choosecard", "pickcard", "selectcard", "card", "lead", "follow", "act", "move", "turn"),
    "recall": ("takeback", "undo", "correct"),
    "on_event": ("event", "handleevent", "observe", "hear"),
    "on_renege": ("renege", "onmistake"),
    "on_match_end": ("matchend", "endmatch", "onend", "gameover", "ongameend", "matchover", "onmatchover"),
}
"""Names of the same methods in other games and libraries, in lower case and without underscores."""
_BY_PLAIN_NAME = {name.replace("_", ""): name for name in METHODS}
_BY_OTHER_NAME = {other: name for name, others in _OTHER_NAMES.items() for other in others}


def find_misnamed(bot: type[Bot]) -> Iterator[str]:
    """Yields a warning for each misspelt method of this class, with its likely name.

    Ignores methods that begin with an underscore, that the bot's own code calls, or whose parameters differ from the
    method they resemble. Also ignores methods of a class that has the method they resemble.
    """
    kinds = [kind for kind in bot.__mro__ if issubclass(kind, Bot) and kind is not Bot]
    mentioned = {name for code in _codes(kinds) for name in _names(code)}
    own = {name: value for kind in reversed(kinds) for name, value in vars(kind).items() if _is_method(name, value)}
    for name in own:
        meant = _meant(name)
        if meant and name not in mentioned and _is_default(bot, meant) and _could_be(bot, name, meant):
            yield (
                f"{bot.__name__}.{name} is never called: did you mean {meant!r}? {_what_it_does(meant)} "
                f"(If it is for your own use, begin its name with an underscore: _{name}.)"
            )


def _what_it_does(method: str) -> str:
    """Returns the first sentence about a method of Bot, with its name."""
    first_line = (getattr(Bot, method).__doc__ or "Is called.").splitlines()[0]
    sentence = first_line.partition(". ")[0].rstrip(".")
    return f"Bot.{method} {sentence[:1].lower()}{sentence[1:]}."


def _is_method(name: str, value: object) -> bool:
    is_function = isinstance(value, staticmethod | classmethod) or (callable(value) and not isinstance(value, type))
    return is_function and not name.startswith("_") and name not in METHODS


def _meant(name: str) -> str | None:
    """Returns the method of Bot that this name resembles; None if there is none."""
    plain = name.replace("_", "").lower()
    if plain in _BY_PLAIN_NAME or plain in _BY_OTHER_NAME:
        return _BY_PLAIN_NAME.get(plain) or _BY_OTHER_NAME[plain]
    from difflib import get_close_matches

    longer = [ours for ours in METHODS if name.lower().startswith(f"{ours}_")]
    near = [_BY_PLAIN_NAME[match] for match in get_close_matches(plain, _BY_PLAIN_NAME, n=1, cutoff=_NEAR)]
    return next(iter(longer + near), None)


def _is_default(bot: type[Bot], method: str) -> bool:
    return getattr(bot, method) is getattr(Bot, method)


def _could_be(bot: type[Bot], name: str, meant: str) -> bool:
    """Returns whether the names differ only in case, or the methods have the same parameters."""
    if name.replace("_", "").lower() == meant.replace("_", ""):
        return True
    from inspect import signature  # seldom needed, and slow to load

    given = signature(getattr(Bot, meant)).parameters  # with `self`
    try:
        signature(getattr(bot, name)).bind(*list(given)[_is_bound(bot, name) :])
    except (TypeError, ValueError):
        return False
    return True


def _is_bound(bot: type[Bot], name: str) -> bool:
    """Returns whether the method is called without an instance of the class."""
    value = next(vars(kind)[name] for kind in bot.__mro__ if name in vars(kind))
    return isinstance(value, staticmethod | classmethod)


def _codes(kinds: list[type[Bot]]) -> Iterator[CodeType]:
    """Yields the code of all functions in these classes and in their modules."""
    for kind in kinds:
        module = sys.modules.get(kind.__module__)
        beside = map(_function, list(vars(module).values())) if module else ()
        own = (function for function in beside if function and function.__module__ == kind.__module__)
        for function in (*map(_function, vars(kind).values()), *own):
            if function:
                yield function.__code__


def _function(value: object) -> FunctionType | None:
    """Returns the function of a method or a decorator, without running the bot's code."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if isinstance(value, property):
        value = value.fget
    try:
        value = object.__getattribute__(value, "__dict__").get("__wrapped__", value)
    except AttributeError:  # its class has slots
        return None
    return value if isinstance(value, FunctionType) else None


def _names(code: CodeType) -> Iterator[str]:
    """Yields the attributes and globals in this code and its inner functions."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
