"""Pairs of example bots, and their differences in real deals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playings import LIMIT, play_block

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.rules.deck import master_seed
from bourre.rules.visibility import View
from bourre_referee.luck import COEFFICIENT

EXAMPLES = Path(__file__).parents[2] / "examples"
SEED = master_seed(20)


def example(name: str) -> type[Bot]:
    """Returns the example bot of this name."""
    return load(str(EXAMPLES / f"{name}.py"))


def otherwise(policy: type[Bot]) -> type[Bot]:
    """Returns the same bot with its own random numbers: equal, but not identical."""

    class Otherwise(policy):  # type: ignore[misc, valid-type]  # a class chosen at run time
        def declare(self, view: View) -> bool:
            for _ in range(3):
                view.rng.random()
            return bool(super().declare(view))

    return Otherwise


def differences(bots: Sequence[type[Bot]], deals: int) -> list[float]:
    """Returns first - second in chips, less luck, for each deal in all its seatings."""
    blocks = (play_block(bots, LIMIT, SEED, deal) for deal in range(1, deals + 1))
    return [block.adjusted(0, 1, COEFFICIENT) for block in blocks]
