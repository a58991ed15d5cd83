"""R6: the cinch. The trump is spades."""

from __future__ import annotations

import pytest

from bourre.rules.cards import show
from bourre.rules.events import Reneged
from tests.sdk.rules.cinch_check import Findings, compare, tables
from tests.sdk.rules.cinch_check import Table as SmallTable
from tests.sdk.rules.positions import cinch, legal, position, reneges
from tests.sdk.rules.table import Table, of, stacked


@pytest.mark.parametrize(
    ("hand", "won", "seen"),
    [
        ("AS KS QS 2H 3H", 0, ""),
        ("KS QS TS 9S 8S", 0, ""),
        ("AS 2H 3H", 2, ""),
        ("AS KS 2H 3H", 1, ""),
        ("AS QS JS 2H", 1, ""),
        ("KS 2H 3H", 2, "AS"),
        ("2H 3H", 3, ""),  # three tricks won: always
    ],
)
def test_r6_1_examples_of_a_cinch_on_lead(hand: str, won: int, seen: str) -> None:
    assert cinch(position(hand, won=won, seen=seen))


@pytest.mark.parametrize(
    ("hand", "won"),
    [
        ("AS QS 2H 3H", 1),
        ("KS JS 9S 8S 7S", 0),
        ("AS KS 2H 3H 4H", 0),
        ("KS 2H 3H", 2),
        ("AH KH QH", 2),  # only trumps count
    ],
)
def test_r6_1_examples_of_no_cinch_on_lead(hand: str, won: int) -> None:
    assert not cinch(position(hand, won=won))


def test_r6_1_example_nine_led_by_another() -> None:
    asked = position("KS QS TS 8S 7S", "9S")
    assert cinch(asked)
    assert legal(asked) == "QS KS"
    assert reneges(asked) == {"7S": "R5.3", "8S": "R5.3", "TS": "R6.2"}


def test_r6_1_example_ace_led_by_another_and_one_trick_won() -> None:
    asked = position("KS QS 2H 3H", "AS", won=1)
    assert not cinch(asked)
    assert legal(asked) == "QS KS"


def test_r6_1_under_a_higher_trump_one_sure_trump_is_lost() -> None:
    # The ace is gone and must be followed: K Q J would be three tricks, one of them falls under the ace.
    assert not cinch(position("KS QS JS 2H", "AS", won=0))
    assert cinch(position("KS QS JS 2H", "AS", won=1))
    assert not cinch(position("KS QS JS 2D", "2H AS", won=0))  # ruffed, and to be followed with a trump


def test_r6_2_in_a_match_as_few_trumps_as_are_needed_are_a_cinch() -> None:
    table = Table(stacked("2H 3H 8D TC 2S", "AS KS QS 9D 3D", "KH 2C 3C 4D 5S"), seats=3)
    table.say("1 in", "2 in", "0 in")
    for legal_cards, played in (("QS KS AS", "AS 5S 2S"), ("QS KS", "QS 2C TC"), ("KS", "KS 3C 2H")):
        assert show(table.view.legal) == legal_cards
        table.play(played)


def test_r6_1_a_void_seat_that_may_ruff_keeps_all_its_trumps_in_the_count() -> None:
    assert cinch(position("AS KS QS 2H 3H", "7D"))
    assert not cinch(position("AS KS JS 2H 3H", "7D"))


def test_r6_1_a_dead_turned_card_counts_as_played_and_a_hidden_one_as_live() -> None:
    assert not cinch(position("KS QS JS 2H 3H"))
    assert cinch(position("KS QS JS 2H 3H", dead="AS"))
    assert cinch(position("KS QS JS 2H", seen="AS 2C 3C 4C 5C"))
    assert cinch(position("KS QS JS 2H 3H", "2D AS", won=1))  # in the trick in progress, it is no longer live


def test_r6_2_on_lead_with_a_cinch_the_highest_trump() -> None:
    asked = position("AS KS JS TS 2H")
    assert cinch(asked)
    assert legal(asked) == "KS AS"
    assert reneges(asked) == {"2H": "R6.2", "TS": "R6.2", "JS": "R6.2"}


def test_r6_2_in_a_trick_led_by_another_the_highest_trump_that_r5_allows() -> None:
    asked = position("AS KS QS 2H 3H", "7D")
    assert legal(asked) == "QS KS AS"
    assert reneges(asked) == {"2H": "R5.4", "3H": "R5.4"}
    assert legal(position("AS KS TS 2H", "7D", won=1)) == "KS AS"
    assert reneges(position("AS KS TS 2H", "7D", won=1)) == {"2H": "R5.4", "TS": "R6.2"}


def test_r6_2_r5_does_not_allow_a_trump_then_nothing_is_demanded() -> None:
    asked = position("AS KS QS 2H 9H", "3H")
    assert cinch(asked)
    assert legal(asked) == "9H"


def test_r6_2_last_to_the_trick_no_more_than_r5() -> None:
    assert legal(position("AS KS TS 2H", "7D 8D", won=1, playing=3)) == "TS KS AS"
    assert legal(position("AS KS TS 2H", "7D 8D", won=1, playing=4)) == "KS AS"


def test_r6_2_three_tricks_won_is_the_same_duty() -> None:
    assert legal(position("9S 2H", won=3)) == "9S"
    assert legal(position("9S 4S", "7D", won=3)) == "9S"
    assert legal(position("9S 7S", "8D", won=3, seen="8S")) == "7S 9S"
    assert legal(position("9S 4S", "TS", won=3)) == "9S"
    assert legal(position("KH 2H", won=3)) == "2H KH"


def test_r6_2_is_named_when_a_match_breaks_it() -> None:
    table = Table(stacked("2H 3H 8D TC 2S", "AS KS QS JS 9S", "KH 2C 3C 4D 6D"), seats=3)
    table.say("1 in", "2 in", "0 in")
    (reneged,) = of(Reneged, table.say("1 9S"))
    assert reneged.rule == "R6.2"
    assert [str(card) for card in reneged.legal or ()] == ["JS", "QS", "KS", "AS"]


@pytest.mark.parametrize(
    ("hand", "seen", "allowed"),
    [
        ("AS KS QS 9S 2H", "", "QS KS AS"),
        ("AS KS QS 9S", "JS TS 2C 3C 4C", "9S QS KS AS"),
        ("AS KS QS 9S", "JS 2C 3C 4C 5C", "QS KS AS"),  # the ten is still out
        ("AS QS JS 9S", "KS TS 2C 3C 4C", "9S JS QS AS"),
    ],
)
def test_r6_3_adjacent_trumps_are_as_good_as_the_highest(hand: str, seen: str, allowed: str) -> None:
    assert legal(position(hand, won=1 if seen else 0, seen=seen)) == allowed


def test_r6_3_the_trick_in_progress_counts_as_played() -> None:
    assert legal(position("AS QS 2H", "7D KS", won=1)) == "AS"  # R5.4: the king must be beaten
    assert legal(position("AS QS JS 2H", "TS", won=1, seen="KS")) == "JS QS AS"
    assert legal(position("AS JS 9S 8S", "TS", won=2, seen="KS QS")) == "JS AS"
    assert legal(position("KS JS TS", "QS", won=3, seen="AS")) == "KS"
    assert legal(position("KS JS 2H", "AS QS", won=2)) == "JS KS"  # neither beats the ace


def test_r6_3_a_dead_card_is_stepped_over() -> None:
    assert legal(position("AS KS QS TS 2H", dead="JS")) == "TS QS KS AS"


def test_r6_3_cinch_adjacent_false_the_highest_only() -> None:
    assert legal(position("AS KS QS JS 2H", cinch_adjacent=False)) == "AS"


def test_r6_3_cinch_false_turns_r6_off() -> None:
    asked = position("AS KS QS JS 2H", cinch=False)
    assert not cinch(asked)
    assert legal(asked) == "2H JS QS KS AS"


def test_r6_4_a_claim_needs_no_card_out_of_turn() -> None:
    table = Table(stacked("2H 3H 8D TC 2S", "AS KS QS JS TS", "KH 2C 3C 4D 6D"), seats=3)
    table.say("1 in", "2 in", "0 in")
    table.finish()
    assert table.match.deal.tricks is not None
    assert table.match.deal.tricks.won == {1: 5, 2: 0, 0: 0}


LONG = pytest.mark.long


@pytest.mark.parametrize(
    "table",
    [
        SmallTable(5, (4,), held=3, playing=2, laid=0),
        SmallTable(5, (4,), held=3, playing=3, laid=0),
        SmallTable(5, (4,), held=2, playing=3, laid=1),
        pytest.param(SmallTable(7, (4,), held=4, playing=2, laid=0), marks=LONG),
        pytest.param(SmallTable(8, (4,), held=5, playing=2, laid=0), marks=LONG),
        pytest.param(SmallTable(6, (3, 2), held=4, playing=2, laid=0), marks=LONG),
        pytest.param(SmallTable(5, (3, 2), held=3, playing=3, laid=1), marks=LONG),
        pytest.param(SmallTable(6, (3,), held=2, playing=4, laid=2), marks=LONG),
        pytest.param(SmallTable(5, (5,), held=2, playing=4, laid=2), marks=LONG),
    ],
    ids=str,
)
def test_r6_1_the_formula_is_exact(table: SmallTable) -> None:
    found = compare(table)
    assert 0 < found.cinches < found.asked


@pytest.mark.parametrize("size", range(4, 8))
def test_r6_1_the_formula_is_exact_on_every_small_deck(size: int) -> None:
    """`python -m tests.sdk.rules.cinch_check --cards 9` goes further."""
    found = Findings()
    for table in tables(size):
        found.add(compare(table))
    assert 0 < found.cinches < found.asked
