"""The command `bourre` in this process and in some folder, for fixtures of a module too: what it starts is real."""

from __future__ import annotations

import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from bourre_referee.cli import main
from tests.referee.command import Ended


def called(folder: Path, *words: object) -> Ended:
    """Runs it to its end: a start of the whole command costs more than most that it does."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["bourre", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
    return Ended(ended.value.code, out.getvalue(), err.getvalue())
