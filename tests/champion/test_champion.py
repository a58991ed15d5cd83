"""The champion judges every decision, plays by its judgement, and comes from a file that nobody has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random
from zlib import crc32

import numpy as np
import pytest

from bourre.bot_code.bot_file import load
from bourre.bot_code.decisions import decide_now
from bourre.practice import practice
from bourre.rules.actions import Decision, Declare, Draw, Play
from bourre.rules.cards import parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.view import View
from bourre.testing import view
from bourre_lab.batch_deals import Asked
from bourre_lab.champion import ChampionBot, judge, judge_views, weights
from bourre_lab.champion.judge import exemption
from bourre_lab.champion.network_inputs import card_features, entry_features
from bourre_lab.champion.view_state import asked_of, state_of
from bourre_lab.champion.weights import CHAMPION, DamagedNetworks, frozen_networks
from bourre_lab.policy_gains import SettledTable, measure_gains
from research.champion import freeze
from research.champion.examples import EXAMPLES
from research.champion.network_players import Judge
from tests.batch_deals.rule_matches import SameDeals, choice_of, never
from tests.sdk.random_answers import play_randomly

BOTS = Path(weights.__file__).with_name("bots")
COUNT = 1000
ODD = HouseRules.preset(
    "double_ante",
    exempt_bourre=True,
    trump_card="separate_returned",
    must_overtrump=False,
    lead_honour="highest",
    tie="divide",
    pot_limit=6,
)
KINDS = {"name_trump": "NameTrump", "declare": "Declare", "draw": "Draw", "stay": "Stay", "play": "Play"}
KNOWN: dict[tuple[str, int], dict[str, tuple[int, float]]] = {
    ("limit", 5): {"declare": (551, -28659.5), "play": (219, -333.4), "draw": (18, 2101.5)},
    ("odd", 5): {"declare": (570, 69177.9), "play": (195, 33962.3)},
    ("separate_dealer_option", 3): {"declare": (328, 1761.2), "play": (130, 3675.0)},
    ("simultaneous", 4): {"declare": (48, 4651.1), "draw": (398, -36350.2), "play": (203, 17784.6)},
    ("nba", 4): {"name_trump": (24, 774.7), "declare": (48, 1863.1), "draw": (352, -22041.2), "play": (199, 2651.1)},
    ("indiana", 6): {"declare": (58, 4685.5), "draw": (295, -518659.0), "stay": (54, 4537.8), "play": (130, -224855.5)},
    ("booray", 8): {"declare": (96, 28116.7), "draw": (458, -19107071.6), "play": (283, -6682094.9)},
    ("wikipedia", 7): {"declare": (82, -2634.4), "draw": (527, -4342547.1), "play": (310, -1053131.3)},
    ("bicycle", 2): {"declare": (20, 449.6), "draw": (88, 2106.0), "play": (69, 1712.4)},
}
"""By house and number of seats, for each decision: how many choices were judged, and the sum of their figures."""


def asked_views(name: str, seats: int, deals: int = 6) -> list[View]:
    """The views of the seats that are asked in a match of bots that decide by their dice."""
    house = ODD if name == "odd" else HouseRules.preset(name)
    match = Match(seats, deals, house, SeededChance(bytes(32)))
    return [match.view(match.to_act) for _ in play_randomly(match, Random(seats), 0.0) if not match.over]


@pytest.mark.parametrize(("name", "seats"), KNOWN)
def test_every_choice_that_it_judges_may_be_made_and_has_the_figure_of_its_networks(name: str, seats: int) -> None:
    """Each figure is weighed by the text of its choice, so that none may change its place."""
    views, sums = asked_views(name, seats), dict[str, tuple[int, float]]()
    for seen, judged in zip(views, judge_views(views, "champion_1"), strict=True):
        assert {type(choice).__name__ for choice, _ in judged} == {KINDS[seen.decision]}
        assert len({choice for choice, _ in judged}) == len(judged)
        cards = {choice.card for choice, _ in judged if isinstance(choice, Play)}
        assert cards == (set(seen.legal) if seen.decision == Decision.PLAY else set())
        for choice, _ in judged:
            if isinstance(choice, Declare | Draw):
                assert set(choice.discards) <= set(seen.hand)
                assert len(choice.discards) <= seen.max_discards
        count, total = sums.get(seen.decision, (0, 0.0))
        weighed = sum(chips * (crc32(str(choice).encode()) % 89) for choice, chips in judged)
        sums[seen.decision] = count + len(judged), total + weighed
    known = KNOWN[name, seats]
    assert sums.keys() == known.keys()
    for kind, (count, total) in sums.items():
        assert count == known[kind][0]
        assert total == pytest.approx(known[kind][1], abs=0.5, rel=2e-7)  # threads add in another order


def test_many_views_are_judged_as_each_of_them() -> None:
    """Of several houses and numbers of seats, mixed."""
    tables = (("limit", 5), ("nba", 5), ("booray", 3), ("pagat", 5))
    views = [seen for name, seats in tables for seen in asked_views(name, seats, 4)]
    Random(1).shuffle(views)
    together, alone = judge_views(views), [judge(seen) for seen in views]
    assert [[choice for choice, _ in one] for one in together] == [[choice for choice, _ in one] for one in alone]
    for one, other in zip(together, alone, strict=True):
        assert [chips for _, chips in one] == pytest.approx([chips for _, chips in other], abs=1e-3)
    assert judge_views([]) == []


@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("pot=30 balances='-10 -8 -6 -6'", 0.1),
        ("pot=30 balances='-10 -8 -6 -6' pot_limit=none", 2 / 30),
        ("pot=10 balances='-4 -2 -2 -2'", 0.2),
        ("pot=0 balances='-1 1 0 0'", 2.0),
        ("pot=30 balances='-10 -8 -6 -6' ante_when=pot_empty", 0.0),
        ("pot=30 balances='-10 -8 -6 -6' exempt_bourre=false", 0.0),
        ("pot=32 balances='-8 -8 -8 -8'", 0.0),
    ],
)
def test_an_exemption_is_worth_the_next_ante_where_one_is_due(words: str, share: float) -> None:
    assert exemption(view(f"declare hand='AS KH 2C 3D 9S' trump=S ante=2 {words}")) == pytest.approx(share)


def test_figures_grow_with_the_pot_and_above_its_limit_by_a_share_of_the_rest() -> None:
    ten, limit, more = (judge(view(f"play hand='AS KH 2C' trump=S pot={pot} ante=0")) for pot in (10, 20, 100))
    assert [chips / 2 for _, chips in limit] == pytest.approx([chips for _, chips in ten], abs=1e-4)
    assert [chips + 80 / 4 for _, chips in limit] == pytest.approx([chips for _, chips in more], abs=1e-4)
    nothing = judge(view("play hand='AS KH 2C' trump=S pot=0 ante=0"))
    assert [chips for _, chips in nothing] == pytest.approx([chips / 20 - 1 / 4 for _, chips in limit], abs=1e-4)


def test_the_bot_decides_as_the_same_networks_in_step() -> None:
    networks, bot = frozen_networks(CHAMPION), ChampionBot()
    assert networks is frozen_networks(CHAMPION)
    player = Judge(networks.entry, networks.cards)
    rng = np.random.default_rng(11)
    same = SameDeals(HouseRules.preset("limit"), 5, 8, rng)
    decisions = agreed = 0
    for _ in same.steps():
        for row in same.open_rows():
            match = same.matches[row]
            (action,) = player.actions(same.deals, np.array([row]), rng).tolist()
            chosen = decide_now(bot, match.view(match.to_act), never)
            agreed += choice_of(action, match, match.to_act) == chosen
            decisions += 1
    assert decisions > 75
    assert agreed >= decisions - 1  # a tie of two values may fall either way


@pytest.mark.parametrize(("name", "seats"), [("nba", 4), ("indiana", 6)])
def test_the_bot_takes_what_it_judges_best(name: str, seats: int) -> None:
    bot = ChampionBot()
    for seen in asked_views(name, seats, 3):
        best = max(judge(seen), key=lambda judged: judged.chips)
        assert bot.best(seen) == best
        assert decide_now(bot, seen, never) == best.choice


def test_it_draws_even_where_passing_is_best_and_takes_the_turned_card() -> None:
    weak = view("declare hand='2C 3D 4H 5C 7D' trump=S turned=5S seats=5 dealer=4")
    assert not ChampionBot().declare(weak)
    assert len(ChampionBot().draw(weak.for_draw())) >= 3
    words = "draw hand='2C 3D 4H 5C 9S' trump=S turned=AS seat=0 dealer=0 preset=separate_dealer_option"
    chosen = decide_now(ChampionBot(), view(f"{words} declare_mode=separate"), never)
    assert chosen == Draw(parse_cards("2C 3D 4H 5C"), takes=True)


def test_it_is_stronger_than_an_example_in_the_same_seat() -> None:
    networks = frozen_networks(CHAMPION)
    champion = Judge(networks.entry, networks.cards)
    others = tuple(EXAMPLES[name] for name in ("drawer", "tight", "counter", "follower"))
    table = SettledTable(HouseRules.preset("limit"), 5, others)
    gain = measure_gains(table, champion, EXAMPLES["drawer"], COUNT, seed=2).total
    assert gain.mean > 2 * gain.half_width > 0


@pytest.mark.parametrize("name", sorted({*weights.SHA256} - {CHAMPION}))
def test_other_frozen_networks_are_bots_by_name(name: str) -> None:
    bot = load(str(BOTS / f"{name}.py"))
    assert issubclass(bot, ChampionBot)
    seen = view("play hand='AS KH 2C 3D' trump=S pot=30 seed=5")
    judged = bot().judged(seen)
    assert (judged,) == tuple(judge_views([seen], name))
    assert judged != judge(seen)


@pytest.mark.parametrize(("name", "blur"), [("champion", 0.0), ("club", 0.05), ("novice", 0.15)])
def test_a_strength_is_a_bot_by_name_whose_errors_follow_from_the_dice_of_its_view(name: str, blur: float) -> None:
    bot = load(str(BOTS / f"{name}.py"))
    assert issubclass(bot, ChampionBot)
    assert bot.blur == blur
    result = practice([name, "drawer"], deals=3, seed=3)
    assert [row.bot for row in result.bots] == [name, "drawer"]
    assert all(row.faults == row.reneges == 0 for row in result.bots)
    seen = view("play hand='AS KH 2C 3D' trump=S pot=30 seed=5")
    errors = [blurred.chips - known.chips for blurred, known in zip(bot().judged(seen), judge(seen), strict=True)]
    dice = seen.rng
    assert errors == pytest.approx([dice.gauss(0, 20 * blur) for _ in range(4)])


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "champion.npz").write_bytes((weights.FOLDER / "champion.npz").read_bytes() + b"\0")
    monkeypatch.setattr(weights, "FOLDER", tmp_path)
    with pytest.raises(DamagedNetworks, match="install bourre again"):
        frozen_networks.__wrapped__(CHAMPION)


def test_freezing_writes_the_file_and_its_hash(tmp_path: Path) -> None:
    module = tmp_path / "weights.py"
    module.write_text('SHA256: Final = {\n    "champion": "0",\n    "old": "1",\n}\n')
    data = freeze.frozen(frozen_networks(CHAMPION))
    digest = freeze.freeze("champion", data, tmp_path, module)
    assert digest == hashlib.sha256(data).hexdigest()
    assert (tmp_path / "champion.npz").read_bytes() == data
    assert module.read_text() == f'SHA256: Final = {{\n    "champion": "{digest}",\n    "old": "1",\n}}\n'
    with pytest.raises(ValueError, match="0 lines for 'new'"):
        freeze.freeze("new", data, tmp_path, module)


PRESETS = ("limit", "wikipedia", "simultaneous", "separate_dead", "nba", "indiana", "booray")
ROW = np.zeros(1, dtype=np.int64)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", [2, 5, 7])
def test_a_view_has_the_features_of_its_deal(preset: str, seats: int) -> None:
    house = HouseRules.preset(preset)
    same = SameDeals(house, seats, 6, np.random.default_rng(seats))
    exempt = np.array([0.25], dtype=np.float32)
    compared = 0
    for _ in same.steps():
        for row in same.open_rows():
            match, deals = same.matches[row], same.deals
            view = match.view(match.to_act)
            assert asked_of(view) == deals.asked[row]
            make = card_features if deals.asked[row] == Asked.PLAY else entry_features
            seen, order = make(state_of(view), ROW, exempt, house)
            known, known_order = make(deals.state, np.array([row]), exempt, house)
            np.testing.assert_array_equal(seen, known)
            np.testing.assert_array_equal(order, known_order)
            compared += 1
    assert compared > 6 * seats
