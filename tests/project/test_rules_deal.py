"""The deal that docs/rules.md describes card by card is one that the engine plays: hands, choices, tricks and chips."""

from __future__ import annotations

import re

import pytest

import dev
from bourre.rules.cards import parse_cards, show
from bourre.rules.events import AntePaid, DealEnded, Declared, Drew, MatchPaid, PotTaken, TrickTaken, TrumpTurned
from tests.sdk.rules.table import Table, of, stacked

TEXT = (dev.ROOT / "docs" / "rules.md").read_text("utf-8")
SECTION = TEXT.partition("## One deal, card by card\n")[2].partition("\n## ")[0]
NAMES = ("Ana", "Ben", "Cleo", "Dan")
DEALER = 3


def rows(first: str) -> list[list[str]]:
    """The cells of the table whose heading begins with this word."""
    (body,) = re.findall(rf"^\| {first} \|.*\n\|---.*\n((?:\|.*\n)+)", f"{SECTION}\n", re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in body.splitlines()]


HANDS = rows("player")
CARDS = rows("trick")
CHIPS = {first.strip("*"): cells for first, *cells in rows("chips")}


def sorted_cards(text: str) -> str:
    """The same cards, lowest first."""
    return show(sorted(parse_cards(text)))


def begun(preset: str = "pagat") -> Table:
    """The deal as the page describes it, up to the first lead; another deal follows it."""
    stock = " ".join(draws for *_, draws, _ in HANDS if draws)
    table = Table(
        stacked(*(cells[1] for cells in HANDS), dealer=DEALER, stock=stock),
        seats=4,
        dealer=DEALER,
        deals=2,
        preset=preset,
    )
    for seat, (_, _, says, throws, *_) in enumerate(HANDS):
        table.say(f"{seat} in {throws}" if says == "plays" else f"{seat} pass")
    return table


def chips(cells: list[str]) -> list[int]:
    """The chips by seat; a seat that is left out has 0."""
    return [int(cell or 0) for cell in cells[:4]]


def test_the_hands_the_draws_and_the_turned_card_are_dealt_so() -> None:
    assert [name for name, *_ in HANDS] == list(NAMES)
    table = begun()
    (turned,) = [event.card for event in of(TrumpTurned, table.events)]
    assert f"Dan's last card, {turned}, is turned up:\nspades are trump" in SECTION
    assert {event.seat: event.plays for event in of(Declared, table.events)} == {
        seat: says == "plays" for seat, (_, _, says, *_) in enumerate(HANDS)
    }
    drawn = {event.seat: show(event.received or ()) for event in of(Drew, table.events)}
    for seat, (_, _, says, _, draws, holds) in enumerate(HANDS):
        assert drawn.get(seat, "") == (sorted_cards(draws) if draws else "")
        assert says == "passes" or show(table.match.view(seat).hand) == sorted_cards(holds)


@pytest.mark.parametrize("preset", ["pagat", "limit"])
def test_every_card_is_one_that_may_be_played_and_every_choice_is_told(preset: str) -> None:
    table = begun(preset)
    for trick, name, may, card, _ in CARDS:
        view = table.view
        assert (NAMES[view.seat], str(len(view.tricks) + 1)) == (name, trick)
        assert show(view.legal) == sorted_cards(may)
        table.play(card)
    winners = [NAMES[event.seat] for event in of(TrickTaken, table.events)]
    assert winners == ["Cleo", "Ana", "Cleo", "Ana", "Ana"]
    assert "Cleo takes tricks 1 and 3, and Ana takes tricks 2, 4 and 5: with three tricks to two, Ana wins." in SECTION


def test_the_chips_move_as_the_page_says() -> None:
    table = begun()
    table.play(" ".join(card for _, _, _, card, _ in CARDS))
    (ended,) = of(DealEnded, table.events)
    assert (list(ended.balances), ended.pot) == (chips(CHIPS["after the deal"]), int(CHIPS["after the deal"][4]))
    assert of(PotTaken, table.events) == [PotTaken(0, chips(CHIPS["Ana takes the pot"])[0])]
    paid = -chips(CHIPS["Dan pays as much as it held"])[DEALER]
    assert of(MatchPaid, table.events) == [MatchPaid(DEALER, paid, bourred=True, reneged=False)]
    antes = of(AntePaid, table.events)
    first, second = antes[:4], antes[4:]
    assert by_seat(first) == chips(CHIPS["the antes"])
    assert by_seat(second) == chips(CHIPS["the next antes; Dan is exempt"])
    assert table.match.ledger.pot == int(CHIPS["the next antes; Dan is exempt"][4]) == 7
    assert f"The next deal is played for 7 chips, and {NAMES[table.match.deal.dealer]} deals." in SECTION


def by_seat(antes: list[AntePaid]) -> list[int]:
    paid = {ante.seat: -ante.chips for ante in antes}
    return [paid.get(seat, 0) for seat in range(4)]


def test_the_pot_in_every_row_is_what_was_there_and_what_moved() -> None:
    pot = 0
    for cells in [cells for first, cells in CHIPS.items() if first != "after the deal"]:
        pot -= sum(chips(cells))
        assert int(cells[4]) == pot
