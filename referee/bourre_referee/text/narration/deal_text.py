"""A deal as lines of text: who held what, who came in, the tricks laid out by seat, the chips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from bourre.record import Header, Record
from bourre.rules.cards import show
from bourre.rules.events import Declared, Drew, Stayed, TrumpNamed, TrumpTurned, TurnedTaken
from bourre_referee.text.amounts import exact
from bourre_referee.text.names import SUITS, seat_names
from bourre_referee.text.narration.deal_story import DealStory, tell_story
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of
from bourre_referee.text.narration.incident_text import incident_lines
from bourre_referee.text.narration.outcome_text import outcome_lines
from bourre_referee.text.narration.story_parts import SeatStory, TrickStory

LEGEND = "(D) dealer   > led   * took the trick   ! renege   ? played by the referee"
TURNED = {
    "dealer_fifth": "",
    "separate_dead": ", nobody's card",
    "separate_dealer_option": ", for the dealer to take",
    "separate_returned": " and shuffled back",
}
"""What becomes of the turned card, by the house's `trump_card`."""


def deal_lines(story: DealStory, names: Sequence[str], title: str) -> Iterator[str]:
    """One deal under a title such as `Deal 2 of 9`, told to the end or as far as it went; `names` by seat."""
    width = max(len(_label(seat, story, names)) for seat in story.order)
    yield f"{title}: {names[story.dealer]} deals, {_pot(story, names)}"
    if story.drawn:
        yield f"drawn for the first deal: {', '.join(f'{names[drawn.seat]} {drawn.card}' for drawn in story.drawn)}"
    yield from _trumps(story, names)
    yield ""
    yield from _hands(story, names, width)
    if story.tricks:
        yield ""
        yield from _tricks(story, names, width)
    yield from _spaced(chain.from_iterable(incident_lines(incident, story, names) for incident in story.incidents))
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
    if story.stakes:
        sources.append(f"stakes {sum(story.stakes.values())}, {story.stake} from each seat")
    if story.antes:
        by_dealer = ", all paid by the dealer" * story.house.dealer_antes_all
        sources.append(f"antes {sum(story.antes.values())}{by_dealer}")
    exempt = [names[seat] for seat in story.order if story.antes and seat not in story.antes]
    if exempt and not story.house.dealer_antes_all:
        sources.append(f"exempt {', '.join(exempt)}")
    if story.second_antes:
        sources.append(f"second antes {story.second_antes}")
    return f"pot {story.pot}" + (f" ({'; '.join(sources)})" if sources else "")


def _trumps(story: DealStory, names: Sequence[str]) -> Iterator[str]:
    if story.turned is not None:
        yield turned_words(story.turned, story)
    if story.named is not None:
        yield named_words(story.named, names)


def turned_words(turned: TrumpTurned, story: DealStory) -> str:
    """The turn-up in words, and what becomes of the card."""
    return f"{turned.card} is turned up{TURNED[story.house.trump_card]}: {SUITS[turned.trump]} are trumps"


def named_words(named: TrumpNamed, names: Sequence[str]) -> str:
    """The dealer's choice in words."""
    return f"{names[named.seat]} names {SUITS[named.trump]} as trumps"


def _hands(story: DealStory, names: Sequence[str], width: int) -> Iterator[str]:
    dealt = max(len(show(seat.dealt)) for seat in story.seats)
    for number in story.order:
        seat = story.seats[number]
        yield f"  {_label(number, story, names):{width}}  {show(seat.dealt):{dealt}}  {_turn(seat)}".rstrip()


def _turn(seat: SeatStory) -> str:
    """What the seat did before the play."""
    if seat.declared is None:
        return ""
    told = declared_words(seat.declared)
    if seat.declared.plays and seat.drew is not None:
        told += f", {draw_words(seat.drew, seat.took)}"
        if seat.stayed is not None:
            told += f"; {stayed_words(seat.stayed)}"
    return told


def declared_words(declared: Declared) -> str:
    """What the seat did about this deal, as a verb."""
    if declared.plays:
        return "must play" if declared.obliged else "plays"
    return "may not play" if declared.obliged else "passes"


def draw_words(drew: Drew, took: TurnedTaken | None) -> str:
    """What the seat discarded and drew, as verbs; only the number where the cards are not told."""
    if not drew.number:
        return "stands pat"
    if drew.discarded is None:
        return f"discards {drew.number} card{'s' * (drew.number != 1)}"
    turned = "" if took is None else f", takes the turned {took.card}"
    drawn = f", draws {show(drew.received)}" if drew.received else ""
    return f"discards {show(drew.discarded)}{turned}{drawn}"


def stayed_words(stayed: Stayed) -> str:
    """What the seat did after the draw, as a verb."""
    return "stays" if stayed.stays else "passes after the draw"


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


def match_lines(record: Record, only: int | None = None) -> Iterator[str]:
    """Every deal of the match, or `only` that one (from 1), as lines without their line ends.

    In `duplicate` a deal is told in all its seatings, and the match ends with the totals. A deal that does not exist
    yields nothing. RecordError where the rules contradict the record.
    """
    header = record.header
    if header.format == "duplicate":
        yield from _format_lines(header)
        yield ""
    yield from lines_of(deals_of(record), header.deals, only)
    if header.format == "duplicate" and only is None:
        yield _totals(record)
        yield ""
    yield LEGEND


def lines_of(deals: Iterable[DealEvents], number: int, only: int | None = None) -> Iterator[str]:
    """These deals, or `only` that one, each with an empty line after it; `number` in the whole match."""
    for deal in deals:
        if only is not None and deal.number > only:
            break
        if only in (None, deal.number):
            yield from deal_lines(tell_story(deal), seat_names(deal.bots), _title(deal, number))
            yield ""


def _title(deal: DealEvents, number: int) -> str:
    seating = "" if deal.seating is None else f", seating {deal.seating} of {len(deal.bots)}"
    return f"Deal {deal.number} of {number}{seating}"


def _format_lines(header: Header) -> Iterator[str]:
    """What `duplicate` changes, for whoever knows the game as it is played in a session."""
    seats = len(header.bots)
    yield f"Format duplicate: each deal is played {seats} times, and every bot sits once in every seat."
    yield "Each time it begins with an empty pot, and what is left in the pot is shared equally among all seats (R7.6)."
    yield "No exemption from an ante and no forfeited turn to deal lasts beyond the deal (R1.4, R2.2)."
    if any(header.stakes):
        yield f"Stakes: before the antes every seat pays {_choice(header.stakes)}; the seed chooses for each deal."


def _choice(stakes: Sequence[int]) -> str:
    """Such as `0, 1 or 4 chips`."""
    *others, last = map(str, stakes)
    chips = "chip" if last == "1" else "chips"
    return f"{', '.join(others)} or {last} {chips}" if others else f"{last} {chips}"


def _totals(record: Record) -> str:
    names = seat_names(record.header.bots)
    totals = (f"{name} {exact(units)}" for name, units in zip(names, record.final, strict=True))
    return f"the match ends: {', '.join(totals)}"
