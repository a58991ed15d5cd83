"""A bot that copies itself while it plays is told the line, once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BOT = """\
import os
from bourre import Bot
from bourre.connection.fork_watch import warn_of_forks

class Mine(Bot):
    def play(self, view):
        if not os.fork():
            os._exit(0)

warn_of_forks(Mine)
Mine().play(None)
Mine().play(None)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_the_first_line_that_forks_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True, timeout=60)
    told = [line for line in done.stderr.splitlines() if line.startswith("bourre: ")]
    assert told == [
        "bourre: warning: bot.py, line 7 starts a copy of the running bot (a fork), which breaks its connection to the "
        "referee. hint: remove it before you run this file anywhere"
    ]
