"""Write a deal as lines of text: hands, declarations, tricks by seat, chips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from bourre.record import Header, Record
from bourre.rules.cards import show
from bourre.rules.events import Declared, Drew, Stayed, TrumpNamed, TrumpTurned, TurnedTaken
from bourre.words.table_words import SUIT_NAMES
from bourre_referee.text.amounts import exact_chips
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.deal_story import DealStory, tell_story
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of
from bourre_referee.text.narration.incident_text import incident_lines
from bourre_referee.text.narration.outcome_text import outcome_lines
from bourre_referee.text.narration.spoken_notes import SpokenNotes, note_lines
from bourre_referee.text.narration.story_parts import SeatStory, TrickStory

NO_NOTES: SpokenNotes = {}
LEGEND = "(D) dealer   > led   * took the trick   ! renege   ? played by the referee"
TURNED = {
    "dealer_fifth": "",
    "separate_dead": ", nobody's card",
    "separate_dealer_option": ", for the dealer to take",
    "separate_returned": " and shuffled back",
}
"""What happens to the turned card, by the house rule `trump_card`."""


def deal_lines(story: DealStory, names: Sequence[str], title: str) -> Iterator[str]:
    """Yield one deal, as far as it went, under a title such as `Deal 2 of 9`; `names` by seat."""
    width = max(len(_label(seat, story, names)) for seat in story.order)
    yield f"{title}: {names[story.dealer]} deals, {_pot(story, names)}"
    if story.dealer_draws:
        yield f"drawn for the first deal: {', '.join(f'{names[draw.seat]} {draw.card}' for draw in story.dealer_draws)}"
    yield from _trumps(story, names)
    yield ""
    yield from _hands(story, names, width)
    if story.tricks:
        yield ""
        yield from _tricks(story, names, width)
    yield from _after_empty_line(
        chain.from_iterable(incident_lines(incident, story, names) for incident in story.incidents)
    )
    yield from _after_empty_line(outcome_lines(story, names))


def _after_empty_line(lines: Iterator[str]) -> Iterator[str]:
    """Yield an empty line and these lines, if there are any."""
    for index, line in enumerate(lines):
        if index == 0:
            yield ""
        yield line


def _label(seat: int, story: DealStory, names: Sequence[str]) -> str:
    return f"{seat} {names[seat]}{' (D)' * (seat == story.dealer)}"


def _pot(story: DealStory, names: Sequence[str]) -> str:
    """State the pot and where it comes from; a seat without an ante was exempt (R2.2)."""
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
        yield turned_card_words(story.turned, story)
    if story.named is not None:
        yield trump_words(story.named, names)


def turned_card_words(turned: TrumpTurned, story: DealStory) -> str:
    """Describe the turned card, and what happens to it."""
    return f"{turned.card} is turned up{TURNED[story.house.trump_card]}: {SUIT_NAMES[turned.trump]} are trumps"


def trump_words(named: TrumpNamed, names: Sequence[str]) -> str:
    """Describe the dealer's choice of trump."""
    return f"{names[named.seat]} names {SUIT_NAMES[named.trump]} as trumps"


def _hands(story: DealStory, names: Sequence[str], width: int) -> Iterator[str]:
    dealt = max(len(show(seat.dealt)) for seat in story.seats)
    for number in story.order:
        seat = story.seats[number]
        yield f"  {_label(number, story, names):{width}}  {show(seat.dealt):{dealt}}  {_turn(seat)}".rstrip()


def _turn(seat: SeatStory) -> str:
    """Describe what the seat did before the play."""
    if seat.declared is None:
        return ""
    text = declaration_words(seat.declared)
    if seat.declared.plays and seat.drew is not None:
        text += f", {draw_words(seat.drew, seat.took)}"
        if seat.stayed is not None:
            text += f"; {stay_words(seat.stayed)}"
    return text


def declaration_words(declared: Declared) -> str:
    """Describe, as a verb, whether the seat plays this deal."""
    if declared.plays:
        return "must play" if declared.obliged else "plays"
    return "may not play" if declared.obliged else "passes"


def draw_words(drew: Drew, took: TurnedTaken | None) -> str:
    """Describe, as verbs, what the seat discarded and drew; only the number if the cards are hidden."""
    if not drew.number:
        return "stands pat"
    if drew.discarded is None:
        return f"discards {drew.number} card{'s' * (drew.number != 1)}"
    turned = "" if took is None else f", takes the turned {took.card}"
    drawn = f", draws {show(drew.received)}" if drew.received else ""
    return f"discards {show(drew.discarded)}{turned}{drawn}"


def stay_words(stayed: Stayed) -> str:
    """Describe, as a verb, what the seat did after the draw."""
    return "stays" if stayed.stays else "passes after the draw"


def _tricks(story: DealStory, names: Sequence[str], width: int) -> Iterator[str]:
    numbers = "".join(f"{number:^6}" for number in range(1, len(story.tricks) + 1))
    yield f"  {'tricks':{width}} {numbers}  won"
    for number in story.order:
        if story.seats[number].plays:
            cells = "".join(_cell(number, trick) for trick in story.tricks)
            yield f"  {_label(number, story, names):{width}} {cells} {story.seats[number].tricks:>4}"


def _cell(seat: int, trick: TrickStory) -> str:
    """Format a card in six columns: led, card, won, wrong."""
    played = trick.cards.get(seat)
    if played is None:
        return " " * 6
    led = ">" if next(iter(trick.cards)) == seat else " "
    won = "*" if trick.winner == seat else ""
    wrong = "!" * played.reneged + "?" * played.by_referee
    return f" {led}{played.card}{won + wrong:2}"


def match_lines(record: Record, only: int | None = None, notes: SpokenNotes = NO_NOTES) -> Iterator[str]:
    """Yield the lines of every deal, or of `only` that one (from 1), each with its notes, without line ends.

    In `duplicate` a deal is text in all its seatings, and the match ends with the totals. A deal that does not exist
    yields nothing. Raises RecordError if the rules contradict the record.
    """
    header = record.header
    if header.format == "duplicate":
        yield from _format_lines(header)
        yield ""
    yield from lines_of(deals_of(record), header.deals, only, notes)
    if header.format == "duplicate" and only is None:
        yield _totals(record)
        yield ""
    yield LEGEND


def lines_of(
    deals: Iterable[DealEvents], number: int, only: int | None = None, notes: SpokenNotes = NO_NOTES
) -> Iterator[str]:
    """Yield these deals, or `only` that one, each followed by an empty line; `number` counts the match's deals."""
    for deal in deals:
        if only is not None and deal.number > only:
            break
        if only in (None, deal.number):
            yield from deal_lines(tell_story(deal), seat_names(deal.bots), _title(deal, number))
            if said := notes.get((deal.number, deal.seating)):
                yield from ("", "notes", *note_lines(said))
            yield ""


def _title(deal: DealEvents, number: int) -> str:
    seating = "" if deal.seating is None else f", seating {deal.seating} of {len(deal.bots)}"
    return f"Deal {deal.number} of {number}{seating}"


def _format_lines(header: Header) -> Iterator[str]:
    """Explain how `duplicate` differs from a session."""
    seats = len(header.bots)
    yield f"Format duplicate: each deal is played {seats} times, and every bot sits once in every seat."
    yield "Each time it begins with an empty pot, and what is left in the pot is shared equally among all seats (R7.6)."
    yield "No exemption from an ante and no forfeited turn to deal lasts beyond the deal (R1.4, R2.2)."
    if any(header.stakes):
        yield f"Stakes: before the antes every seat pays {_choice(header.stakes)}; the seed chooses for each deal."


def _choice(stakes: Sequence[int]) -> str:
    """Join stakes, such as `0, 1 or 4 chips`."""
    *others, last = map(str, stakes)
    chips = "chip" if last == "1" else "chips"
    return f"{', '.join(others)} or {last} {chips}" if others else f"{last} {chips}"


def _totals(record: Record) -> str:
    names = seat_names(record.header.bots)
    totals = (f"{name} {exact_chips(units)}" for name, units in zip(names, record.final, strict=True))
    return f"the match ends: {', '.join(totals)}"
