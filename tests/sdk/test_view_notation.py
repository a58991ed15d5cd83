"""Views from a line of text, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.actions import HandOver, Unasked
from bourre.rules.cards import Card, Suit, parse_cards, show
from bourre.rules.deck import SeededChance
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import Renege, View
from bourre.sampling import sample_deals
from bourre.testing import ViewTextError, view, view_text
from bourre.words.view_notation.notation_values import show_house
from bourre.words.view_notation.notation_words import join
from bourre.words.view_notation.notation_writer import write_words
from tests.long_tests import share_of_examples
from tests.sdk.random_answers import play_randomly
from tests.strategies import matches


def views_of(match: Match, dice: Random) -> Iterator[View]:
    """The views of all seats that are asked in a match with bad answers."""
    for _, action, _ in play_randomly(match, dice, 0.2):
        if not (match.over or isinstance(action, Unasked | HandOver)):
            yield from map(match.view, match.asked)


@share_of_examples(0.5)
@given(matches(), st.integers(0, 2**32))
def test_a_view_is_read_as_it_was_written(match: Match, dice: int) -> None:
    for number, seen in enumerate(views_of(match, Random(dice))):
        if number < 8:
            assert view(view_text(seen)) == seen


def test_a_view_is_read_with_signs_too() -> None:
    codes = "play hand='AS KH 2C' trick=QH trump=S recalled=1:2H"
    assert view(codes.translate(str.maketrans("CDHS", "♣♦♥♠"))) == view(codes)


TOLD = (
    *("plays", "drawn", "seat", "seats", "dealer", "leader"),
    *("turned", "dead", "pot", "balances", "deals", "legal", "tricks"),
)
FILLED = """\
play hand='AS KH 2C' trick=QH trump=S playing=4 tricks_won=1
in in in in; 0 2 2 2; 0; 4; 2; 3; 2S; -; 4; -1 -1 -1 -1; 50; KH; 3:2D AD 3D 4D / 0:5D 6D 7D KD
play hand='AS KH 2C' trump=S preset=double_ante plays='in in pass in'
in in pass in; 0 2 - 2; 0; 4; 3; 0; 2S; -; 7; -2 -2 -1 -2; 50; 2C KH AS; 0:2D AD 3D / 1:4D 5D KD
play hand='TS KH' trump=S plays='in pass in in' balances='1 -3 -4 -9' leader=0 deal=60
in pass in in; 0 - 2 2; 0; 4; 3; 0; 2S; -; 15; 1 -3 -4 -9; 60; TS KH; 0:2C AC 3C / 2:4C KC 5C / 3:6C QC 7C
play hand='9S 7S' trump=S dealer=0 seat=0 seats=2 tricks_won=2 trick=2C discarded='5S 6S'
in in; 2 2; 0; 2; 0; 1; 5S; -; 2; -1 -1; 50; 7S 9S; 1:3C AC / 0:KC 4C / 0:5C QC
play hand='KH 2C 7S' trick='JD 2D' trump=D seats=5 playing=3 seat=2
pass pass in in in; - - 0 2 2; 2; 5; 2; 3; 3D; -; 5; -1 -1 -1 -1 -1; 50; 2C 7S KH; 3:AC 3C 4C / 3:KC 5C 6C
play hand=AS trump=D seat=2 seats=7 playing=5 preset=separate_dealer_option
pass pass in in in in in; - - 0 2 2 2 2; 2; 7; 6; 2; 2D; 2D; 7; -1 -1 -1 -1 -1 -1 -1; 50; AS; 2:2C AC 3C 4C 5C / 3:6C KC 7C 8C 9C / 4:2H AH 3H 4H 5H / 5:6H 7H KH 8H 9H
play hand='AS 2H' trick=QH trump=S seat=6 preset=wikipedia max_discards=1
in in in in in in in; 1 1 1 1 1 1 0; 6; 7; 4; 5; 2S; -; 7; -1 -1 -1 -1 -1 -1 -1; 50; 2H; 5:AC 2C 3C 4C 5C 6C 7C / 5:2D 3D AD 4D 5D 6D 7D / 0:3H 4H 5H 6H 7H AH 8H
stay hand='AS KH 2C 3D' trump=S preset=indiana discarded='4C 5C' playing=3
in in in pass; 2 2 2 -; 0; 4; 3; -; 2S; 2S; 7; -2 -2 -2 -1; 50
draw hand='AS KH 2C 3D 9S' trump=S seats=6 seat=4 dealer=1 preset=wikipedia
in in in in in in; - - 2 2 - -; 4; 6; 1; -; 2S; -; 6; -1 -1 -1 -1 -1 -1; 50; 2C 3D 9S KH AS
draw hand='AS KH 2C 3D 9S' trump=S seat=2 dealer=0
? in ? ?; - 2 - -; 2; 4; 0; -; 2S; -; 4; -1 -1 -1 -1; 50; 2C 3D 9S KH AS
declare hand='2C 3D 9S KH AS' trump=S pot=30
? ? ? ?; - - - -; 0; 4; 3; -; 2S; -; 30; -8 -8 -7 -7; 50; 2C 3D 9S KH AS
declare hand='AS KH 2C 3D 9S' trump=S seat=3 playing=2
? in in ?; - 2 2 -; 3; 4; 0; -; 2S; -; 4; -1 -1 -1 -1; 50; 2C 3D 9S KH AS
declare hand='AS KH 2C 3D 9S' trump=S seat=2 dealer=2 second_ante=1 preset=pagat
in in ? in; 2 2 - 2; 2; 4; 2; -; 9S; -; 7; -2 -2 -1 -2; 50; 2C 3D 9S KH AS
declare hand='AS KH 2C 3D 9S' trump=S preset=bicycle seats=5 seat=2 plays='in pass ? ? ?'
in pass ? ? ?; - - - - -; 2; 5; 4; -; 2S; 2S; 5; -1 -1 -1 -1 -1; 50; 2C 3D 9S KH AS
declare hand='AS KH 2C 3D 9S' trump=S preset=simultaneous seats=3 playing=2
? ? ?; - - -; 0; 3; 0; -; 9S; -; 3; -1 -1 -1; 50; 2C 3D 9S KH AS
name_trump hand='AS KH 2C 3D 9S' preset=nba seat=2
? ? ? ?; - - - -; 2; 4; 2; -; -; -; 4; -1 -1 -1 -1; 50
""".splitlines()  # noqa: E501
"""Lines, each with the values of TOLD that it leaves out."""


@pytest.mark.parametrize(("text", "told"), [*zip(FILLED[::2], FILLED[1::2], strict=True)])
def test_what_a_line_leaves_out_is_filled_in_as_today(text: str, told: str) -> None:
    seen = view(text)
    words = write_words(seen)
    assert "; ".join(words[word] for word in TOLD).rstrip("; ") == told
    assert view(join(seen.decision, words)) == seen
    assert view(view_text(seen)) == seen


SHORT = """\
play hand='3H QH' trump=C trick=3C tricks='0:3D 5D / 3:2C KC / 0:4H TC' plays='in pass pass in' drawn='4 - - 4' discarded='9S TS JC QC' dealer=3 turned=TC deals=2 barred='0 3' seed=649138136542168943 preset=pagat
play hand='3H QH' trump=C trick=3C tricks='0:3D 5D / 3:2C KC / 0:4H TC' plays='in pass pass in' drawn='4 - - 4' discarded='9S TS JC QC' dealer=3 turned=TC deals=2 barred='0 3' seed=649138136542168943
play hand='3H QH' trump=C trick=3C tricks='0:3D 5D / 3:2C KC / 0:4H TC' plays='in pass pass in' drawn='4 - - 4' discarded='9S TS JC QC' dealer=3 turned=TC balances='-2 -1 -1 -2' deals=2 barred='0 3' seed=649138136542168943 preset=double_ante
play hand='7D KH AH' trump=C trick=TS tricks='0:QC TC / 0:JC AS' plays='in pass pass in' drawn='0 - - 0' seat=3 turned=TC deals=2 barred=3 seed=4092633492037880898 preset=separate_rounds
draw hand='7D TC KH AH AS' trump=C plays='in pass pass in' drawn='0 - - -' seat=3 dealer=3 deals=2 seed=4092633492037880898 preset=simultaneous
play hand='3H 4H' trump=C trick=9H tricks='0:3C TC / 3:2C 3D / 3:5D QH' plays='in pass pass in' drawn='4 - - 4' discarded='9S TS JC QC' dealer=3 turned=KC deals=2 barred='0 3' seed=649138136542168943 preset=separate_dead
play hand='3H QH' trump=C trick=TC tricks='0:4H KC / 3:2S 3C / 0:3D 5D' plays='in pass pass in' drawn='4 - - 4' discarded='9S TS JC QC' dealer=3 turned=KC dead=- deals=2 seed=649138136542168943 preset=separate_dealer_option
play hand='7D KH AH' trump=C trick=TS tricks='0:QC TC / 0:JC AS' plays='in pass pass in' drawn='0 - - 0' seat=3 turned=TC deals=2 barred=3 seed=4092633492037880898 preset=wikipedia
play hand='4H 9S JC' trump=C trick=KH tricks='0:QC TC / 0:TS AS' plays='in pass pass in' drawn='0 - - 0' dealer=3 turned=KC deals=2 seed=649138136542168943 preset=bicycle
play hand='TC KH AH AS' trump=D tricks='1:3D 3H 7D' plays='pass in in in' drawn='- 2 5 0' seat=3 dealer=3 deals=2 barred=1 seed=4092633492037880898 preset=nba
play hand='2D 5S 6D JH' trump=S trick=AD plays='pass in in pass' drawn='- 0 0 0' seat=2 dealer=3 turned=9S balances='-1 -3 -3 -2' deals=2 seed=11027948190033301901 preset=indiana
play hand='3D 7D TC KC' trump=S trick='TS JS 3S' drawn='0 0 2 3' discarded='KH AH AS' seat=3 turned=9S deals=2 barred=2 seed=4092633492037880898 preset=booray
""".splitlines()  # noqa: E501
"""The line of one view of a match, by house."""


def test_a_shown_line_is_short() -> None:
    for preset, short in zip(PRESETS, SHORT, strict=True):
        match = Match(4, 2, HouseRules.preset(preset), SeededChance(bytes(32)))
        *_, seen = islice(views_of(match, Random(3)), 12)
        assert view_text(seen) == short
    text = "play hand='2C KH AS' trump=S seats=5"
    assert view_text(view(text)) == text


CHANGES: dict[str, object] = {
    "hand": parse_cards("2C KD AS"),
    "named": Suit.H,
    "trick": parse_cards("JH"),
    "turned": Card("3S"),
    "dead": Card("3H"),
    "seat": 2,
    "dealer": 2,
    "deal": 9,
    "deals": 60,
    "pot": 17,
    "balances": (3, -9, 1, -12),
    "plays": (True, True, False, True),
    "drawn": (0, 1, 3, 4),
    "discarded": parse_cards("4C 5C"),
    "barred": (1, 3),
    "recalled": ((1, Card("AC")), (3, Card("2D"))),
    "owed_turns": (0, 2, 0, 0),
    "correcting": Renege(Card("2C"), "R5.2", 4),
    "seed": 99,
    "house": HouseRules.preset("booray", ante=3, cards=5),
    "legal": parse_cards("2C"),
}


@pytest.mark.parametrize("field", CHANGES)
def test_every_field_can_be_said(field: str) -> None:
    seen = view("play hand='AS KH 2C' trick=QH trump=S", **{field: CHANGES[field]})
    assert getattr(seen, field) == CHANGES[field]
    assert view(view_text(seen)) == seen


def test_a_house_takes_the_place_of_all_house_rules_in_the_text() -> None:
    house = HouseRules.preset("nba", ante=2)
    seen = view("play hand='AS KH 2C' trump=S preset=limit must_beat=false ante=7 pot_limit=9", house=house)
    assert seen.house == house
    assert view("play hand='AS KH 2C' trump=S ante=7", house=house, ante="3").house == replace(house, ante=3)
    assert show_house(house) == {"preset": "nba", "ante": "2"}
    assert show_house(HouseRules.preset("pagat", pot_limit=20, cinch=False)) == {"preset": "limit", "cinch": "false"}


def test_tricks_can_be_said() -> None:
    seen = view("play hand='AS KH 2C' trump=S playing=2 tricks='0:3D 4D / 1:5C 6C'")
    assert [(trick.leader, trick.winner) for trick in seen.tricks] == [(0, 1), (1, 0)]


def test_discards_are_limited_by_the_house() -> None:
    assert view("draw hand='AS KH 2C 3D 9S' trump=S max_discards=3").max_discards == 3


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "text",
    [
        "play hand='AS 2C' trick=QH trump=S playing=4 tricks_won=1",
        "play hand='AS KH 2C' trump=S",
        "play hand='AS KH 2C 7S' trick='QD 2D' trump=S seats=6",
        "play hand='KH 2C 7S' trick='JD 2D' trump=D seats=5 playing=3 seat=2",
        "play hand=AS trump=S playing=5",
    ],
)
def test_what_is_left_out_goes_with_the_rest(text: str, preset: str) -> None:
    """The hidden cards can be such that every seat has played by the rules."""
    assert len(list(sample_deals(view(text, preset=preset), 3))) == 3


def test_the_rules_say_what_is_legal() -> None:
    assert show(view("play hand='9S 7S 2C' trick='2D 8S' trump=S playing=4").legal) == "9S"
    assert show(view("play hand='9S 7S 2C' trick='2D 8S' trump=S playing=4 preset=booray").legal) == "2C 7S 9S"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is not a decision.\nhint: use one of name_trump, declare, draw, stay, play"),
        ("paly hand=AS", "'paly' is not a decision"),
        ("play hand=AS KH trump=S", "'KH' has no value.\nhint: use word=value, or quotes"),
        ("play hand='AS KH trump=S", "add the missing quote"),
        ("play trump=S", "hand is missing.\nhint: add hand='AS KH 2C'"),
        ("play hand=AS", "trump is missing.\nhint: add trump=S"),
        ("play hand=AS trump=S trikc=2C", "Unknown word 'trikc'. Did you mean 'trick'?"),
        ("play hand=AS hand=KS trump=S", "'hand' is given twice"),
        ("play hand='AS 1S' trump=S", "hand='AS 1S': '1S' is not a card: use rank then suit"),
        ("play hand='AS KH' trump=X", "trump=X: 'X' is not a suit"),
        ("play hand='AS KH' trick=AS trump=S", "AS is given twice"),
        ("play hand='AS KH' trump=S pot=much", "pot=much: it is not a whole number"),
        ("play hand='AS KH' trump=S preset=limti", "Unknown preset 'limti'. Did you mean 'limit'?"),
        ("play hand='AS KH' trump=S must_beat=maybe", "must_beat = 'maybe' is not allowed.\nhint: use true or false"),
        ("play hand='AS KH' trump=S seat=9", "seat=9: the seats are 0 to"),
        ("play hand='AS KH' trump=S seats=9", "9 seats cannot play"),
        ("play hand='AS KH' trump=S playing=1", "playing=1: at least 2 and at most 2 play"),
        ("play hand='AS KH' trump=S playing=2 trick='2C 3C'", "the trick has at most 1 cards"),
        ("play hand='AS KH' trump=S tricks_won=4", "tricks_won=4: with 2 cards in hand, 3 tricks are complete"),
        ("play hand='AS KH' trump=S tricks_won=0", "this seat leads, so it took the last one"),
        ("play hand='AS KH' trick=2C trump=S tricks_won=3", "took the last"),
        ("play hand='AS KH QH' trump=S tricks='0:2C 3C'", "each trick has 4 cards here, not 2C 3C"),
        ("play hand='AS KH QH' trump=S tricks='2C 3C'", "a trick has no leader"),
        ("play hand='AS KH QH' trump=S leader=3", "leader=3: the trick is empty, so seat 0 leads"),
        ("play hand='AS KH' trick=2S trump=S leader=-", "leader=-: seat 0 plays after 2S, so seat 3"),
        (
            "play hand='AS KH' trump=S tricks='0:2C 3C 4C 5C'",
            "the hand has 2 and the complete tricks are 1, but together",
        ),
        ("play hand='AS KH QH JH TH' trump=S dealer=0", "seat 1, on the dealer's left, leads to the first trick, not"),
        ("play hand='AS KH' trump=S plays='in out'", "'out' is no declaration.\nhint: use in, pass or ?"),
        ("play hand='AS KH' trump=S plays='in in' balances='1 2 3'", "values for plays and for balances"),
        ("play hand='AS KH' trump=S drawn='1 2'", "drawn has 2 values.\nhint: use one for each of 4 seats"),
        ("declare hand='AS KH' trump=S", "to declare, a seat must hold 5 cards, not 2"),
        ("declare hand='AS KH QH JH TH' trump=S playing=3 dealer=3", "at most 0 can be in before seat 0 declares"),
        ("play hand='AS KH' trump=S correcting=2C", "use card, rule and chips"),
        ("play hand='AS KH' trump=S recalled=2C", "use seat:card for each"),
    ],
)
def test_bad_text_is_told_with_its_fix(text: str, says: str) -> None:
    with pytest.raises(ViewTextError) as caught:
        view(text)
    assert says in str(caught.value)


def test_a_change_of_the_wrong_kind_is_told() -> None:
    with pytest.raises(ViewTextError, match=r"^hand=7 has the wrong type\.\nhint: use a text, or a value of a View$"):
        view("play hand=AS trump=S", hand=7)
