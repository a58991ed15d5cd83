"""Cards, suits and ranks are numbers: comparing one with a text raises, because it would silently be False."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.rules.card import DECK, Card, Ordinal

QS = Card("QS")
COMPARED = [
    (QS, "QS", r"a card is never equal to a string: compare it with Card\('QS'\), not 'QS'"),
    (QS, "qs", r"compare it with Card\('QS'\), not 'qs'"),
    (QS, "queen", r'compare it with a card, such as Card\("QS"\), not \'queen\''),
    (QS.suit, "S", r"a suit is never equal to a string: compare it with Suit\.S, not 'S'"),
    (QS.suit, "hearts", r"compare it with Suit\.H, not 'hearts'"),
    (QS.suit, "", r"compare it with a Suit, such as Suit\.S, not ''"),
    (QS.rank, "Q", r"a rank is never equal to a string: compare it with the number 12, not 'Q'"),
    (QS.rank, "10", r"compare it with the number 10, not '10'"),
    (QS.rank, "?", r"compare it with a number: 11 is the jack, 12 the queen, 13 the king, 14 the ace, not '\?'"),
]


@pytest.mark.parametrize("compare", [operator.eq, operator.ne], ids=["eq", "ne"])
@pytest.mark.parametrize(("ordinal", "text", "says"), COMPARED)
def test_a_comparison_with_a_text_is_refused(
    ordinal: Ordinal, text: str, says: str, compare: Callable[[object, object], object]
) -> None:
    for pair in ((ordinal, text), (text, ordinal)):
        with pytest.raises(TypeError, match=says):
            compare(*pair)


def test_so_is_looking_for_one_among_the_others() -> None:
    cards: list[object] = [QS]
    letters: tuple[object, ...] = ("S", "H")
    looks: list[Callable[[], object]] = [lambda: "QS" in cards, lambda: cards.index("QS"), lambda: QS.suit in letters]
    for look in looks:
        with pytest.raises(TypeError, match="never equal to a string"):
            look()


@given(st.sampled_from(DECK), st.sampled_from(DECK), st.integers(-1, 60))
def test_otherwise_they_compare_as_their_numbers_do(one: Card, other: Card, number: int) -> None:
    for left, right in ((one, other), (one.suit, other.suit), (one.rank, other.rank), (one, number)):
        for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
            assert compare(left, right) is compare(int(left), int(right))
            assert compare(right, left) is compare(int(right), int(left))
        assert hash(left) == hash(int(left))


def test_nothing_else_is_equal_to_them() -> None:
    for other in (None, b"QS", (), 12.5, object()):
        assert not any(ordinal == other for ordinal in (QS, QS.suit, QS.rank))
        assert all(ordinal != other for ordinal in (QS, QS.suit, QS.rank))
    assert QS.rank == 12.0


@pytest.mark.parametrize("name", ["rank", "suit", "mark"])
def test_a_card_never_changes(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"Card\('QS'\) never changes: {name} cannot be set"):
        setattr(QS, name, 3)


@pytest.mark.parametrize("ordinal", [QS, QS.suit, QS.rank])
def test_they_travel(ordinal: Ordinal) -> None:
    for copied in (copy.deepcopy(ordinal), pickle.loads(pickle.dumps(ordinal))):
        assert (type(copied), copied) == (type(ordinal), ordinal)
