"""The cheapest possible bot: it stands pat and plays its lowest legal card."""

from __future__ import annotations

from pathlib import Path

import bourre

_PROGRAM = "import sys; sys.path.insert(0, {!r}); from bourre import Bot, run; run(Bot)"


def write_trivial_bot(folder: Path) -> Path:
    """Write its program into a folder; it imports the same `bourre` as this process, compiled or not.

    A bot does not inherit PYTHONPATH, by which `dev.py compile` chooses the compiled one.
    """
    program = folder / "trivial_bot.py"
    program.write_text(_PROGRAM.format(str(Path(bourre.__file__).parents[1])))
    return program
