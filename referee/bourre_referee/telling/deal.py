"""A deal as lines of text: who held what, who came in, the tricks laid out by seat, the chips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from bourre.rules.cards import Suit, show
from bourre_referee.telling.incidents import incident_lines
from bourre_referee.telling.outcome import outcome_lines
from bourre_referee.telling.story import DealStory, SeatStory, TrickStory

LEGEND = "(D) dealer   > led   * took the trick   ! renege   ? played by the referee"
SUITS = {Suit.C: "clubs", Suit.D: "diamonds", Suit.H: "hearts", Suit.S: "spades"}


def deal_lines(story: DealStory, names: Sequence[str], deals: int) -> Iterator[str]:
    """One deal of that many, told to the end or as far as it went; `names` by seat."""
    width = max(len(_label(seat, story, names)) for seat in story.order)
    yield f"Deal {story.number} of {deals}: {names[story.dealer]} deals, {_pot(story, names)}"
    if story.turned is not None:
        yield f"{story.turned.card} is turned up: {SUITS[story.turned.trump]} are trumps"
    yield ""
    yield from _hands(story, names, width)
    if story.tricks:
        yield ""
        yield from _tricks(story, names, width)
    yield from _spaced(chain.from_iterable(incident_lines(incident, names) for incident in story.incidents))
    yield from _spaced(outcome_lines(story, names))


def _spaced(lines: Iterator[str]) -> Iterator[str]:
    """These lines, if there are any, after an empty one."""
    for index, line in enumerate(lines):
        if index == 0:
            yield ""
        yield line


def _label(seat: int, story: DealStory, names: Sequence[str]) -> str:
    return f"{seat} {names[seat]}{' (D)' * (seat == story.dealer)}"


def _pot(story: DealStory, names: Sequence[str]) -> str:
    """The pot and where it comes from: who is not among the antes was exempt (R2.2)."""
    sources = []
    if story.carried:
        sources.append(f"{story.carried} carried over")
    if story.antes:
        sources.append(f"antes {sum(story.antes.values())}")
    exempt = [names[seat] for seat in story.order if story.antes and seat not in story.antes]
    if exempt:
        sources.append(f"exempt {', '.join(exempt)}")
    return f"pot {story.pot}" + (f" ({'; '.join(sources)})" if sources else "")


def _hands(story: DealStory, names: Sequence[str], width: int) -> Iterator[str]:
    dealt = max(len(show(seat.dealt)) for seat in story.seats)
    for number in story.order:
        seat = story.seats[number]
        yield f"  {_label(number, story, names):{width}}  {show(seat.dealt):{dealt}}  {_turn(seat)}".rstrip()


def _turn(seat: SeatStory) -> str:
    """What the seat did before the play."""
    if seat.declared is None:
        return ""
    if not seat.declared.plays:
        return "passes"
    plays = "must play" if seat.declared.obliged else "plays"
    if seat.drew is None:
        return plays
    if not seat.drew.number:
        return f"{plays}, stands pat"
    return f"{plays}, draws {seat.drew.number}: {show(seat.drew.discarded or ())} for {show(seat.drew.received or ())}"


def _tricks(story: DealStory, names: Sequence[str], width: int) -> Iterator[str]:
    numbers = "".join(f"{number:^6}" for number in range(1, len(story.tricks) + 1))
    yield f"  {'tricks':{width}} {numbers}  won"
    for number in story.order:
        if story.seats[number].plays:
            cells = "".join(_cell(number, trick) for trick in story.tricks)
            yield f"  {_label(number, story, names):{width}} {cells} {story.seats[number].tricks:>4}"


def _cell(seat: int, trick: TrickStory) -> str:
    """Six places: led, card, won, wrong."""
    played = trick.cards.get(seat)
    if played is None:
        return " " * 6
    led = ">" if next(iter(trick.cards)) == seat else " "
    won = "*" if trick.winner == seat else ""
    wrong = "!" * played.reneged + "?" * played.by_referee
    return f" {led}{played.card}{won + wrong:2}"
