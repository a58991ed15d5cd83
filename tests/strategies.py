"""Hypothesis strategies for cards, hands, house rules, actions and matches."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import strategies as st

from bourre.rules.actions import Action, Declare, Draw, Fault, HandOver, Missing, NameTrump, Play, Recall, Stay, Unasked
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.house import CHOICES, MIN_SEATS, PRESETS, HouseRules
from bourre.rules.match import Match

ANSWER_FAULTS = [fault for fault in Fault if fault not in (Fault.PREMATURE, Fault.UNASKED)]


def cards() -> st.SearchStrategy[Card]:
    """Any card of the deck."""
    return st.sampled_from(DECK)


def hands(size: int = 5) -> st.SearchStrategy[tuple[Card, ...]]:
    """Hands of `size` different cards, in any order."""
    return st.permutations(DECK).map(lambda deck: tuple(deck[:size]))


def chances() -> st.SearchStrategy[SeededChance]:
    """A `SeededChance` from any seed of 32 bytes."""
    return st.binary(min_size=32, max_size=32).map(SeededChance)


def houses() -> st.SearchStrategy[HouseRules]:
    """Any house rules: every key varies independently; presets too, with any ante and pot limit."""
    keys: dict[str, st.SearchStrategy[object]] = {
        **{key: st.sampled_from(words) for key, words in CHOICES.items()},
        **{field.name: st.booleans() for field in fields(HouseRules) if isinstance(field.default, bool)},
        "first_dealer": st.sampled_from(CHOICES["first_dealer"]) | st.integers(0, MIN_SEATS - 1),
        "ante": st.integers(0, 3),
        "second_ante": st.integers(0, 2),
        "cards": st.integers(4, 5),
        "max_discards": st.integers(0, 5),
        "seven_player_limit": st.sampled_from([None, 3]),
        "pot_limit": st.none() | st.integers(1, 50),
        "renege_multiple": st.integers(1, 3),
        "fault_fine": st.integers(0, 3),
    }
    any_keys = st.fixed_dictionaries(keys).map(lambda keys: HouseRules.preset("pagat", **keys))
    presets = st.builds(
        lambda name, ante, limit: HouseRules.preset(name, ante=ante, pot_limit=limit),
        st.sampled_from(sorted(PRESETS)),
        st.integers(0, 3),
        st.none() | st.integers(1, 50),
    )
    return any_keys | presets


def matches() -> st.SearchStrategy[Match]:
    """A match that has not started: 2 to 8 seats, 1 to 4 deals; often a full table, for which cards run short."""
    return st.builds(Match, st.integers(2, 8) | st.just(8), st.integers(1, 4), houses(), chances())


def actions() -> st.SearchStrategy[Action]:
    """Any action that can be recorded, sensible or not."""
    discards = st.lists(cards(), max_size=6).map(tuple)
    return st.one_of(
        st.just(Declare(False)),
        st.builds(Declare, st.just(True), discards, st.booleans()),
        st.builds(Draw, discards, st.booleans()),
        st.builds(NameTrump, st.sampled_from(Suit)),
        st.builds(Stay, st.booleans()),
        st.builds(Play, cards()),
        st.builds(Recall, cards()),
        st.builds(Missing, st.sampled_from(Fault)),
        st.builds(Unasked, st.sampled_from(Fault)),
        st.just(HandOver()),
    )
