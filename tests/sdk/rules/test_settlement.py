"""Settlement compared with a second one, over random deals and keys."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bourre.rules.house import HouseRules
from bourre.rules.pot import settle
from tests.long_tests import parts
from tests.sdk.rules.reckoning import Reckoning


@pytest.mark.parametrize("chunk", parts(1, 5))
def test_no_difference_under_random_keys(chunk: int) -> None:
    """100,000 deals in all, each with keys of its own; a fifth of them in every run."""
    rng = Random(f"settlement {chunk}")
    met = Counter[str]()
    for _ in range(20_000):
        met.update(compare(random_deal(rng)))
    assert min(met.values()) > 200, met
    assert len(met) == 9, met


def random_deal(rng: Random) -> Reckoning:
    """Two to eight seats, the tricks of a deal, reneges of all kinds."""
    seats = "ABCDEFGH"[: rng.randint(2, 8)]
    tricks = dict.fromkeys(rng.sample(seats, len(seats)), 0)
    favoured = rng.sample(seats, rng.randint(1, len(seats)))
    keys = random_keys(rng)
    for _ in range(keys.cards):
        tricks[rng.choice(favoured)] += 1
    uncorrected = [seat for seat in seats if rng.random() < 0.15]
    corrected = [rng.choice(seats) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))]
    return Reckoning(rng.choice((0, 1, 7, rng.randint(2, 60))), tricks, uncorrected, corrected, keys)


def random_keys(rng: Random) -> HouseRules:
    """House rules in which every key that matters to settlement varies."""
    return HouseRules(
        cards=rng.choice((4, 5)),
        tie=rng.choice(("carry", "divide")),
        pot_limit=rng.choice((None, 20, rng.randint(1, 40))),
        renege_multiple=rng.choice((1, 1, 2, 3)),
        renege_pot=rng.choice(("carry", "next_best")),
        exempt_bourre=rng.random() < 0.7,
        exempt_tied=rng.random() < 0.7,
    )


def compare(deal: Reckoning) -> list[str]:
    """Asserts that both settle alike; returns the names of the kinds of deal that this is."""
    deal.settle()
    result = settle(deal.pot, deal.tricks, deal.uncorrected, deal.corrected, deal.keys)
    assert result.winner == deal.winner, deal
    assert result.taken == deal.taken, deal
    assert result.carry == deal.left, deal
    assert result.payments == deal.paid, deal
    assert set(result.exempt) == deal.exempt, deal
    assert set(result.tied) == deal.tied, deal
    assert list(result.forfeit_deal) == deal.corrected, deal
    assert result.next_pot == deal.left + sum(deal.paid.values()), deal
    assert len(set(result.exempt)) == len(result.exempt), deal
    return kinds(deal)


def kinds(deal: Reckoning) -> list[str]:
    """Names of what is interesting in a deal."""
    top = max(deal.tricks.values())
    leaders = [seat for seat, won in deal.tricks.items() if won == top]
    barred = [seat for seat in leaders if deal.is_barred(seat)]
    bourred = [seat for seat, won in deal.tricks.items() if won == 0]
    names = {
        "won": deal.winner is not None,
        "tied": len(deal.tied) > 1,
        "divided": deal.winner is None and sum(deal.taken.values()) > 0,
        "limited": sum(deal.taken.values()) > 0 and deal.left > 0,
        "barred alone on top": len(leaders) == 1 and bool(barred),
        "barred among the top": len(leaders) > 1 and bool(barred),
        "next best": deal.winner is not None and deal.winner not in leaders,
        "bourré and renege": any(seat in deal.uncorrected for seat in bourred),
        "corrected and uncorrected": any(seat in deal.uncorrected for seat in deal.corrected),
    }
    return [name for name, holds in names.items() if holds]
