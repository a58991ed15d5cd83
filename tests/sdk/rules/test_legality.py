"""The rules compared with the literal judge: legal cards, cinches, and the rule that an illegal card breaks."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bourre.rules.cards import Suit, card_set, cards_in, parse_cards
from bourre.rules.house import HouseRules
from bourre.rules.tricks import Position, broken_rule, is_cinch, legal_plays
from tests.long_tests import parts
from tests.sdk.rules import judge
from tests.sdk.rules.judge import Case
from tests.sdk.rules.random_cases import random_case, random_play_keys

CHUNK = 6_250


@pytest.mark.parametrize("chunk", parts(1, 16))
def test_no_difference_at_the_defaults(chunk: int) -> None:
    """100,000 positions, a sixteenth of them in every run."""
    rng, keys = Random(f"legality {chunk}"), HouseRules()
    met = Counter[str]()
    for _ in range(CHUNK):
        met.update(compare(random_case(rng, keys)))
    assert_all_common(met, CHUNK // 125)


@pytest.mark.parametrize("chunk", parts(2, 32))
def test_no_difference_under_random_keys(chunk: int) -> None:
    """200,000 positions, each with keys of its own, four cards or five; a sixteenth of them in every run."""
    rng = Random(f"keys {chunk}")
    met = Counter[str]()
    for _ in range(CHUNK):
        met.update(compare(random_case(rng, random_play_keys(rng), dead=True)))
    assert_all_common(met, CHUNK // 200)
    assert met["R5.6"] > CHUNK // 200


def compare(case: Case) -> set[str]:
    """Asserts that rules and judge agree; returns the names of the kinds of position that this is."""
    position = Position(
        hand=card_set(parse_cards(" ".join(case.hand))),
        trick=parse_cards(" ".join(case.trick)),
        trump=Suit.parse(case.trump),
        playing=case.playing,
        tricks_won=case.won,
        seen=card_set(parse_cards(" ".join(case.seen))),
        dead=card_set(parse_cards(" ".join(case.dead))),
        house=case.keys,
    )
    allowed = legal_plays(position)
    ruled = {
        str(card): None if allowed >> card & 1 else broken_rule(card, position) for card in cards_in(position.hand)
    }
    assert ruled == judge.verdicts(case), case
    assert is_cinch(position) == judge.cinch(case), case
    return kinds(case, set(filter(None, ruled.values())))


def kinds(case: Case, broken: set[str]) -> set[str]:
    """Names of what is interesting in a position, and the rules that its illegal cards break."""
    cinch, demanded = judge.cinch(case), judge.cinch_cards(case)
    found = {"lead" if not case.trick else "follow", *broken}
    if demanded:
        found.add("lead with a cinch" if not case.trick else "cinch in a trick led by another")
        found |= {"adjacent trumps"} if len(demanded) > 1 else set()
        found |= {"three tricks won"} if case.won >= 3 else set()
    if case.trick:
        found |= following_kinds(case, cinch)
    if not broken:
        found.add("nothing forbidden")
    return found


def following_kinds(case: Case, cinch: bool) -> set[str]:
    """Names of what is interesting in a trick led by another."""
    found = set()
    suit = case.of_suit(case.trick[0][1])
    ruffed = case.trick[0][1] != case.trump and any(card[1] == case.trump for card in case.trick)
    beaten = any(map(case.wins_over_all_in_the_trick, case.trumps))
    if not suit and case.trumps:
        found.add("overtrump" if ruffed and beaten else "undertrump" if ruffed else "ruff")
    if suit and ruffed:
        found.add("follow a trumped trick")
    if suit and case.trick[0][1] == case.trump:
        found.add("trump led")
    if len(case.trick) + 1 == case.playing and cinch:
        found.add("last with a cinch")
    if not cinch and case.keys.cinch and case.won + judge.sure(case.trumps, case.live) >= 3:
        found.add("a cinch lost under a higher trump")
    return found


def assert_all_common(met: Counter[str], least: int) -> None:
    """Fails if a kind of position came up too rarely for the comparison to mean much."""
    wanted = ["lead", "follow", "lead with a cinch", "cinch in a trick led by another", "adjacent trumps"]
    wanted += ["three tricks won", "overtrump", "undertrump", "ruff", "follow a trumped trick", "trump led"]
    wanted += ["last with a cinch", "nothing forbidden", "R5.2", "R5.3", "R5.4", "R6.2"]
    assert {kind: met[kind] for kind in wanted if met[kind] < least} == {}
    assert met["a cinch lost under a higher trump"] >= least // 4
