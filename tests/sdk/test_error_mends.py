"""What mends a Python error, by its kind and message."""

from __future__ import annotations

import pytest

from bourre.bot import Bot
from bourre.bot_code.error_mends import mend_of


@pytest.mark.parametrize(
    ("kind", "message", "mend"),
    [
        ("TypeError", "MyBot.declare() takes 1 positional argument but 2 were given", "write def declare(self, view):"),
        ("TypeError", "MyBot.play() takes 0 positional arguments but 2 were given", "write def play(self, view):"),
        ("TypeError", "B.recall() missing 1 required positional argument: 'c'", "write def recall(self, view, card):"),
        ("TypeError", "MyBot.best() takes 1 positional argument but 2 were given", "write self as the first parameter"),
        ("TypeError", "Bot.play() missing 1 required positional argument: 'view'", ""),
        ("TypeError", "'NoneType' object is not subscriptable", ""),
        ("SystemExit", "", "return an answer instead of exiting"),
        ("IndexError", "tuple index out of range", "compare the index with len() first"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: '/bot/a/weights.txt'", "put weights.txt beside"),
        ("ModuleNotFoundError", "No module named 'torch.nn'", "install the package torch"),
        ("NameError", "name 'random' is not defined", "begin the file with import random"),
        ("NameError", "name 'weigths' is not defined", ""),
        ("AttributeError", "no 'leagl'. Did you mean 'legal'?", ""),
        ("ValueError", "no", ""),
    ],
)
def test_each_kind_of_mistake_has_its_fix(kind: str, message: str, mend: str) -> None:
    found = mend_of(kind, message)
    assert found.startswith(mend)
    assert bool(found) == bool(mend)


def test_all_methods_without_self_are_named() -> None:
    without_self = {"declare": lambda view: True, "play": lambda view: view.legal[0]}
    mine = type("MyBot", (Bot,), without_self | {"stay": staticmethod(lambda view: True)})
    found = mend_of("TypeError", "MyBot.play() takes 1 positional argument but 2 were given", mine)
    assert found == "write def play(self, view): and def declare(self, view):"
