"""The command `bourre` in this process, as its users see it: words in, exit code and two texts out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
    """A function that runs `bourre` with these words, in a shell that finds it by this name."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ.get("PATH", os.defpath)]))

    def bourre(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["bourre", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Ended(ended.value.code, captured.out, captured.err)

    return bourre
