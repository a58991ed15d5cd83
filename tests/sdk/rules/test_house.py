"""House rules: every key, its bad values, the presets."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.cards import DECK
from bourre.rules.errors import InvalidHouse, unknown
from bourre.rules.house import CHOICES, MAX_SEATS, MIN_SEATS, PRESETS, RANGES, HouseRules, check_preset
from tests.strategies import houses

KEYS = [field.name for field in fields(HouseRules)]
FLAGS = [field.name for field in fields(HouseRules) if isinstance(field.default, bool)]


def test_the_defaults_are_those_of_the_rules() -> None:
    house = HouseRules()
    assert [key for key in FLAGS if getattr(house, key)] == [
        "exempt_bourre",
        "exempt_tied",
        "must_beat",
        "must_overtrump",
        "cinch",
        "cinch_adjacent",
    ]
    assert {key: getattr(house, key) for key in CHOICES} == {key: words[0] for key, words in CHOICES.items()}
    assert {key: getattr(house, key) for key in RANGES} == {
        "ante": 1,
        "second_ante": 0,
        "cards": 5,
        "max_discards": 5,
        "seven_player_limit": None,
        "pot_limit": None,
        "renege_multiple": 1,
        "fault_fine": 0,
    }
    assert sorted([*FLAGS, *CHOICES, *RANGES]) == sorted(KEYS)


@pytest.mark.parametrize("key", FLAGS)
@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_a_key_that_is_true_or_false(key: str, value: object) -> None:
    with pytest.raises(InvalidHouse, match=rf"^{key} = .* is not allowed\.\nhint: use true or false$"):
        HouseRules.preset("pagat", **{key: value})


@pytest.mark.parametrize("key", CHOICES)
@pytest.mark.parametrize("value", ["", "nonsense", None, True, 1.5, ["always"]])
def test_a_key_that_is_a_choice_of_words(key: str, value: object) -> None:
    with pytest.raises(
        InvalidHouse,
        match=rf"^{key} = .* is not allowed\.\nhint: use one of '{CHOICES[key][0]}', '.*'(, or a seat number)?$",
    ):
        HouseRules.preset("pagat", **{key: value})


@pytest.mark.parametrize("key", RANGES)
def test_a_key_that_is_a_number(key: str) -> None:
    least, most = RANGES[key]
    for value in (least - 1, most + 1, "3", 3.0, True, "many"):
        with pytest.raises(
            InvalidHouse, match=rf"^{key} = .* is not allowed\.\nhint: use (a whole number from )?{least}"
        ):
            HouseRules.preset("pagat", **{key: value})


def test_words_for_the_value_that_was_given() -> None:
    assert refusal(ante=-1) == "ante = -1 is not allowed.\nhint: use a whole number from 0 to 1000000"
    assert refusal(ante=None) == "ante = none is not allowed.\nhint: use a whole number from 0 to 1000000"
    assert refusal(ante=True) == "ante = true is not allowed.\nhint: use a whole number from 0 to 1000000"
    assert (
        refusal(pot_limit=0) == "pot_limit = 0 is not allowed.\nhint: use a whole number from 1 to 1000000000 or 'none'"
    )
    assert refusal(seven_player_limit=4) == "seven_player_limit = 4 is not allowed.\nhint: use 3 or 'none'"
    assert refusal(cinch="yes") == "cinch = 'yes' is not allowed.\nhint: use true or false"
    assert refusal(tie="share") == "tie = 'share' is not allowed.\nhint: use one of 'carry', 'divide'"
    assert refusal(first_dealer=8) == "first_dealer = 8 is not allowed.\nhint: use a seat from 0 to 7"


@pytest.mark.parametrize("key", ["pot_limit", "seven_player_limit"])
def test_none_may_be_written_as_a_word(key: str) -> None:
    assert getattr(HouseRules.preset("limit", **{key: "none"}), key) is None
    assert getattr(HouseRules.preset("limit", **{key: None}), key) is None


@pytest.mark.parametrize(("key", "meant"), [("pot_limt", "pot_limit"), ("must_overtrumps", "must_overtrump")])
def test_an_unknown_key_did_you_mean(key: str, meant: str) -> None:
    assert refusal(**{key: 1}) == f"Unknown house rule {key!r}. Did you mean {meant!r}?"


def test_an_unknown_key_like_no_other_names_them_all() -> None:
    message = refusal(zzz=1)
    assert message.startswith("Unknown house rule 'zzz'. House rules: first_dealer, ante, ")
    assert all(key in message for key in KEYS)


def test_a_word_of_which_none_is_known_has_no_list() -> None:
    assert unknown("remote bot", "ada", ()) == "Unknown remote bot 'ada'. There are no remote bots."


@pytest.mark.parametrize(("name", "meant"), [("pagatt", "pagat"), ("limits", "limit"), ("wiki", "wikipedia")])
def test_an_unknown_preset_did_you_mean(name: str, meant: str) -> None:
    with pytest.raises(InvalidHouse, match=rf"^Unknown preset '{name}'\. Did you mean '{meant}'\?$"):
        HouseRules.preset(name)


def test_presets_only_set_keys() -> None:
    assert HouseRules.preset() == HouseRules.preset("pagat") == HouseRules()
    assert HouseRules.preset("limit") == HouseRules(pot_limit=20)
    assert HouseRules.preset("limit", pot_limit=7, ante=2) == HouseRules(pot_limit=7, ante=2)
    assert all(set(keys) <= set(KEYS) for keys in PRESETS.values())


def test_every_preset_is_that_of_the_table() -> None:
    dead = {"trump_card": "separate_dead"}
    separate = {"declare_mode": "separate"}
    no_exempt = {"exempt_bourre": False, "exempt_tied": False}
    wikipedia = {"must_trump": "if_can_win", "seven_player_limit": 3, "recycle": "folded_first"}
    indiana = {"cards": 4, "second_ante": 1, "must_hold": "trump_or_club", "max_discards": 3, "second_pass": True}
    booray = {"cards": 4, "max_discards": 4, "must_beat": False, "must_trump": "never", "cinch": False}
    expected = {
        "pagat": {},
        "limit": {"pot_limit": 20},
        "double_ante": {"second_ante": 1, **no_exempt},
        "separate_rounds": separate,
        "simultaneous": {"declare_mode": "simultaneous"},
        "separate_dead": dead,
        "separate_dealer_option": {"trump_card": "separate_dealer_option"},
        "wikipedia": {**separate, **wikipedia},
        "bicycle": {**separate, **dead, "max_discards": 4, "lead_honour": "any"},
        "nba": {**separate, "trump_card": "dealer_chooses"},
        "indiana": {**separate, **dead, **indiana, "renege_multiple": 2},
        "booray": {**separate, **dead, **booray, "ante_when": "pot_empty", **no_exempt},
    }
    assert expected == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_played(name: str) -> None:
    assert HouseRules.preset(name, ante=2).ante == 2


def test_the_first_dealer_may_be_a_seat_of_the_table_only() -> None:
    HouseRules(first_dealer=2).check_seats(3)
    with pytest.raises(InvalidHouse, match=r"^first_dealer = 3 is no seat of this table \(R1.3\)\.\nhint: use 0 to 2$"):
        HouseRules(first_dealer=3).check_seats(3)


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_more_seats_than_the_deck_feeds_and_fewer_than_two_are_refused(seats: int) -> None:
    with pytest.raises(InvalidHouse, match=rf"^{seats} seats cannot play Bourré \(R1.1\)\.\nhint: use 2 to 8 seats$"):
        HouseRules().check_seats(seats)


@given(houses(), st.integers(MIN_SEATS, MAX_SEATS))
def test_whatever_is_not_refused_the_deck_holds(house: HouseRules, seats: int) -> None:
    left = len(DECK) - seats * house.cards - (house.trump_card not in ("dealer_fifth", "dealer_chooses"))
    assert left >= house.cards  # so that the last to draw finds a new hand in the stock or in the others' discards


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_may_be_for_fewer_seats(name: str) -> None:
    check_preset(name, 7)
    if name != "wikipedia":
        check_preset(name, 8)
        return
    words = (
        "Preset 'wikipedia' is for 2 to 7 seats, not 8.\nhint: use 7 seats or fewer, or set its keys on top of 'pagat'"
    )
    with pytest.raises(InvalidHouse, match=f"^{words}$"):
        check_preset(name, 8)


@given(houses())
def test_the_repr_constructs(house: HouseRules) -> None:
    assert eval(repr(house)) == house
    assert hash(house) == hash(eval(repr(house)))


@pytest.mark.parametrize(("limit", "chips"), [(None, 30), (20, 20), (40, 30)])
def test_limited(limit: int | None, chips: int) -> None:
    assert HouseRules(pot_limit=limit).limited(30) == chips


def refusal(**keys: Any) -> str:
    """The words in which these keys are refused."""
    with pytest.raises(InvalidHouse) as error:
        HouseRules.preset("pagat", **keys)
    return str(error.value)
