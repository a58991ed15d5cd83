"""How certain a ranking is: the bootstrap draws whole blocks, and is exact however many chips there are."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from bourre_referee.statistics.bootstrap import MAX_CHIPS, TableBlock, bootstrap_ranking

BOTS = tuple(f"bot-{number}" for number in range(9))


def blocks(rng: Random, number: int, chips: int) -> list[TableBlock]:
    """Blocks of three, often equal; some bots sit in few of them."""
    return [
        TableBlock(tuple(rng.sample(BOTS, 3)), tuple(rng.randint(-chips, chips) for _ in range(3)), rng.randint(1, 3))
        for _ in range(number)
    ]


def rates(drawn: Sequence[TableBlock], bots: Sequence[str]) -> list[float]:
    """Chips per deal by the words of the definition."""
    found = []
    for bot in bots:
        own = [block for block in drawn if bot in block.bots]
        chips = sum(block.chips[block.bots.index(bot)] for block in own)
        found.append(min(max(chips, -MAX_CHIPS), MAX_CHIPS) / sum(block.deals for block in own) if own else 0.0)
    return found


def ranks(of: Sequence[float]) -> list[int]:
    """The ranks of these rates; 1 is best."""
    return [1 + sum(other > one for other in of) for one in of]


@pytest.mark.parametrize("chips", [1, 10**6, 2**60, 10**400])
@pytest.mark.parametrize("absent", [(), BOTS[2:4]])
def test_a_ranking_follows_the_draws_of_the_standard_library(chips: int, absent: Sequence[str]) -> None:
    known, bots = blocks(Random(chips % 97), 30, chips), [bot for bot in BOTS if bot not in absent]
    found, rng = bootstrap_ranking(known, 5, 50, absent), Random(5)
    drawn = [rates(rng.choices(known, k=len(known)), bots) for _ in range(50)]
    assert found is not None
    observed = rates(known, bots)
    by_bot = {rank.bot: rank for rank in found.ranks}
    assert [by_bot[bot].rank for bot in bots] == ranks(observed)
    assert [by_bot[bot].again for bot in bots] == [
        sum(ranks(each)[bot] == ranks(observed)[bot] for each in drawn) / 50 for bot in range(len(bots))
    ]
    for number, bot in enumerate(bots):
        ordered = sorted(ranks(each)[number] for each in drawn)
        assert by_bot[bot].interval == (ordered[1], ordered[-2])
    assert found.again == sum(ranks(each) == ranks(observed) for each in drawn) / 50
    for row, one in zip(found.above, (bots.index(rank.bot) for rank in found.ranks), strict=True):
        for share, other in zip(row, (bots.index(rank.bot) for rank in found.ranks), strict=True):
            assert share == sum((each[one] > each[other]) + (each[one] == each[other]) / 2 for each in drawn) / 50


def test_a_ranking_is_as_ever() -> None:
    """Twelve blocks of three of four bots, one of which is absent."""
    names = ("ada", "bob", "cy", "dee")
    known = [
        TableBlock(
            tuple(name for name in names if name != names[number % 4]),
            (7 * number % 11 - 5, 5 * number % 9 - 4, number % 3 - 1),
            1 + number % 3,
        )
        for number in range(12)
    ]
    found = bootstrap_ranking(known, seed=7, resamples=200, absent=["dee"])
    assert found is not None
    assert [(rank.bot, rank.rank, rank.interval, rank.again) for rank in found.ranks] == [
        ("ada", 1, (1, 3), 0.75),
        ("cy", 2, (1, 3), 0.37),
        ("bob", 3, (1, 3), 0.515),
    ]
    assert found.above == ((0.5, 0.79, 0.895), (0.21, 0.5, 0.5725), (0.105, 0.4275, 0.5))
    assert (found.again, found.blocks, found.resamples) == (0.36, 12, 200)


def test_resamples_follow_from_the_seed() -> None:
    known = blocks(Random(2), 20, 10)
    assert bootstrap_ranking(known, seed=1) == bootstrap_ranking(known, seed=1)
    assert bootstrap_ranking(known, seed=1) != bootstrap_ranking(known, seed=2)
    assert bootstrap_ranking(known[:1]) is None
