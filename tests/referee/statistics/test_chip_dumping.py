"""The test for chip dumping: colluding bots are found, honest ones are not; and the flow of chips between bots."""

from collections.abc import Sequence
from random import Random

import pytest
from dumping import BOTS, Plot, contest, shipped_bots
from hypothesis import given
from hypothesis import strategies as st

from bourre.practice import practice, practice_duplicate
from bourre.record import read
from bourre.rules.pot import UNIT
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.statistics import chip_dumping
from bourre_referee.statistics.chip_dumping import find_dumping, permutation_p_value, sample_places
from bourre_referee.statistics.pair_findings import holm
from bourre_referee.statistics.played_deals import Flow, PlayedDeal, chip_flows, replay_deals

NAMES = ("ada", "bob", "cy", "dee")


def made_up(rng: Random, extra: float) -> list[Flow]:
    """Blocks of three of four bots that pay each other at random; ada pays bob something extra, and bob takes most."""
    blocks = []
    for number in range(120):
        bots = tuple(name for name in NAMES if name != NAMES[number % 4])
        chips = tuple(
            tuple(
                0.0
                if one == other
                else rng.expovariate(1) * (1 + (other == "bob")) + extra * ((one, other) == NAMES[:2])
                for other in bots
            )
            for one in bots
        )
        blocks.append(Flow(bots, 10, chips))
    return blocks


def test_a_dumper_is_found_among_bots_that_play() -> None:
    played = contest(shipped_bots(), 96, 1, Plot("tight", "counter", "bold"), deals=18)
    first, *_ = find_dumping([flow for match in played for flow in match], BOTS)
    assert (first.payer, first.taker, first.suspicious) == ("tight", "counter", True)
    assert first.expected_per_100 is not None
    assert first.per_100 > 1.5 * first.expected_per_100


@pytest.mark.long
def test_the_same_bots_are_not_suspected_when_they_play_honestly() -> None:
    played = contest(shipped_bots(), 96, 1, None, deals=18)
    assert not any(pair.suspicious for pair in find_dumping([flow for match in played for flow in match], BOTS))


def test_what_is_paid_beyond_the_others_is_found_and_a_strong_taker_is_no_reason() -> None:
    honest, dumped = find_dumping(made_up(Random(1), 0), NAMES), find_dumping(made_up(Random(1), 3), NAMES)
    assert [pair.suspicious for pair in honest] == [False] * 12
    assert [(pair.payer, pair.taker) for pair in dumped if pair.suspicious] == [("ada", "bob")]
    assert dumped[0].deals == 600
    assert dumped == find_dumping(made_up(Random(1), 3), NAMES)


@pytest.mark.parametrize(
    ("units", "p_values"),
    [
        (400, [0.0005, 0.061919505, 0.408163265, 0.769230769]),
        (20, [0.0002, 0.059701493, 0.144927536, 0.869565217]),
    ],
)
def test_what_is_found_is_as_ever(units: int, p_values: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """The four smallest p-values; with few units, the blocks of a line-up are merged."""
    monkeypatch.setattr(chip_dumping, "MAX_UNITS", units)
    first, second, *others = find_dumping(made_up(Random(1), 0.9), NAMES, seed=5)
    assert [pair.p for pair in (first, second, *others[:2])] == [pytest.approx(p) for p in p_values]
    assert (first.p_holm, second.p_holm) == pytest.approx((12 * p_values[0], 11 * p_values[1]))
    assert (first.payer, first.taker, first.deals, second.payer, second.taker) == ("ada", "bob", 600, "bob", "dee")
    assert (first.per_100, first.expected_per_100) == pytest.approx((32.1591, 15.8792), abs=5e-5)
    assert (second.per_100, second.expected_per_100) == pytest.approx((12.8091, 7.7822), abs=5e-5)


@pytest.mark.parametrize(("times", "suspicious"), [(1.2, False), (1.4, True)])
def test_a_quarter_more_than_expected_is_allowed_to_honest_styles(times: float, suspicious: bool) -> None:
    blocks = []
    for number in range(120):
        bots = tuple(name for name in NAMES if name != NAMES[number % 4])
        rows = tuple(
            tuple((one != other) * (times if (one, other) == NAMES[:2] else 1.0) for other in bots) for one in bots
        )
        blocks.append(Flow(bots, 1, rows))
    first, *_ = find_dumping(blocks, NAMES)
    assert (first.payer, first.taker, first.suspicious) == (*NAMES[:2], suspicious)


def test_bots_that_always_meet_cannot_be_tested() -> None:
    blocks = [Flow(NAMES[:2], 1, ((0.0, 1.0), (2.0, 0.0)))] * 5
    found = find_dumping(blocks, NAMES[:2])
    assert [(pair.per_100, pair.p, pair.p_holm, pair.suspicious) for pair in found] == [
        (200.0, None, None, False),
        (100.0, None, None, False),
    ]


@pytest.mark.parametrize("cells", [1, 200, 10**6])
def test_a_bot_takes_in_all_what_its_weight_lets_expect(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights of largest likelihood, whatever part of the payers is fitted at once."""
    monkeypatch.setattr(chip_dumping, "CELLS", cells)
    known = made_up(Random(1), 0.5)
    found = chip_dumping.luce_weights(known, (*NAMES, "idle"))
    assert list(found) == [*NAMES, "idle"]
    for payer, weights in found.items():
        taken, expected = dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 0.0)
        for flow in known:
            for one, row in zip(flow.bots, flow.chips, strict=True):
                shared = sum(weights[other] for other in flow.bots if other != one)
                for other, chips in zip(flow.bots, row, strict=True):
                    if payer != one != other:
                        taken[other] += chips
                        expected[other] += sum(row) * weights[other] / shared
        assert expected == pytest.approx(taken, rel=1e-9)
        assert sum(weights.values()) == pytest.approx(5)


@given(st.integers(0, 400), st.integers(0, 5_000), st.integers())
def test_places_are_drawn_as_the_standard_library_draws_them(size: int, more: int, seed: int) -> None:
    ours, theirs = Random(seed), Random(seed)
    assert list(sample_places(ours, size + more, size)) == theirs.sample(range(size + more), size)
    assert ours.random() == theirs.random()


def test_a_pot_goes_out_in_the_proportion_in_which_it_came_in() -> None:
    """Worked out by hand: of 1 + 3 chips 2 are taken, then 2 more come, then all are taken."""
    deal = PlayedDeal(1, 0, (0, 1, 2), 1, moves=[(0, -1), (1, -3), (2, 2), (1, -2), (0, 4)])
    (flow,) = chip_flows(("ada", "bob", "cy"), [deal])
    assert flow.chips == ((0.5, 0.0, 0.5), (3.5, 0.0, 1.5), (0.0, 0.0, 0.0))


@pytest.mark.parametrize("form", ["session", "duplicate"])
def test_what_flows_is_what_was_won(form: str) -> None:
    bots = {name: maker for name, maker in shipped_bots().items() if name in BOTS[:4]}
    if form == "session":
        text = practice(bots, deals=20, seed=3).matches[0].record
    else:
        text = practice_duplicate(bots, 4, seatings, seed=3, stakes=(0, 5))
    record = read(text)
    blocks = chip_flows(record.header.bots, replay_deals(record))
    assert [block.deals for block in blocks] == ([20] if form == "session" else [4] * 4)
    unit = 1 if form == "session" else UNIT
    for bot in range(4):
        won = sum(block.chips[other][bot] - block.chips[bot][other] for block in blocks for other in range(4))
        assert won == pytest.approx(record.final[bot] / unit, abs=1e-6)


def test_holm_multiplies_the_smallest_most_and_never_crosses() -> None:
    """Worked out by hand."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_permutations_find_the_exact_chance() -> None:
    """Of the 6 ways to choose 2 of 4 one has the highest sum."""
    assert permutation_p_value([4, 3], [1, 2], Random(1)) == pytest.approx(1 / 6, abs=0.05)
    assert permutation_p_value([1, 1], [1, 1], Random(1)) == 1


@given(st.integers(1, 10**400), st.integers(1, 10**400))
def test_pots_without_a_limit_do_not_overflow(one: int, other: int) -> None:
    deal = PlayedDeal(1, 0, (0, 1), 1, moves=[(0, -one), (1, -other), (0, one + other)])
    (flow,) = chip_flows(("ada", "bob"), [deal])
    assert flow.chips[0][0] + flow.chips[1][0] == pytest.approx(min(one + other, 10**100))


def test_weights_are_the_shares_in_which_chips_were_paid() -> None:
    """All share their chips in these proportions among whoever is there, but for the payer in question."""
    share = {"ada": 1.0, "bob": 2.0, "cy": 3.0, "dee": 2.0}
    blocks = []
    for absent in NAMES:
        bots = tuple(name for name in NAMES if name != absent)
        rows = tuple(
            tuple((one != other) * (99.0 if (one, other) == ("dee", "ada") else share[other]) for other in bots)
            for one in bots
        )
        blocks.append(Flow(bots, 1, rows))
    found = chip_dumping.luce_weights(blocks, NAMES)
    assert found["dee"] == pytest.approx({bot: of / 2 for bot, of in share.items()}, rel=1e-3)


def test_permutations_seldom_find_what_is_not_there() -> None:
    rng = Random(5)
    found = [permutation_p_value(_values(rng, 12), _values(rng, 8), rng) for _ in range(400)]
    assert 0.03 <= sum(p <= 0.05 for p in found) / 400 <= 0.075


def _values(rng: Random, number: int) -> Sequence[float]:
    return [rng.expovariate(1) for _ in range(number)]
