"""The command `bourre` in this process, as its users see it: words in, exit code and two texts out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bourre_referee.cli import main


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: object
    out: str
    err: str


Bourre = Callable[..., Ended]


def commander(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bourre:
    """A function that runs `bourre` with these words."""

    def bourre(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["bourre", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Ended(ended.value.code, captured.out, captured.err)

    return bourre
