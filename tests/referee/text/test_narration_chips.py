"""Chips in words: every pot, stake and balance in the text is that of the record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre.record import Format, Header, Record, read, replay
from bourre.rules.deck import master_seed
from bourre.rules.events import AntePaid, DealStarted, PotTaken
from bourre.rules.house import CHOICES, PRESETS, HouseRules
from bourre.rules.pot import UNIT, settle_in_units
from bourre_referee.text.narration.deal_text import match_lines
from tests.long_tests import share_of_examples
from tests.sdk.recorded import recorded, recorded_duplicate

BOTS = ("ada", "bob", "cy", "dee")
FORMATS: tuple[Format, ...] = ("session", "duplicate")
STAKES = ((0,), (0, 1, 4), (3,))
HEADING = r"Deal (\d+) of 3(?:, seating (\d) of 4)?: (\w+) deals, pot (\d+)(?: \((.+)\))?"
SOURCE = r"(\d+) carried over|(?:stakes|antes|second antes) (\d+)"
LABEL = r"  (\d) (\w+)(?: \(D\))?  .+"
TAKEN = r"(\w+)(?:, alone in,)? takes (?:(\d+) of )?the pot of (\d+)\b.*"
STAYS = r".+: the pot of (\d+) stays \(R\d\.\d\)|.+: the pot is shared out, (\S+) stays in it \(R7.2\)"
SHARED = r"the pot of (\d+) that is left is shared equally, (.+) each \(R7.6\); .*"
CHIPS = r"(\w+) ([+-])(\d+(?:/\d+)?)(?: (\d+/\d+))?(?=[,;]|$)"


class Told(NamedTuple):
    """What the text says about the chips of one deal."""

    number: int
    seating: int | None
    dealer: str
    names: tuple[str, ...]
    """By seat."""
    pot: int
    taken: tuple[tuple[str, int], ...]
    left: int
    """In the pot."""
    chips: tuple[Fraction, ...]
    """By seat: the balance; in `duplicate`, the change in this deal."""


@share_of_examples(0.1)
@given(
    st.integers(0, 10_000),
    st.sampled_from(STAKES),
    st.fixed_dictionaries({key: st.sampled_from(CHOICES[key]) for key in ("renege_policy", "tie", "first_dealer")}),
)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_chips_in_words_are_those_of_the_record(
    preset: str, form: Format, dice: int, stakes: tuple[int, ...], keys: dict[str, object]
) -> None:
    record = played(HouseRules.preset(preset, fault_fine=1, **keys), form, dice, stakes)
    lines = list(match_lines(record))
    for deal, true in zip(deals_in(lines), truth(record), strict=True):
        assert read_deal(deal) == true
    (ended,) = [line for line in lines if line.startswith("the match ends: ")]
    unit = UNIT if form == "duplicate" else 1
    assert chips_in(ended) == {bot: Fraction(each, unit) for bot, each in zip(BOTS, record.final, strict=True)}


def played(house: HouseRules, form: Format, dice: int, stakes: tuple[int, ...]) -> Record:
    """A match with bad answers in it."""
    if form == "session":
        return read(recorded(Header("m0001", BOTS, 3, master_seed(dice), house), dice)[0])
    return read(recorded_duplicate(Header("m0001", BOTS, 3, master_seed(dice), house, form, stakes), dice))


def deals_in(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each deal, its heading first."""
    deal: list[str] = []
    for line in lines:
        if line.startswith(("Deal ", "the match ends: ")):
            if deal:
                yield deal
            deal = []
        if deal or line.startswith("Deal "):
            deal.append(line)


def read_deal(lines: list[str]) -> Told:
    """Reads these lines, and asserts that the pot is the same wherever it is named."""
    heading = re.fullmatch(HEADING, lines[0])
    assert heading, lines[0]
    number, seating, dealer, pot, sources = heading.groups()
    assert sum(int(one or other) for one, other in re.findall(SOURCE, sources or "")) == int(pot)
    seats = {
        (int(seat), name) for line in lines if (label := re.fullmatch(LABEL, line)) for seat, name in [label.groups()]
    }
    names = tuple(name for _, name in sorted(seats))
    taken = [match.groups() for line in lines if (match := re.fullmatch(TAKEN, line))]
    assert {whole for _, _, whole in taken} <= {pot}
    takings = tuple((name, int(part or whole)) for name, part, whole in taken)
    assert stays(lines) in (None, int(pot) - sum(chips for _, chips in takings))
    left, chips = ending(lines)
    return Told(
        int(number),
        int(seating) if seating else None,
        dealer,
        names,
        int(pot),
        takings,
        left,
        tuple(chips[name] for name in names),
    )


def stays(lines: list[str]) -> int | None:
    """What a tie or a bar leaves in the pot; None if the text does not say."""
    told = [one or other for line in lines if (match := re.fullmatch(STAYS, line)) for one, other in [match.groups()]]
    return int(told[0].replace("nothing", "0")) if told else None


def ending(lines: list[str]) -> tuple[int, dict[str, Fraction]]:
    """What is left in the pot, and what everybody has."""
    (line,) = [line for line in lines if line.startswith("balances: ") or "the deal ends: " in line]
    if line.startswith("balances: "):
        balances, _, pot = line.partition("; pot ")
        return int(pot), chips_in(balances)
    shared = re.fullmatch(SHARED, line)
    if shared:
        assert fraction(shared[2]) == Fraction(int(shared[1]), len(BOTS))
    return int(shared[1]) if shared else 0, chips_in(line)


def chips_in(line: str) -> dict[str, Fraction]:
    """Chips by name, such as `ada +3 1/4, bob -1/2`."""
    return {
        name: fraction(f"{whole} {part}") * (-1 if sign == "-" else 1)
        for name, sign, whole, part in re.findall(CHIPS, line)
    }


def fraction(text: str) -> Fraction:
    """Reads `3`, `1/4` or `3 1/4`."""
    return sum(map(Fraction, text.split()), Fraction(0))


def truth(record: Record) -> Iterator[Told]:
    """The same from the record: who sat there, what was paid in, what was left, and all balances."""
    alone = record.header.format == "duplicate"
    carried = 0
    for deal, (paid, taken) in zip(record.deals, moved(record), strict=True):
        names = tuple(BOTS[bot] for bot in deal.line_up or range(len(BOTS)))
        units = settle_in_units(deal.balances, deal.pot) if alone else [UNIT * chips for chips in deal.balances]
        yield Told(
            number=deal.deal,
            seating=deal.seating,
            dealer=names[deal.dealer],
            names=names,
            pot=carried + paid,
            taken=tuple((names[seat], chips) for seat, chips in taken),
            left=deal.pot,
            chips=tuple(Fraction(each, UNIT) for each in units),
        )
        carried = 0 if alone else deal.pot


def moved(record: Record) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """For each deal, what was paid into its pot before it was settled, and who took how much out of it."""
    paid, taken, begun = 0, list[tuple[int, int]](), False
    for event in (event for step in replay(record) for event in step.events):
        match event:
            case DealStarted():
                if begun:
                    yield paid, taken
                paid, taken, begun = 0, [], True
            case AntePaid():
                paid += event.chips
            case PotTaken():
                taken.append((event.seat, event.chips))
    yield paid, taken
