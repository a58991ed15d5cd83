"""Bots with one beginner's mistake each, and sound ones that look as if they had one: what each file holds."""

from __future__ import annotations

from collections.abc import Mapping

_BOT = """\
{top}
from bourre import Bot, {imported}


class MyBot({base}):
    {more}

    def declare(self, view):
        return True

    def play(self{view}):
        {work}
        return {card}


{end}
"""


def bot(
    top: str = "",
    card: str = "view.legal[0]",
    *,
    imported: str = "run",
    base: str = "Bot",
    more: str = "",
    view: str = ", view",
    work: str = "",
    end: str = 'if __name__ == "__main__":\n    run(MyBot)',
) -> str:
    """The text of a bot that plays, except for what is put into it."""
    return _BOT.format(top=top, card=card, imported=imported, base=base, more=more, view=view, work=work, end=end)


MISTAKES: Mapping[str, bytes] = {
    name: text.encode()
    for name, text in {
        "calls_nothing": bot(imported="Card", end=""),
        "runs_an_instance": bot(end='if __name__ == "__main__":\n    run(MyBot())'),
        "misspells_main": bot(end='if __name__ == "main":\n    run(MyBot)'),
        "misspells_an_import": bot(imported="Bott, run"),
        "misspells_a_field": bot(card="view.leagl[0]"),
        "forgets_self": bot().replace("self, view", "view"),
        "leaves_when_loaded": bot("import sys\n\nsys.exit()"),
        "leaves_in_a_deal": bot("import sys", work="view.deal == 2 and sys.exit()"),
        "loops_when_loaded": bot("while True:\n    pass"),
        "loops": bot(work="while True:\n            pass"),
        "is_slow": bot("import time", work="time.sleep(1.3)"),
        "reads_a_file": bot('WEIGHTS = open("weights.txt").read()'),
        "reads_a_file_later": bot(work='open("weights.txt").read()'),
        "lacks_a_package": bot("import no_such_package"),
        "imports_relatively": bot("from .weights import best"),
        "draws_from_the_system": bot("import random\n\nDICE = random.SystemRandom()", "DICE.choice(view.legal)"),
        "draws_from_its_own_dice": bot("import random\n\nDICE = random.Random()", "DICE.choice(view.legal)"),
        "draws_secrets": bot("from secrets import choice", "choice(view.legal)"),
        "draws_from_numpy": bot("import numpy as np", "view.legal[np.random.randint(len(view.legal))]"),
        "draws_by_the_clock": bot("import time", "view.legal[time.time_ns() // 1000 % len(view.legal)]"),
        "is_empty": "",
    }.items()
} | {
    "is_latin_1": bot(work="# caf\xe9").encode("latin-1"),
    "is_utf_16": bot().encode("utf-16"),
}
"""Files that do not start in a contest, or play there otherwise than at home."""

SOUND: Mapping[str, bytes] = {
    name: text.encode()
    for name, text in {
        "plays": bot(),
        "draws": bot("import random\n\nKEEN = random.random()", "random.choice(view.legal)"),
        "draws_late": bot(work="from random import choice", card="choice(view.legal)"),
        "draws_with_a_seed": bot("import random\n\nDICE = random.Random(7)", "DICE.choice(view.legal)"),
        "draws_from_the_view": bot(card="view.rng.choice(view.legal)"),
        "reads_itself": bot("from pathlib import Path\n\nTEXT = Path(__file__).read_text()"),
        "writes_elsewhere": bot("import tempfile", work='tempfile.TemporaryFile("w").close()'),
        "waits": bot("import asyncio", work="await asyncio.sleep(0)").replace("def play", "async def play"),
        "says_much": bot(work='print("thinking", view)'),
        "iterates_over_a_set": bot(card="next(iter(set(view.legal)))"),
        "has_a_main": bot(end="def main():\n    run(MyBot)\n\n\nif __name__ == '__main__':\n    main()"),
    }.items()
} | {
    "says_that_it_is_latin_1": bot("# -*- coding: latin-1 -*-", work="# caf\xe9").encode("latin-1"),
    "has_a_byte_order_mark": bot().encode("utf-8-sig"),
}
"""Files that start in a contest."""
