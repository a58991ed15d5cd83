"""The hint for a bot that exited before it said hello depends on what it printed last."""

from __future__ import annotations

import pytest

from bourre_referee.evaluation.check.presence_checks import hint_for


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ("SyntaxError: expected ':'", "Python cannot parse the file: correct the line shown below"),
        ("IndentationError: unexpected indent", "Python cannot parse the file"),
        (
            "ModuleNotFoundError: No module named 'nonumpy'",
            "its Python does not find the module nonumpy: install its package",
        ),
        (
            "ModuleNotFoundError: No module named 'own.part'",
            "if it is a file of yours, name it with --files",
        ),
        ("ModuleNotFoundError: No module named 'x; rm -rf y'", "correct the error shown below"),
        ("NameError: name 'Bto' is not defined", "correct the error shown below"),
        ("json.decoder.JSONDecodeError: Expecting value", "correct the error shown below"),
        ("", "call `run(YourBot)` at the end of the file"),
        ("no such luck", "call `run(YourBot)` at the end of the file"),
    ],
)
def test_the_hint_suits_the_last_line(last: str, says: str) -> None:
    hint = hint_for(f"Traceback (most recent call last):\n  ...\n{last}\n")
    assert says in hint
    assert ("run(YourBot)" in hint) == says.startswith("call")
    assert "pip install" not in hint  # what a bot prints is not a command
