"""The examples played in step decide as the bots in `examples/` do."""

from pathlib import Path

import numpy as np
import pytest

from bourre.bot_code.bot_file import load
from bourre.bot_code.decisions import decide_now
from bourre.rules.house import HouseRules
from bourre_lab.lockstep import Asked
from research.champion.examples import EXAMPLES
from tests.lockstep.rule_matches import SameDeals, choice_of, never

FOLDER = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("seats", [3, 6])
def test_an_example_decides_as_its_bot(name: str, seats: int) -> None:
    bot = load(str(FOLDER / f"{name}.py"))()
    player, rng = EXAMPLES[name], np.random.default_rng(seats)
    same = SameDeals(HouseRules.preset("limit"), seats, 25, rng)
    plays = 0
    for _ in same.steps():
        for row in same.open_rows():
            match = same.matches[row]
            (action,) = player.actions(same.deals, np.array([row]), rng).tolist()
            chosen = decide_now(bot, match.view(match.to_act), never)
            assert choice_of(action, match, match.to_act) == chosen
            plays += int(same.deals.asked[row] == Asked.PLAY)
    assert plays > 80
