"""The command `bourre` in this process, as its users see it: arguments in; exit code, output and errors out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

import pytest
import typer.main

from bourre_referee.cli import app, main


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: object
    out: str
    err: str


Bourre = Callable[..., Ended]
_build_commands = cache(app.bourre_commands)
_build_parsers = cache(typer.main.get_command)
"""Both build each command and its parsers once, which would take longer than most commands; they keep no state."""


def called(*words: object, encoding: str = "utf-8") -> Ended:
    """Runs `bourre` to its end, for a terminal of this encoding. The processes it starts are real."""
    out, err = _paper(encoding), _paper(encoding)
    code = _end(words, out, err)
    return Ended(code, _written(out), _written(err))


def said_by(code: int, *words: object) -> str:
    """What a command that ends with this code says: a difference (code 4) in its output, anything else as an error."""
    done = called(*words)
    said, other = (done.out, done.err) if code == 4 else (done.err, done.out)
    assert (done.code, other) == (code, ""), done
    return said


def called_without_reader(*words: object) -> Ended:
    """The same, where the reader of stdout has had enough before the first line."""
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as out, _paper("utf-8") as err:
        return Ended(_end(words, out, err), "", _written(err))


def called_in(folder: Path, *words: object) -> Ended:
    """The same, in this folder."""
    with chdir(folder):
        return called(*words)


def words_for(command: str, folder: Path) -> list[str]:
    """The words of a command, with `folder` for RUN, and a folder beside it, named `out`, for OUT."""
    paths = {"RUN": str(folder), "OUT": str(folder.with_name("out"))}
    return [paths.get(word, word) for word in command.split()]


def _end(words: Sequence[object], out: TextIO, err: TextIO) -> object:
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["bourre", *map(str, words)])
        patch.setattr(app, "bourre_commands", lambda words: _build_commands(tuple(words[:1])))
        patch.setattr("typer.main.get_command", _build_parsers)
        patch.setattr(sys, "path", [*sys.path])  # bots' folders are added to it
        patch.setenv("PYTHONSAFEPATH", "")  # the command sets it for the processes it starts
        with pytest.raises(SystemExit) as ended:
            main()
    return ended.value.code


def _paper(encoding: str) -> TextIOWrapper[BytesIO]:
    return TextIOWrapper(BytesIO(), encoding=encoding, write_through=True)


def _written(paper: TextIOWrapper[BytesIO]) -> str:
    return paper.buffer.getvalue().decode(paper.encoding)
