"""Methods of a bot that nobody ever calls, for their names are only nearly those that are asked: `Play`, `declair`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import get_close_matches
from inspect import getattr_static, signature
from types import CodeType, FunctionType

from bourre.bot import METHODS, Bot

MISNAMED = "bourre: warning: "
"""What each of these sentences begins with on a bot's stderr, where `bourre check` looks for them."""
_NEAR = 0.75
"""How alike two names are, by `difflib`, of which one may be the other misspelt: `paly` and `play` are just so."""
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
"""What other games and libraries call the same, in lower case and without underscores."""
_PLAIN = {name.replace("_", ""): name for name in METHODS}
_BY_OTHER_NAME = {other: name for name, others in _OTHER_NAMES.items() for other in others}


def misnamed(bot: type[Bot]) -> Iterator[str]:
    """For each such method of this class a sentence that asks what was meant; nothing for a bot that is whole.

    No alarm for what begins with an underscore, is called by the bot's own code, could not take what it would be given,
    or lies beside the method that it resembles.
    """
    kinds = [kind for kind in bot.__mro__ if issubclass(kind, Bot) and kind is not Bot]
    mentioned = {name for code in _codes(kinds) for name in _names(code)}
    own = {name: value for kind in reversed(kinds) for name, value in vars(kind).items() if _is_method(name, value)}
    for name in own:
        meant = _meant(name)
        if meant and name not in mentioned and _is_default(bot, meant) and _could_be(bot, name, meant):
            yield (
                f"{bot.__name__}.{name} is never called: did you mean {meant!r}? "
                f"(If it is for your own use, begin its name with an underscore: _{name}.)"
            )


def _is_method(name: str, value: object) -> bool:
    is_function = isinstance(value, staticmethod | classmethod) or (callable(value) and not isinstance(value, type))
    return is_function and not name.startswith("_") and name not in METHODS


def _meant(name: str) -> str | None:
    """The method of ours that this name resembles."""
    plain = name.replace("_", "").lower()
    if plain in _PLAIN or plain in _BY_OTHER_NAME:
        return _PLAIN.get(plain) or _BY_OTHER_NAME[plain]
    longer = [ours for ours in METHODS if name.lower().startswith(f"{ours}_")]
    near = [_PLAIN[match] for match in get_close_matches(plain, _PLAIN, n=1, cutoff=_NEAR)]
    return next(iter(longer + near), None)


def _is_default(bot: type[Bot], method: str) -> bool:
    return getattr(bot, method) is getattr(Bot, method)


def _could_be(bot: type[Bot], name: str, meant: str) -> bool:
    """Whether it is our name but for its case, or takes as many arguments as the method that it resembles."""
    if name.replace("_", "").lower() == meant.replace("_", ""):
        return True
    given = signature(getattr(Bot, meant)).parameters  # with `self`
    try:
        signature(getattr(bot, name)).bind(*list(given)[_is_bound(bot, name) :])
    except (TypeError, ValueError):
        return False
    return True


def _is_bound(bot: type[Bot], name: str) -> bool:
    """Whether it is called without an instance of the class."""
    value = next(vars(kind)[name] for kind in bot.__mro__ if name in vars(kind))
    return isinstance(value, staticmethod | classmethod)


def _codes(kinds: list[type[Bot]]) -> Iterator[CodeType]:
    """The code of all functions of these classes, and of those that are written beside them in their files."""
    for kind in kinds:
        module = sys.modules.get(kind.__module__)
        beside = map(_function, list(vars(module).values())) if module else ()
        own = (function for function in beside if function and function.__module__ == kind.__module__)
        for function in (*map(_function, vars(kind).values()), *own):
            if function:
                yield function.__code__


def _function(value: object) -> FunctionType | None:
    """What a method or a decorated function comes down to; nothing of the bot's is run to find out."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if isinstance(value, property):
        value = value.fget
    value = getattr_static(value, "__wrapped__", value)
    return value if isinstance(value, FunctionType) else None


def _names(code: CodeType) -> Iterator[str]:
    """The attributes and globals that it mentions, also in the functions within."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
