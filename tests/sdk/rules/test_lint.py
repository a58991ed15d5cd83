"""House rules that can be played but are hardly intended: each warning has a reason, and its fix works."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.lint import lint
from tests.strategies import houses

NO_EXEMPTIONS = {"exempt_bourre": False, "exempt_tied": False}

CASES: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    (
        {"ante": 0},
        "ante = 0 with second_ante = 0: no chips ever enter the pot (R2.1).\nhint: set ante = 1",
        {"ante": 1},
    ),
    (
        {"ante": 0, "second_ante": 2, "dealer_antes_all": True},
        "dealer_antes_all = true with ante = 0: the dealer pays nothing (R2.3).\nhint: set ante = 1",
        {"ante": 1, "fault_fine": 10, **NO_EXEMPTIONS},
    ),
    (
        {"dealer_antes_all": True},
        "dealer_antes_all = true with fault_fine = 0: a bot that forfeits its deals avoids everyone's antes, "
        "so a fault can pay off (R8.6).\nhint: set fault_fine = 10",
        {"fault_fine": 10},
    ),
    (
        {"dealer_antes_all": True, "ante": 200_000},
        "dealer_antes_all = true with fault_fine = 0: a bot that forfeits its deals avoids everyone's antes, "
        "so a fault can pay off (R8.6).\nhint: set fault_fine = 1000000",
        {"fault_fine": 1_000_000},
    ),
    (
        {"ante": 0, "second_ante": 2, "ante_when": "pot_empty"},
        "ante_when = 'pot_empty' with ante = 0: no ante is ever paid (R2.5).\nhint: set ante = 1",
        {"ante": 1, **NO_EXEMPTIONS},
    ),
    (
        {"second_ante": 2},
        "second_ante = 2 with exempt_bourre and exempt_tied: with a second ante, every seat pays the first one "
        "(R2.2).\nhint: set exempt_bourre = false, exempt_tied = false",
        NO_EXEMPTIONS,
    ),
    (
        {"second_ante": 1, "exempt_bourre": False},
        "second_ante = 1 with exempt_tied: with a second ante, every seat pays the first one "
        "(R2.2).\nhint: set exempt_tied = false",
        {"exempt_tied": False},
    ),
    (
        {"second_ante": 1, "exempt_tied": False},
        "second_ante = 1 with exempt_bourre: with a second ante, every seat pays the first one "
        "(R2.2).\nhint: set exempt_bourre = false",
        {"exempt_bourre": False},
    ),
    (
        {"pot_limit": 9, "ante": 2},
        "pot_limit = 9: less than the 10 chips of 5 antes, so the pot grows from deal to deal (R7.4).\n"
        "hint: set pot_limit = 10 or more",
        {"pot_limit": 10},
    ),
    (
        {"second_pass": True},
        "second_pass = true with second_ante = 0: staying after the draw costs nothing (R4.9).\n"
        "hint: set second_ante = 1",
        {"second_ante": 1, **NO_EXEMPTIONS},
    ),
    (
        {"seven_player_limit": 3, "max_discards": 3},
        "seven_player_limit = 3: max_discards = 3 allows no more anyway (R4.3).\nhint: set seven_player_limit = 'none'",
        {"seven_player_limit": None},
    ),
    (
        {"seven_player_limit": 3},
        "seven_player_limit = 3: it applies to 7 seats or more, and this table has 5 "
        "(R4.3).\nhint: set seven_player_limit = 'none'",
        {"seven_player_limit": None},
    ),
    (
        {"trump_card": "separate_dealer_option", "max_discards": 0},
        "trump_card = 'separate_dealer_option' with max_discards = 0: a dealer who may not discard can never take the "
        "turned card (R3.2).\nhint: set max_discards = 1 or more, or trump_card = 'separate_dead'",
        {"max_discards": 1},
    ),
    (
        {"must_beat": False},
        "must_overtrump = true with must_beat = false: it has no effect without must_beat, so any trump will do "
        "(R5.4).\nhint: set must_beat = true, or must_overtrump = false",
        {"must_overtrump": False},
    ),
    (
        {"lead_honour_when": "first"},
        "lead_honour_when = 'first': no honour has to be led at all (R5.6).\nhint: set lead_honour = 'any'",
        {"lead_honour": "any"},
    ),
    (
        {"cinch": False, "cinch_adjacent": False},
        "cinch_adjacent = false with cinch = false: there is no cinch (R6.3).\nhint: set cinch = true",
        {"cinch": True},
    ),
    (
        {"renege_multiple": 2, "renege_policy": "retract"},
        "renege_multiple = 2 with renege_policy = 'retract': taking a card back costs nothing, unlike a second "
        "illegal card or none at all (R8.4).\nhint: set renege_policy = 'retract_renege'",
        {"renege_policy": "retract_renege"},
    ),
    (
        {"renege_pot": "next_best", "renege_policy": "retract"},
        "renege_pot = 'next_best' with renege_policy = 'retract': taking a card back costs nothing, unlike a "
        "second illegal card or none at all (R8.4).\nhint: set renege_policy = 'retract_renege'",
        {"renege_policy": "retract_renege"},
    ),
]
"""Keys that change `pagat` at a table of five, the warning about them, and keys that follow its advice."""


@pytest.mark.parametrize(("keys", "said", "fix"), CASES, ids=[said.partition(":")[0] for _, said, _ in CASES])
def test_each_doubt_has_its_reason_and_a_fix_that_is_one(keys: dict[str, Any], said: str, fix: dict[str, Any]) -> None:
    assert lint(HouseRules(**keys), 5) == (said,)
    assert lint(HouseRules(**{**keys, **fix}), 5) == ()


@pytest.mark.parametrize(
    "keys",
    [
        {"cards": 4},  # nobody can discard the fifth card of `max_discards`
        {"cinch": False},  # its default says nothing about cinch_adjacent
        {"must_beat": False, "must_trump": "never"},
        {"ante": 0, "second_ante": 1},
        {"must_hold": "trump_or_club", "trump_card": "dealer_chooses"},
        {"must_hold": "trump_or_club", "declare_mode": "simultaneous"},
        {"second_pass": True, "second_ante": 1, "declare_mode": "turn", **NO_EXEMPTIONS},
        {"ante_when": "pot_empty", "pot_limit": 1},
        {"pot_limit": 5},
        {"max_discards": 0, "trump_card": "separate_dead"},
        {"renege_multiple": 2, "renege_policy": "silent"},
        {"dealer_antes_all": True, "ante_when": "pot_empty", "fault_fine": 1},
        {"tie": "divide"},  # the card-games site: the pot is split, and those who tied post no ante
        {"tie": "divide", "exempt_tied": False},
        {"first_dealer": 4},
    ],
    ids=str,
)
def test_what_can_well_be_meant_is_let_be(keys: dict[str, Any]) -> None:
    assert lint(HouseRules(**keys), 5) == ()


def test_one_word_of_the_rules_is_no_doubt_unless_it_is_told_above() -> None:
    told = [keys for keys, _, _ in CASES if len(keys) == 1]
    flags = [field.name for field in fields(HouseRules) if isinstance(field.default, bool)]
    keys: list[dict[str, Any]] = [{key: word} for key, words in CHOICES.items() for word in words]
    keys += [{key: value} for key in flags for value in (True, False)]
    assert [key for key in keys if lint(HouseRules(**key), 7)] == [key for key in keys if key in told]


def test_doubts_of_the_presets() -> None:
    told = {name: lint(HouseRules.preset(name)) for name in PRESETS}
    assert [name for name, said in told.items() if said] == ["indiana"]
    assert [said.partition(":")[0] for said in told["indiana"]] == [
        "second_ante = 1 with exempt_bourre and exempt_tied"
    ]
    assert lint(HouseRules.preset("wikipedia"), 7) == ()


@pytest.mark.parametrize(("seats", "doubted"), [(None, False), (6, True), (7, False), (8, False)])
def test_the_limit_of_seven_seats_is_doubted_below_seven(seats: int | None, doubted: bool) -> None:
    assert bool(lint(HouseRules(seven_player_limit=3), seats)) == doubted


@pytest.mark.parametrize(("seats", "doubted"), [(None, False), (2, False), (7, False), (8, True)])
def test_a_pot_limit_is_measured_by_the_antes_of_the_table(seats: int | None, doubted: bool) -> None:
    assert bool(lint(HouseRules(pot_limit=7), seats)) == doubted


@given(houses(), st.none() | st.integers(2, 8))
def test_every_doubt_names_a_key_a_fix_and_a_rule(house: HouseRules, seats: int | None) -> None:
    keys = {field.name for field in fields(HouseRules)}
    for doubt in lint(house, seats):
        warning, _, hint = doubt.partition(".\nhint: set ")
        key = warning.partition(" = ")[0]
        assert key in keys
        assert hint
        for written in re.findall(r"\w+ = [\w']+", doubt):
            HouseRules.preset(**tomllib.loads(written))
        assert re.search(r"\(R[1-8]\.[1-9]\d?\)$", warning)
