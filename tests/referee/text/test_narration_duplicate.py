"""Matches of format `duplicate` in words: who sits where, the stakes, and nothing that refers to a next deal."""

from __future__ import annotations

import re

import pytest

from bourre.record import Header, Record, read
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre.rules.pot import UNIT
from bourre.words.table_words.readers import exact_chips
from bourre_referee.text.narration.deal_text import match_lines
from tests.sdk.recorded import recorded_duplicate

BOTS = ("ada", "bob", "cy")
INTRODUCTION = """\
Format duplicate: each deal is played 3 times, and every bot sits once in every seat.
Each time it begins with an empty pot, and what is left in the pot is shared equally among all seats (R7.6).
No exemption from an ante and no forfeited turn to deal lasts beyond the deal (R1.4, R2.2).
"""


def played(*stakes: int, mischief: float = 0.0, deals: int = 2, **keys: object) -> Record:
    """A match of three bots that move by one seat from seating to seating."""
    header = Header(
        "m0001", BOTS, deals, master_seed(3), HouseRules.preset("limit", **keys), "duplicate", stakes or (0,)
    )
    return read(recorded_duplicate(header, 3, mischief))


def told(record: Record, only: int | None = None) -> str:
    return "".join(f"{line}\n" for line in match_lines(record, only))


def headings(text: str) -> list[str]:
    return [line.partition(":")[0] for line in text.splitlines() if line.startswith("Deal ")]


def test_every_seating_is_named_and_told_with_its_own_line_up() -> None:
    record = played()
    text = told(record)
    assert headings(text) == [f"Deal {deal} of 2, seating {one} of 3" for deal in (1, 2) for one in (1, 2, 3)]
    for deal, words in zip(record.deals, text.split("\nDeal ")[1:], strict=True):
        seats = dict(re.findall(r"^  (\d) (\w+)", words, re.MULTILINE))
        assert seats == {str(seat): BOTS[bot] for seat, bot in enumerate(deal.line_up or ())}


def test_one_deal_is_told_in_all_its_seatings_and_without_the_totals() -> None:
    record = played()
    text = told(record, 2)
    assert headings(text) == [f"Deal 2 of 2, seating {one} of 3" for one in (1, 2, 3)]
    assert text.startswith(INTRODUCTION)
    assert "the match ends" not in text
    assert text.partition("\n\n")[2].partition("\n\n(D) dealer")[0] in told(record)


@pytest.mark.parametrize(
    ("stakes", "words"),
    [
        ((0,), ""),
        ((0, 1), "Stakes: before the antes every seat pays 0 or 1 chip. The seed chooses for each deal.\n"),
        ((0, 1, 4), "Stakes: before the antes every seat pays 0, 1 or 4 chips. The seed chooses for each deal.\n"),
        ((4,), "Stakes: before the antes every seat pays 4 chips. The seed chooses for each deal.\n"),
    ],
)
def test_the_format_and_its_stakes_are_explained(stakes: tuple[int, ...], words: str) -> None:
    assert told(played(*stakes)).startswith(f"{INTRODUCTION}{words}\nDeal 1")


def test_a_stake_is_told_from_an_ante() -> None:
    assert told(played(4)).count(", pot 15 (stakes 12, 4 from each seat; antes 3)\n") == 6
    assert told(played(4, ante_when="pot_empty")).count(", pot 12 (stakes 12, 4 from each seat)\n") == 6
    assert told(played(4, dealer_antes_all=True)).count("; antes 3, all paid by the dealer)\n") == 6


def test_nothing_is_told_of_a_next_deal() -> None:
    text = told(played(deals=12, mischief=0.3, renege_policy="silent", fault_fine=1))
    for word in ("next", "carried", "exempt ", "balances"):
        assert word not in text.removeprefix(INTRODUCTION)
    for words in (
        "cannot win this pot (R8.2)",
        "spoke before its turn (R4.7)",
        "into the pot: bourré",
        "into the pot: fines",
    ):
        assert words in text


def test_the_cards_drawn_for_the_first_deal_are_told_in_every_seating() -> None:
    deals = told(played(first_dealer="low_card")).split("\nDeal ")[1:]
    assert ["\ndrawn for the first deal: " in deal for deal in deals] == [True] * 6


@pytest.mark.parametrize(
    ("units", "words"),
    [(0, "+0"), (UNIT, "+1"), (-2 * UNIT, "-2"), (210, "+1/4"), (-280, "-1/3"), (UNIT + 560, "+1 2/3"), (-1, "-1/840")],
)
def test_chips_are_told_to_the_exact_fraction(units: int, words: str) -> None:
    assert exact_chips(units) == words
