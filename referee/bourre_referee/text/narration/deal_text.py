"""Writes a deal as lines of text: hands, declarations, tricks by seat, chips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from bourre.record import Header, Record
from bourre.rules.cards import show
from bourre.rules.events import PotShared
from bourre.words.table_words import CardWriter
from bourre.words.table_words.deal_story import DealStory
from bourre.words.table_words.event_sentences import action_words, incident_lines, opening_words, outcome_words
from bourre.words.table_words.readers import Reader, exact_chips
from bourre.words.table_words.story_parts import SeatStory, TrickStory
from bourre_referee.text.names import seat_names
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of, story_of
from bourre_referee.text.narration.spoken_notes import SpokenNotes, note_lines

NO_NOTES: SpokenNotes = {}
LEGEND = "(D) dealer   > led   * took the trick   ! renege   ? played by the referee"


def deal_lines(story: DealStory, reader: Reader, title: str) -> Iterator[str]:
    """Yields one deal, as far as it went, under a title such as `Deal 2 of 9`."""
    names = reader.names
    width = max(len(_label(seat, story, names)) for seat in story.order)
    yield f"{title}: {names[story.dealer]} deals, {_pot(story, names)}"
    if story.dealer_draws:
        drawn = (f"{names[draw.seat]} {reader.cards([draw.card])}" for draw in story.dealer_draws)
        yield f"drawn for the first deal: {', '.join(drawn)}"
    yield from _trumps(story, reader)
    yield ""
    yield from _hands(story, reader, width)
    if story.tricks:
        yield ""
        yield from _tricks(story, reader, width)
    yield from _after_empty_line(
        chain.from_iterable(incident_lines(incident, story, reader) for incident in story.incidents)
    )
    yield from _after_empty_line(_outcome_lines(story, reader))


def _after_empty_line(lines: Iterator[str]) -> Iterator[str]:
    """Yields an empty line and these lines, if there are any."""
    for index, line in enumerate(lines):
        if index == 0:
            yield ""
        yield line


def _label(seat: int, story: DealStory, names: Sequence[str]) -> str:
    return f"{seat} {names[seat]}{' (D)' * (seat == story.dealer)}"


def _pot(story: DealStory, names: Sequence[str]) -> str:
    """States the pot and its sources. A seat without an ante was exempt (R2.2)."""
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


def _trumps(story: DealStory, reader: Reader) -> Iterator[str]:
    yield from (opening_words(event, story, reader) for event in (story.turned, story.named) if event is not None)


def _hands(story: DealStory, reader: Reader, width: int) -> Iterator[str]:
    hands = [reader.cards(seat.dealt or ()) for seat in story.seats]
    dealt = max(map(len, hands))
    for number in story.order:
        seat = story.seats[number]
        turn = _turn(seat, story, reader)
        yield f"  {_label(number, story, reader.names):{width}}  {hands[number]:{dealt}}  {turn}".rstrip()


def _turn(seat: SeatStory, story: DealStory, reader: Reader) -> str:
    """Describes the seat's decisions before the play."""
    if seat.declared is None:
        return ""
    text = action_words(seat.declared, story, reader)
    if seat.declared.plays and seat.drew is not None:
        text += f", {action_words(seat.drew, story, reader)}"
        if seat.stayed is not None:
            text += f"; {action_words(seat.stayed, story, reader)}"
    return text


def _tricks(story: DealStory, reader: Reader, width: int) -> Iterator[str]:
    numbers = "".join(f"{number:^6}" for number in range(1, len(story.tricks) + 1))
    yield f"  {'tricks':{width}} {numbers}  won"
    for number in story.order:
        if story.seats[number].plays:
            cells = "".join(_cell(number, trick, reader) for trick in story.tricks)
            yield f"  {_label(number, story, reader.names):{width}} {cells} {story.seats[number].tricks:>4}"


def _cell(seat: int, trick: TrickStory, reader: Reader) -> str:
    """Formats a card in six columns: led, card, won, wrong."""
    played = trick.cards.get(seat)
    if played is None:
        return " " * 6
    led = ">" if next(iter(trick.cards)) == seat else " "
    won = "*" if trick.winner == seat else ""
    wrong = "!" * played.reneged + "?" * played.by_referee
    return f" {led}{reader.cards([played.card])}{won + wrong:2}"


def _outcome_lines(story: DealStory, reader: Reader) -> Iterator[str]:
    """Yields the settlement of a deal, and after the last deal the result of the match."""
    shares = [event for event in story.outcome if isinstance(event, PotShared)]
    for event in story.outcome:
        if not isinstance(event, PotShared):
            yield outcome_words(event, story, reader)
        elif event is shares[0]:
            shared = ", ".join(f"{reader.name(share.seat)} {share.chips}" for share in shares)
            yield f"the pot left on the table is shared out (R7.6): {shared}"


def match_lines(
    record: Record, only: int | None = None, notes: SpokenNotes = NO_NOTES, cards: CardWriter = show
) -> Iterator[str]:
    """Yields the lines of every deal, or of `only` that one (from 1), each with its notes, without line ends.

    In `duplicate` the text of a deal contains all its seatings, and the match ends with the totals. A deal that does
    not exist yields nothing. Raises RecordError if the rules contradict the record.
    """
    header = record.header
    if header.format == "duplicate":
        yield from _format_lines(header)
        yield ""
    yield from lines_of(deals_of(record), header.deals, only, notes, cards)
    if header.format == "duplicate" and only is None:
        yield _totals(record)
        yield ""
    yield LEGEND


def lines_of(
    deals: Iterable[DealEvents],
    number: int,
    only: int | None = None,
    notes: SpokenNotes = NO_NOTES,
    cards: CardWriter = show,
) -> Iterator[str]:
    """Yields these deals, or `only` that one, each followed by an empty line. The match has `number` deals."""
    for deal in deals:
        if only is not None and deal.number > only:
            break
        if only in (None, deal.number):
            yield from deal_lines(story_of(deal), Reader(seat_names(deal.bots), cards=cards), _title(deal, number))
            if said := notes.get((deal.number, deal.seating)):
                yield from ("", "notes", *note_lines(said))
            yield ""


def _title(deal: DealEvents, number: int) -> str:
    seating = "" if deal.seating is None else f", seating {deal.seating} of {len(deal.bots)}"
    return f"Deal {deal.number} of {number}{seating}"


def _format_lines(header: Header) -> Iterator[str]:
    """Explains how `duplicate` differs from a session."""
    seats = len(header.bots)
    yield f"Format duplicate: each deal is played {seats} times, and every bot sits once in every seat."
    yield "Each time it begins with an empty pot, and what is left in the pot is shared equally among all seats (R7.6)."
    yield "No exemption from an ante and no forfeited turn to deal lasts beyond the deal (R1.4, R2.2)."
    if any(header.stakes):
        yield f"Stakes: before the antes every seat pays {_choice(header.stakes)}. The seed chooses for each deal."


def _choice(stakes: Sequence[int]) -> str:
    """Joins stakes, such as `0, 1 or 4 chips`."""
    *others, last = map(str, stakes)
    chips = "chip" if last == "1" else "chips"
    return f"{', '.join(others)} or {last} {chips}" if others else f"{last} {chips}"


def _totals(record: Record) -> str:
    names = seat_names(record.header.bots)
    totals = (f"{name} {exact_chips(units)}" for name, units in zip(names, record.final, strict=True))
    return f"the match ends: {', '.join(totals)}"
