"""How a bot plays beside the others of its field: measures of style, and habits in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bourre_referee.statistics.play_style import Strength, Style
from bourre_referee.text.amounts import signed

FEWEST = 20
"""The fewest hands of a strength that make a habit."""

NOTABLE = 0.1
"""The smallest difference from the field, as a share of the hands, that is a habit."""

NOTABLE_CHIPS = 0.5
"""The smallest difference from the field, in chips a deal, that is a habit."""

LEFT, RIGHT = 8.0, 192.0
"""The ends of the axis of a measure, in a picture 200 wide."""


@dataclass(frozen=True, slots=True)
class StyleTotals:
    """The counts of one bot over hands of all strengths."""

    deals: int
    played: int
    discards: int
    tricks: int
    bourres: int


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of style, for the bot and for the others."""

    name: str
    value: float
    is_share: bool
    """Whether the value is a share from 0 to 1."""
    at: float
    """The place of the bot on the axis."""
    others: tuple[float, ...]
    """The places of the other bots."""


@dataclass(frozen=True, slots=True)
class PlayHabit:
    """A habit: a figure, what it is, and a sentence that proves it."""

    figure: str
    title: str
    proof: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """How a bot plays."""

    measures: tuple[Measure, ...]
    comparison: str
    """A sentence that compares it with the others; empty without others."""
    habits: tuple[PlayHabit, ...]
    hands: tuple[Style, ...]
    """Its play with hands of each strength, weakest first."""


def portrait(styles: Sequence[Style], bot: str) -> Portrait | None:
    """Returns the portrait of a bot from the styles of all. None before its first deal."""
    own = tuple(style for style in styles if style.bot == bot)
    if not own:
        return None
    others = [style for style in styles if style.bot != bot]
    names = dict.fromkeys(style.bot for style in others)
    totals, field = _totals(own), [_totals([each for each in others if each.bot == name]) for name in names]
    return Portrait(tuple(_measures(totals, field)), _compare(totals, field), tuple(_habits(own, others)), own)


def _totals(styles: Sequence[Style]) -> StyleTotals:
    return StyleTotals(
        deals=sum(style.deals for style in styles),
        played=sum(style.played for style in styles),
        discards=sum(style.discards for style in styles),
        tricks=sum(style.tricks for style in styles),
        bourres=sum(style.bourres for style in styles),
    )


def _comes_in(totals: StyleTotals) -> float:
    return totals.played / totals.deals


def _bourre_share(totals: StyleTotals) -> float:
    return totals.bourres / max(1, totals.played)


_MEASURES: tuple[tuple[str, Callable[[StyleTotals], float], bool], ...] = (
    ("Comes in", _comes_in, True),
    ("Bourré when in", _bourre_share, True),
    ("Cards drawn", lambda totals: totals.discards / max(1, totals.played), False),
    ("Tricks when in", lambda totals: totals.tricks / max(1, totals.played), False),
)


def _measures(own: StyleTotals, field: Sequence[StyleTotals]) -> Iterator[Measure]:
    for name, value_of, is_share in _MEASURES:
        values = [value_of(own), *map(value_of, field)]
        low, reach = min(values), max(values) - min(values)
        at, *others = (round(LEFT + (RIGHT - LEFT) * ((v - low) / reach if reach else 0.5), 1) for v in values)
        yield Measure(name, values[0], is_share, at, tuple(others))


def _compare(own: StyleTotals, field: Sequence[StyleTotals]) -> str:
    if not field:
        return ""
    looser = sum(_comes_in(own) > _comes_in(other) for other in field)
    safer = sum(_bourre_share(own) < _bourre_share(other) for other in field)
    hands = _place(looser, len(field), "more hands", "the fewest hands", "the most hands")
    bourre = _place(safer, len(field), "bourré less often", "bourré most often", "bourré least often")
    return f"It plays {hands}, and is {bourre}."


def _place(count: int, others: int, comparison: str, none: str, all_others: str) -> str:
    if count in (0, others):
        return all_others if count else none
    return f"{comparison} than {count} of the {others} others"


@dataclass(frozen=True, slots=True)
class _Beside:
    """The play of a bot with hands of one strength, beside that of the others."""

    own: Style
    deals: int
    """The others' hands of this strength."""
    played: int
    chips: float

    @property
    def more_often(self) -> float:
        """The share of hands that it plays, less the others' share."""
        return self.own.played / self.own.deals - self.played / self.deals

    @property
    def more_per_deal(self) -> float:
        """The chips that it wins a deal, less the others'."""
        return self.own.chips / self.own.deals - self.chips / self.deals


def _habits(own: Sequence[Style], others: Sequence[Style]) -> Iterator[PlayHabit]:
    known = [style for style in own if style.deals >= FEWEST]
    pairs = [beside for style in known if (beside := _beside(style, others))]
    odd = max(pairs, key=lambda each: abs(each.more_often), default=None)
    if odd and abs(odd.more_often) >= NOTABLE:
        yield _frequency(odd)
    notable = sorted((each for each in pairs if abs(each.more_per_deal) >= NOTABLE_CHIPS), key=_more_chips)
    if notable and notable[-1].more_per_deal > 0:
        yield _chips(notable[-1], "wins more", "loses less")
    if notable and notable[0].more_per_deal < 0:
        yield _chips(notable[0], "wins less", "loses more")
    always = next((style for style in known if style.played == style.deals and not (odd and style is odd.own)), None)
    if always:
        yield PlayHabit(
            "100 %", f"never passes {_HANDS[always.strength]}", f"It played all {always.deals:,} such hands."
        )


def _more_chips(beside: _Beside) -> float:
    """Returns the chips that the bot won with all these hands beyond what the others would."""
    return beside.more_per_deal * beside.own.deals


def _beside(own: Style, others: Sequence[Style]) -> _Beside | None:
    same = [style for style in others if style.strength == own.strength]
    deals, played = sum(style.deals for style in same), sum(style.played for style in same)
    return _Beside(own, deals, played, sum(style.chips for style in same)) if deals else None


_HANDS = {
    Strength.NONE: "a hand without a trump",
    Strength.LOW: "one low trump",
    Strength.HIGH: "one trump, the ace or king",
    Strength.TWO_LOW: "two low trumps",
    Strength.TWO_HIGH: "two trumps with the ace or king",
    Strength.MORE: "three trumps or more",
}


def _frequency(found: _Beside) -> PlayHabit:
    own, plays = found.own, found.more_often > 0
    times, usual = (own.played, found.played) if plays else (own.deals - own.played, found.deals - found.played)
    return PlayHabit(
        f"{100 * times / own.deals:.0f} %",
        f"{'plays' if plays else 'passes'} {_HANDS[own.strength]}",
        f"{times:,} of {own.deals:,} such hands. The others do so with {100 * usual / found.deals:.0f} %.",
    )


def _chips(found: _Beside, winning: str, losing: str) -> PlayHabit:
    own = found.own
    per_deal = own.chips / own.deals
    title = f"{winning if per_deal > 0 else losing} than the others with {_HANDS[own.strength]}"
    proof = f"Chips a deal over {own.deals:,} such hands. The others: {_signed(found.chips / found.deals)}."
    return PlayHabit(_signed(per_deal), title, proof)


def _signed(chips: float) -> str:
    return signed(chips, 2).replace("-", "\N{MINUS SIGN}")
