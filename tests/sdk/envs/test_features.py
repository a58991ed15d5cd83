"""The vector of what a seat knows, section by section."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log1p

import pytest

import dev
from bourre import View
from bourre.rules.actions import Action, Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.cards import DECK, Card, Suit, show
from bourre.rules.errors import InvalidAction
from bourre.testing import view
from bourre_lab.envs.action_space import ACTIONS, CARD, choice_of, recall_of
from bourre_lab.envs.features import COUNTS, SECTIONS, SIZE, STARTS, counts_of
from bourre_lab.envs.observation import observation_space, vector_of
from tests.sdk.envs.tables import number_of
from tests.sdk.rules.table import Table, stacked


def in_play() -> Table:
    """Seat 2 deals, spades are trump; all come in, seat 1 discards its 2C; seat 0 leads AH, seat 1 ruffs, 2 follows."""
    deck = stacked("AH KD 3C 4C 5D", "2C 4S 5C 7C 8D", "3H QD 6D 7D 9S", dealer=2)
    table = Table(deck, seats=3, dealer=2, deals=4, preset="limit")
    table.say("0 in", "1 in 2C", "2 in")
    table.play("AH 4S 3H")
    return table


def sections(view: View) -> dict[str, list[float] | str]:
    """All sections that are not 0 throughout: cards as text, by seat only the places of the table."""
    vector = vector_of(view)
    found: dict[str, list[float] | str] = {}
    for section in SECTIONS:
        numbers = [round(float(number), 4) for number in vector[STARTS[section.name] :][: section.size]]
        wide = {8: view.seats, 32: 4 * view.seats}.get(section.size, section.size)
        assert not any(numbers[wide:])
        if any(numbers):
            cards = show(card for card, held in zip(DECK, numbers, strict=False) if held)
            found[section.name] = cards if section.size == 52 else numbers[:wide]
    return found


def test_sections_follow_one_another() -> None:
    assert list(STARTS.values()) == [
        sum(part.size for part in SECTIONS[:number]) for number in range(len(SECTIONS) + 1)
    ]
    assert SIZE == sum(part.size for part in SECTIONS) == STARTS["end"]
    assert STARTS["pot"] == COUNTS


def test_a_seat_sees_the_play_from_its_own_place() -> None:
    table = in_play()
    table.play("5C 9S")
    ante, pot = round(-log1p(1), 4), round(log1p(3), 4)
    everybody: dict[str, list[float] | str] = {}
    everybody |= {"present": [1, 1, 1], "in": [1, 1, 1], "served": [1, 1, 1], "trump": [0, 0, 0, 1]}
    everybody |= {"balances": [ante] * 3, "pot": [pot], "match": [pot], "deals_left": [3], "max_discards": [5]}
    everybody |= {"decision": [0, 0, 0, 0, 1, 0]}
    cards = {"played": "3H 4S AH", "trick": "5C 9S", "turned": "9S"}
    assert sections(table.match.view(0)) == {
        **everybody,
        **cards,
        "hand": "3C 4C 5D KD",
        "dealer": [0, 0, 1],
        "drawn": [0, 1, 0],
        "won": [0, 1, 0],
        "leader": [0, 1, 0],
        "winning": [0, 0, 1],
        "void": [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0],  # seat 1 has no hearts, seat 2 no clubs
    }
    seen = sections(table.match.view(1))
    assert seen.pop("hand") == show(table.match.view(1).hand)
    assert seen == {
        **everybody,
        **cards,
        "discarded": "2C",
        "dealer": [0, 1, 0],
        "drawn": [1, 0, 0],
        "won": [1, 0, 0],
        "leader": [1, 0, 0],
        "winning": [0, 1, 0],
        "void": [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    }


def test_a_seat_sees_who_passed_and_what_reneges_cost() -> None:
    line = "draw hand='AS KH 2C 3D 4D' trump=S preset=bicycle seat=1 dealer=3"
    seen = sections(view(f"{line} drawn='2 - - -' plays='in in pass ?'"))
    assert (seen["passed"], seen["in"], seen["served"], seen["drawn"]) == (
        [0, 1, 0, 0],
        [1, 0, 0, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 2],
    )
    assert (seen["dead"], seen["max_discards"], seen["decision"]) == ([1], [4], [0, 0, 1, 0, 0, 0])
    assert {"barred", "owed", "recalled", "correcting", "leader", "winning"}.isdisjoint(seen)
    line = "play hand='AS KH 2C 3C' trick=QH trump=S seats=3 seat=1 barred='0 2' recalled='0:3D 2:4D' deals=900"
    after = view(f"{line} owed_turns='0 2 500' balances='7 -9 -1' correcting='2C R5.2 9'")
    seen = sections(after)
    assert (seen["barred"], seen["recalled"], seen["correcting"]) == ([0, 1, 1], "3D 4D", [1])
    assert (seen["owed"], seen["deals_left"]) == ([2, 127, 0], [127])
    assert seen["balances"] == [round(number, 4) for number in (-log1p(9), -log1p(1), log1p(7))]
    start = STARTS["decision"]
    assert list(counts_of(after, recalls=True)[start : start + 6]) == [0, 0, 0, 0, 0, 1]
    assert "dead" not in seen


@pytest.mark.parametrize(
    ("chips", "number"), [(0, 0), (20, log1p(20)), (5_000, log1p(5_000)), (10**400, 127), (-7, -log1p(7))]
)
def test_chips_are_logarithms_without_end(chips: int, number: float) -> None:
    seen = replace(in_play().match.view(0), balances=(chips, 0, 0), pot=max(0, chips))
    vector = vector_of(seen)
    assert vector[STARTS["balances"]] == pytest.approx(number)
    assert vector[STARTS["pot"]] == pytest.approx(max(0, number))
    assert vector[STARTS["match"]] == pytest.approx(min(log1p(20), max(0, number)))
    assert observation_space()["observation"].contains(vector)


CHOICES: list[Action] = [
    Declare(False),
    Declare(True),
    Draw((Card("2C"),)),
    Draw((Card("2C"),), takes=True),
    NameTrump(Suit.H),
    Stay(True),
    Stay(False),
    Play(Card("AS")),
    Recall(Card("2C")),
]


def test_each_choice_has_its_number() -> None:
    seen = view("declare hand='2C 3H 4H 5H 6H' trump=S")
    assert [number_of(choice, seen) for choice in CHOICES] == [0, 1, 2, 89, 87, 1, 0, CARD + 51, CARD]
    assert recall_of(CARD) == Recall(Card("2C"))
    assert recall_of(0) is None


@pytest.mark.parametrize("action", [-1, 0, 1, 85, 89, ACTIONS])
def test_an_answer_to_another_question_is_refused(action: int) -> None:
    with pytest.raises(InvalidAction, match="does not answer the question to play"):
        choice_of(action, in_play().view)


def test_the_document_lists_every_section() -> None:
    text = (dev.ROOT / "docs/learn.md").read_text("utf-8")
    rows = [f"| {STARTS[part.name]} | {part.size} | `{part.name}` | {part.meaning} |" for part in SECTIONS]
    assert re.findall(r"^\| \d+ \| \d+ \| `\w+` \|.*\|$", text, re.MULTILINE) == rows
    assert f"`observation` holds {SIZE} numbers" in text
