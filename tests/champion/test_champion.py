"""The champion judges every decision, plays by its judgement, and comes from a file that nobody has changed."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bourre.bot import Bot
from bourre.bot_file import load
from bourre.champion import ChampionBot, judge, judge_views, weights
from bourre.champion.weights import DamagedChampion, frozen_networks
from bourre.decisions import decide_now
from bourre.practice import practice
from bourre.record import asks_of_all, read
from bourre.rules.actions import Decision, Declare, Draw, Play
from bourre.rules.house import HouseRules
from research.champion import freeze
from research.champion.evaluation import compare
from research.champion.examples import EXAMPLES
from research.champion.network_players import Judge
from tests.lockstep.rule_matches import SameDeals, choice_of, never

BOTS = Path(weights.__file__).with_name("bots")
COUNT = 1000


@pytest.mark.parametrize("preset", ["limit", "separate_dealer_option", "simultaneous", "nba", "indiana", "booray"])
def test_every_choice_that_it_judges_may_be_made(preset: str) -> None:
    same = SameDeals(HouseRules.preset(preset), 4, 6, np.random.default_rng(5))
    asked = set()
    for _ in same.steps():
        for row in same.open_rows():
            view = same.matches[row].view(same.matches[row].to_act)
            judged = judge(view)
            asked.add(view.decision)
            assert len({choice for choice, _ in judged}) == len(judged) > 0
            assert all(math.isfinite(chips) for _, chips in judged)
            for choice, _ in judged:
                check_choice(choice, view.decision)
                if isinstance(choice, Declare | Draw):
                    assert set(choice.discards) <= set(view.hand)
                    assert len(choice.discards) <= view.max_discards
            cards = {choice.card for choice, _ in judged if isinstance(choice, Play)}
            assert cards == (set(view.legal) if view.decision == Decision.PLAY else set())
    assert {Decision.DECLARE, Decision.PLAY} <= asked


def test_many_views_are_judged_as_each_of_them() -> None:
    """Of several houses and numbers of seats, mixed."""
    views = []
    for preset, seats in (("limit", 5), ("nba", 5), ("booray", 3)):
        bots = {f"bot {number}": Bot for number in range(seats)}
        record = read(practice(bots, deals=6, seed=3, house=HouseRules.preset(preset)).matches[0].record)
        views += [ask.view for _, ask in asks_of_all(record)]
    Random(1).shuffle(views)
    together, alone = judge_views(views), [judge(view) for view in views]
    assert [[choice for choice, _ in one] for one in together] == [[choice for choice, _ in one] for one in alone]
    for one, other in zip(together, alone, strict=True):
        assert [chips for _, chips in one] == pytest.approx([chips for _, chips in other], abs=1e-3)
    assert judge_views([]) == []


def check_choice(choice: object, decision: Decision) -> None:
    """Asserts that a choice is of the kind that was asked for."""
    kind = type(choice).__name__
    names = {"NAME_TRUMP": "NameTrump", "DECLARE": "Declare", "DRAW": "Draw", "STAY": "Stay", "PLAY": "Play"}
    assert kind == names[decision.name]


def test_the_bot_decides_as_the_same_networks_in_step() -> None:
    networks, bot = frozen_networks(), ChampionBot()
    player = Judge(networks.entry, networks.cards, np.zeros(16, dtype=np.float32))
    rng = np.random.default_rng(11)
    same = SameDeals(HouseRules.preset("limit"), 5, 16, rng)
    decisions = agreed = 0
    for _ in same.steps():
        for row in same.open_rows():
            match = same.matches[row]
            (action,) = player.actions(same.deals, np.array([row]), rng).tolist()
            chosen = decide_now(bot, match.view(match.to_act), never)
            agreed += choice_of(action, match, match.to_act) == chosen
            decisions += 1
    assert decisions > 150
    assert agreed >= decisions - 2  # a tie of two values may fall either way


def test_it_is_stronger_than_an_example_in_the_same_seat() -> None:
    networks = frozen_networks()
    champion = Judge(networks.entry, networks.cards, np.zeros(COUNT, dtype=np.float32))
    others = [EXAMPLES["drawer"], EXAMPLES["tight"], EXAMPLES["counter"], EXAMPLES["follower"]]
    gains = compare(champion, EXAMPLES["drawer"], others, COUNT, np.random.default_rng(2))
    assert gains.mean() > 3 * gains.std() / math.sqrt(COUNT) > 0


@pytest.mark.parametrize(("name", "blur"), [("champion", 0.0), ("club", 0.05), ("novice", 0.15)])
def test_a_strength_is_a_bot_by_name(name: str, blur: float) -> None:
    bot = load(str(BOTS / f"{name}.py"))
    assert issubclass(bot, ChampionBot)
    assert bot.blur == blur
    result = practice([name, "drawer"], deals=5, seed=3)
    assert [row.bot for row in result.bots] == [name, "drawer"]
    assert all(row.faults == row.reneges == 0 for row in result.bots)


def test_errors_of_judgement_are_the_same_each_time() -> None:
    novice = load(str(BOTS / "novice.py"))()
    assert isinstance(novice, ChampionBot)
    same = SameDeals(HouseRules.preset("limit"), 5, 1, np.random.default_rng(8))
    next(same.steps())
    view = same.matches[0].view(same.matches[0].to_act)
    assert novice.judged(view) == novice.judged(view)
    assert novice.judged(view) != judge(view)


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "champion.npz"
    changed.write_bytes(weights.FILE.read_bytes() + b"\0")
    monkeypatch.setattr(weights, "FILE", changed)
    with pytest.raises(DamagedChampion, match="install bourre again"):
        frozen_networks.__wrapped__()


def test_freezing_writes_the_file_and_its_hash(tmp_path: Path) -> None:
    checkpoint, file, module = (tmp_path / name for name in ("checkpoint.npz", "champion.npz", "weights.py"))
    checkpoint.write_bytes(b"weights")
    module.write_text('SHA256: Final = "0"\n"""Of the file."""\n')
    digest = freeze.freeze(checkpoint, file, module)
    assert file.read_bytes() == b"weights"
    assert module.read_text() == f'SHA256: Final = "{digest}"\n"""Of the file."""\n'
    module.write_text("nothing\n")
    with pytest.raises(ValueError, match="0 lines"):
        freeze.freeze(checkpoint, file, module)
