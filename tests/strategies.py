"""Hypothesis strategies for the things of the game: cards, hands, house rules, actions, matches."""

from __future__ import annotations

from hypothesis import strategies as st

from bourre.rules.actions import Action, Declare, Draw, Fault, HandOver, Missing, Play, Unasked
from bourre.rules.cards import DECK, Card
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match

ANSWER_FAULTS = [fault for fault in Fault if fault not in (Fault.PREMATURE, Fault.UNASKED)]


def cards() -> st.SearchStrategy[Card]:
    """Any of the 52."""
    return st.sampled_from(DECK)


def hands(size: int = 5) -> st.SearchStrategy[tuple[Card, ...]]:
    """That many different cards, in any order."""
    return st.permutations(DECK).map(lambda deck: tuple(deck[:size]))


def chances() -> st.SearchStrategy[SeededChance]:
    """Chance from any seed of 32 bytes."""
    return st.binary(min_size=32, max_size=32).map(SeededChance)


def base_houses() -> st.SearchStrategy[HouseRules]:
    """The presets `pagat` and `limit`, with any ante, number of discards and pot limit."""
    keys = st.fixed_dictionaries(
        {"ante": st.integers(0, 3), "max_discards": st.integers(0, 5)},
        optional={"pot_limit": st.integers(1, 50)},
    )
    return st.builds(lambda name, keys: HouseRules.preset(name, **keys), st.sampled_from(["pagat", "limit"]), keys)


def houses() -> st.SearchStrategy[HouseRules]:
    """Any house rules that can be played so far."""
    return st.builds(
        HouseRules,
        ante=st.integers(0, 3),
        exempt_bourre=st.booleans(),
        exempt_tied=st.booleans(),
        max_discards=st.integers(0, 5),
        must_beat=st.booleans(),
        must_overtrump=st.booleans(),
        must_trump=st.sampled_from(["always", "if_can_win", "never"]),
        lead_honour=st.sampled_from(["none", "any", "highest"]),
        lead_honour_when=st.sampled_from(["every", "first"]),
        cinch=st.booleans(),
        cinch_adjacent=st.booleans(),
        tie=st.sampled_from(["carry", "divide"]),
        pot_limit=st.none() | st.integers(1, 50),
        renege_multiple=st.integers(1, 3),
        renege_pot=st.sampled_from(["carry", "next_best"]),
    )


def matches() -> st.SearchStrategy[Match]:
    """A match that has not been started: 2 to 8 seats, 1 to 4 deals."""
    return st.builds(Match, st.integers(2, 8), st.integers(1, 4), base_houses() | houses(), chances())


def actions() -> st.SearchStrategy[Action]:
    """Any action that can be written down, sensible or not."""
    discards = st.lists(cards(), max_size=6).map(tuple)
    return st.one_of(
        st.just(Declare(False)),
        st.builds(Declare, st.just(True), discards),
        st.builds(Draw, discards),
        st.builds(Play, cards()),
        st.builds(Missing, st.sampled_from(Fault)),
        st.builds(Unasked, st.sampled_from(Fault)),
        st.just(HandOver()),
    )
