"""What a mistake costs, as `bourre check` reports it: what the bot still has to lose in that deal."""

from __future__ import annotations

import pytest

from bourre.messages import Answer, Ask
from bourre.rules.actions import Choice, Declare, Draw, Fault, Missing, Play
from bourre.rules.cards import Card
from bourre.testing import view
from bourre_referee.evaluation.check.answer_judge import Area, Complaint, find_complaint
from bourre_referee.evaluation.check.transcript import Exchange

MIDDLE = "play hand='AS KH 2C' trick=QH trump=S pot=9 seats=4"


def complaint_if_any(line: str, said: Choice | Missing) -> Complaint | None:
    """The complaint about this answer to this view, if there is one."""
    return find_complaint(Exchange("m", Ask(0, 1, view(line), 0), Answer(0, 1, said)))


def complaint_of(line: str, said: Choice | Missing) -> Complaint:
    """The same, where there must be one."""
    found = complaint_if_any(line, said)
    assert found is not None
    return found


def cost_of(line: str, card: str) -> str:
    """The cost of playing this card in this view."""
    return complaint_of(line, Play(Card(card))).cost


CORRECTED = ", or this pot and the next turn to deal, if it is corrected (R8.2)"


@pytest.mark.parametrize(
    ("more", "cost"),
    [
        ("", f"9 chips and this pot, if the card stands (R8.1){CORRECTED}"),
        ("renege_multiple=2", f"18 chips and this pot, if the card stands (R8.1){CORRECTED}"),
        ("renege_policy=silent", "9 chips and this pot, if the card stands (R8.1)"),
        ("correcting='2C R5.2 9'", "9 chips and this pot, if the card stands (R8.1)"),
        ("barred=1", f"9 chips and this pot, if the card stands (R8.1){CORRECTED}"),
        ("barred=0 recalled=0:3C", f"9 chips and this pot, if the card stands (R8.1){CORRECTED}"),
        (
            "barred=0 recalled=0:3C renege_policy=retract_renege",
            "no more chips than are owed already, if the card stands (R8.1)",
        ),
        ("barred=0", f"no more chips than are owed already, if the card stands (R8.1){CORRECTED}"),
        ("barred=0 correcting='2C R5.2 0'", "no more chips than are owed already, if the card stands (R8.1)"),
    ],
)
def test_a_renege_costs_one_match_in_a_deal(more: str, cost: str) -> None:
    assert cost_of(f"{MIDDLE} {more}", "2C") == cost


@pytest.mark.parametrize(
    ("more", "price"),
    [("", "at the price of 9 chips and this pot"), ("barred=0", "no more chips than are owed already")],
)
def test_a_card_that_is_not_held_costs_as_much(more: str, price: str) -> None:
    assert cost_of(f"{MIDDLE} {more}", "3D").startswith("a fault, and the lowest legal card is played, ")
    assert price in cost_of(f"{MIDDLE} {more}", "3D")


def test_where_the_correction_is_no_card_the_refused_one_stands() -> None:
    told = cost_of(f"{MIDDLE} correcting='2C R5.2 9'", "3D")
    assert told == "a fault, and the refused card stands, at the price of 9 chips and this pot (R8.1)"


FIVE = "hand='AS KH 2C 3C 4C' trump=S pot=9 seats=4"
THROWN = (Card("2C"), Card("3C"))


@pytest.mark.parametrize(
    ("line", "said", "told"),
    [
        (f"declare {FIVE}", Declare(True, THROWN, True), "draw took the turned card when that is not allowed (R3.2)"),
        (f"draw {FIVE}", Draw(THROWN, True), "draw took the turned card when that is not allowed (R3.2)"),
    ],
)
def test_what_a_bot_without_the_sdk_may_draw_wrongly_is_illegal(line: str, said: Choice, told: str) -> None:
    found = complaint_of(line, said)
    assert (found.area, found.cost) == (Area.LEGALITY, "a fault, and it stands pat (R8.5)")
    assert found.what.startswith(told)
    assert found.rule[:4] in found.what


def test_discards_with_a_declaration_that_comes_alone_are_ignored_and_with_a_pass_nobody_looks() -> None:
    for thrown in (THROWN, (Card("3D"),)):
        found = complaint_of(f"declare {FIVE} declare_mode=separate", Declare(True, thrown))
        assert found.what == "declare returned discards, which belong to draw, after all have declared (R4.1)"
        assert found.cost == "a fault, and the referee ignores them and asks again later"
    for mode in ("turn", "separate", "simultaneous"):
        assert complaint_if_any(f"declare {FIVE} declare_mode={mode}", Declare(False, (Card("3D"),), True)) is None


@pytest.mark.parametrize(
    ("line", "cost"),
    [
        ("name_trump hand='AS KH 2C 3C 4C' pot=9 seats=4", "the suit of its lowest card becomes trump"),
        (f"draw {FIVE}", "it stands pat"),
        (f"declare {FIVE}", "it passes"),
        (f"stay {FIVE}", "it passes"),
    ],
)
def test_an_error_costs_what_the_referee_does_instead(line: str, cost: str) -> None:
    found = complaint_of(line, Missing(Fault.ERROR))
    assert (found.area, found.cost) == (Area.DECISIONS, f"a fault, and {cost} (R8.5)")
    assert found.what == f"{line.split()[0]}: the bot reported an error: no reason given"
