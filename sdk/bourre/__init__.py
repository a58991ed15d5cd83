"""Write a bot for Bourré: cards, rules, views, and the connection to a referee.

Python loads each name at its first use (PEP 562), so importing the rules does not load gRPC. See also
`from bourre.practice import practice` and `from bourre.record import read, replay`.
"""

import gc
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from bourre import aliases

if TYPE_CHECKING:
    from bourre.bot import Bot
    from bourre.bot_code.decisions import BotError
    from bourre.bot_code.function_bot import bot_from
    from bourre.connection.client import run
    from bourre.practice import PracticeError, PracticeResult
    from bourre.record import RecordError
    from bourre.rules.actions import Decision
    from bourre.rules.cards import Card, Suit
    from bourre.rules.errors import BourreError, InvalidAction, InvalidCard, InvalidHouse
    from bourre.rules.house import HouseRules
    from bourre.rules.view import View
    from bourre.sampling import ImpossibleView, SampledDeal, sample_deals
    from bourre.sampling.view_reading import remaining, winner

__all__ = [
    "Bot",
    "BotError",
    "BourreError",
    "Card",
    "Decision",
    "HouseRules",
    "ImpossibleView",
    "InvalidAction",
    "InvalidCard",
    "InvalidHouse",
    "PracticeError",
    "PracticeResult",
    "RecordError",
    "SampledDeal",
    "Suit",
    "View",
    "bot_from",
    "remaining",
    "run",
    "sample_deals",
    "winner",
]

_HOMES = {
    "Bot": "bourre.bot",
    "BotError": "bourre.bot_code.decisions",
    "BourreError": "bourre.rules.errors",
    "Card": "bourre.rules.cards",
    "Decision": "bourre.rules.actions",
    "HouseRules": "bourre.rules.house",
    "ImpossibleView": "bourre.sampling",
    "InvalidAction": "bourre.rules.errors",
    "InvalidCard": "bourre.rules.errors",
    "InvalidHouse": "bourre.rules.errors",
    "PracticeError": "bourre.practice",
    "PracticeResult": "bourre.practice",
    "RecordError": "bourre.record",
    "SampledDeal": "bourre.sampling",
    "Suit": "bourre.rules.cards",
    "View": "bourre.rules.view",
    "bot_from": "bourre.bot_code.function_bot",
    "remaining": "bourre.sampling.view_reading",
    "run": "bourre.connection.client",
    "sample_deals": "bourre.sampling",
    "winner": "bourre.sampling.view_reading",
}


if not TYPE_CHECKING:  # lets type checkers find misspelt names

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            text = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(text, name=name, obj=sys.modules[__name__])
        try:
            value = getattr(_load(_HOMES[name]), name)
        except AttributeError as error:  # an error inside the module must not look like a missing name
            raise ImportError(str(error)) from error
        globals()[name] = value
        return value


sys.meta_path.insert(0, aliases)


def _load(home: str) -> ModuleType:
    """Imports a module with garbage collection off, because imported objects stay alive.

    In a bot's process, the collector ignores these objects for good. It still collects the objects of the bot's file.
    What such a process imports without using it waits.
    """
    collects, is_bot = gc.isenabled(), "BOURRE_ADDRESS" in os.environ
    gc.disable()
    if is_bot:
        from bourre.bot_code import deferred_imports

        sys.meta_path.insert(0, deferred_imports)
    try:
        module = import_module(home)
    finally:
        if is_bot:
            sys.meta_path.remove(deferred_imports)
        if collects:
            gc.enable()
    if home == _HOMES["run"] and is_bot:
        gc.freeze()
    return module


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _seed_start() -> None:
    """Seeds `random` if a referee started the bot, before the rest of the bot's file runs."""
    if seed := os.environ.get("BOURRE_SEED"):
        from bourre.bot_code.random_seed import seed_start

        seed_start(seed)


_seed_start()
