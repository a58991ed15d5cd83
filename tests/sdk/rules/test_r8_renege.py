"""What scenes do not tell of R8: the rule that is named, what each seat is shown, and what is settled."""

from __future__ import annotations

import pytest

from bourre.rules.actions import Decision, Declare, Play
from bourre.rules.cards import Card, parse_cards
from bourre.rules.events import Reneged
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.visibility import Renege, visible_to
from tests.sdk.rules.scenes import HANDS
from tests.sdk.rules.table import Table, of, stacked

DECK = stacked(*HANDS["usual"].split(" / "))


def at_seat_2(policy: str = "prompt") -> Table:
    """Trump is spades; 9H is led: seat 2 is to play, and only KH is legal."""
    table = Table(DECK, seats=3, renege_policy=policy)
    table.say("1 in", "2 in", "0 in", "1 9H")
    return table


@pytest.mark.parametrize(
    ("hand", "card", "rule"),
    [
        ("KH 6H 2C 6S 7S", "2C", "R5.2"),
        ("KH KD 2C 6S 7S", "KD", "R5.2"),
        ("KH 6H 2C 6S 7S", "6H", "R5.3"),
        ("KD 6D 2C 6S 7S", "2C", "R5.4"),
        ("AS KS QS 6S 7S", "6S", "R6.2"),
    ],
)
def test_r8_the_first_broken_rule_is_named(hand: str, card: str, rule: str) -> None:
    table = Table(stacked("2H 3H 8D TC 4S", "QH 8C 7D 6C 5D", hand), seats=3)
    table.say("1 in", "2 in", "0 in", "1 QH")
    assert [event.rule for event in of(Reneged, table.say(f"2 {card}"))] == [rule]


@pytest.mark.parametrize("policy", ["prompt", "retract", "retract_renege"])
def test_r8_4_who_is_asked_once_more_is_shown_why_and_may_leave_its_card(policy: str) -> None:
    table = at_seat_2(policy)
    forced: object = table.match.deal.forced
    assert forced == Play(Card("KH"))
    events = table.say("2 2C")
    view = table.view
    assert view.correcting == Renege(Card("2C"), "R5.2", 3)
    assert view.correcting.sentence == "R5.2, follow suit if you can"
    assert (view.legal, view.trick, view.hand[0]) == (parse_cards("KH"), parse_cards("9H"), Card("2C"))
    assert [table.match.view(1).correcting, table.match.deal.forced] == [None, None]
    assert list(visible_to(2, events)) == events
    assert list(visible_to(0, events)) == [Reneged(2, Card("2C"), "R5.2", None, 3)]
    table.say("2 KH")
    assert table.match.view(0).recalled == ((2, Card("2C")),)
    assert table.match.view(0).barred == (() if policy == "retract" else (2,))
    assert table.match.deal.forced is None


def test_r8_4_silent_not_a_word_is_said_and_a_recall_is_seen_by_all() -> None:
    table = at_seat_2("silent")
    table.say("2 2C")
    for seat in range(3):
        view = table.match.view(seat)
        assert (view.barred, view.recalled, view.correcting) == ((), (), None)
    table.say("2 recall KH")
    assert (table.view.leader, table.view.trick) == (1, parse_cards("9H KH"))
    assert (table.view.barred, table.view.recalled) == ((2,), ((2, Card("2C")),))
    assert table.match.view(2).hand == parse_cards("2C 3C 4D 6S")
    table.say("0 TC", "0 recall 2H")
    assert table.view.tricks[0].cards == parse_cards("9H KH 2H")
    assert (len(table.view.tricks), table.view.tricks_won) == (1, (0, 0, 1))
    assert table.match.deal.tricks is not None
    assert table.match.deal.tricks.position() == table.view.position


def test_r8_5_whoever_is_missing_in_declaring_would_pass() -> None:
    table = Table(DECK, seats=3)
    assert (table.match.deal.default(), table.match.deal.forced) == (Declare(False), None)
    assert table.match.decision == Decision.DECLARE


def test_r8_6_no_preset_fines() -> None:
    assert {HouseRules.preset(preset).fault_fine for preset in PRESETS} == {0}
