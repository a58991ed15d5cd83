"""Reads a record from its text. `replay` checks whether it is correct."""

from __future__ import annotations

from collections.abc import Iterator

from bourre.record.json_line import JsonLine
from bourre.record.record import DealRecord, Format, Header, Record, RecordError
from bourre.record.record_text import ACTIONS_BY_TEXT, VERSION, deal_line, final_line, header_line
from bourre.rules.actions import Action, parse_action
from bourre.rules.cards import Card, parse_cards
from bourre.rules.errors import InvalidAction, InvalidCard, InvalidHouse
from bourre.rules.events import Reneged
from bourre.rules.house import HouseRules


def read(text: str) -> Record:
    """Reads a complete record, in exactly the form that this version writes.

    Raises RecordError with the line or the missing end.
    """
    lines = record_lines(text)
    header = read_header(next_line(lines, "it is empty"))
    deals = []
    for number, seating in expected_deals(header):
        line = next_line(lines, f"it ends before deal {number} of {header.deals}")
        deals.append(_deal(line, number, seating, header))
    final = _final(next_line(lines, "its last line, with the final balances, is missing"), header)
    for line in lines:
        line.fail("nothing may follow the final balances")
    return Record(header, tuple(deals), final)


def record_lines(text: str) -> Iterator[JsonLine]:
    """Yields the lines of a record. Raises RecordError for one that is no JSON, or that does not end."""
    begin = number = 0
    while (end := text.find("\n", begin)) >= 0:
        number += 1
        yield JsonLine(number, text[begin:end])
        begin = end + 1
    if begin < len(text):
        raise RecordError(f"line {number + 1}: the record ends in the middle of this line")


def next_line(lines: Iterator[JsonLine], otherwise: str) -> JsonLine:
    """Returns the next line. Raises RecordError with this reason if there is none."""
    line = next(lines, None)
    if line is None:
        raise RecordError(f"this record is incomplete: {otherwise}")
    return line


def read_header(line: JsonLine) -> Header:
    """Reads the first line. Raises RecordError."""
    version = line.get_int("bourre")
    if version != VERSION:
        line.fail(f"this is a record of format version {version}, but this package reads version {VERSION}")
    bots = line.get_texts("bots")
    try:
        house = HouseRules.preset("pagat", **line.get_object("house"))
        house.check_seats(len(bots))
    except InvalidHouse as error:
        line.fail(str(error))
    deals = line.get_int("deals")
    if deals < 1:
        line.fail(f"a match has at least one deal, not {deals}")
    header = Header(line.get_text("match"), bots, deals, _seed(line), house, *_format(line))
    _check_form(line, header_line(header))
    return header


def _format(line: JsonLine) -> tuple[Format, tuple[int, ...]]:
    if not line.has("format"):
        return "session", (0,)
    if line.get_text("format") != "duplicate":
        line.fail("'format' must be 'duplicate', or be left out")
    stakes = line.get_ints("stakes")
    if not stakes or min(stakes) < 0:
        line.fail("'stakes' must hold whole numbers from 0 up, at least one")
    return "duplicate", stakes


def expected_deals(header: Header) -> Iterator[tuple[int, int | None]]:
    """Yields the number of every deal in order. In `duplicate`, each seating of a deal follows."""
    seatings = [None] if header.format == "session" else range(1, len(header.bots) + 1)
    return ((number, seating) for number in range(1, header.deals + 1) for seating in seatings)


def _seed(line: JsonLine) -> bytes:
    try:
        return bytes.fromhex(line.get_text("seed"))
    except ValueError:
        line.fail("'seed' must be written in hexadecimal digits")


def _deal(line: JsonLine, number: int, seating: int | None, header: Header) -> DealRecord:
    if line.get_int("deal") != number:
        line.fail(f"deal {number} is expected here, not {line.get_int('deal')}")
    if seating is not None and line.get_int("seating") != seating:
        line.fail(f"seating {seating} of deal {number} is expected here, not {line.get_int('seating')}")
    seats = len(header.bots)
    deal = DealRecord(
        deal=number,
        dealer=line.get_int("dealer"),
        dealt=_hands(line, "dealt", seats),
        turned=None if line.get("turned") is None else _card(line, line.get_text("turned")),
        received=_hands(line, "received", seats),
        actions=tuple(read_action(line, text, seats) for text in line.get_texts("actions")),
        reneges=tuple(_renege(line, text, seats) for text in line.get_texts("reneges")) if line.has("reneges") else (),
        taken=line.get_ints("taken", seats),
        balances=line.get_ints("balances", seats),
        pot=line.get_int("pot"),
        seating=seating,
        line_up=None if seating is None else read_line_up(line, seats),
    )
    _check_form(line, deal_line(deal))
    return deal


def read_line_up(line: JsonLine, seats: int) -> tuple[int, ...]:
    """Reads the bot at each seat of a seating. Raises RecordError."""
    line_up = line.get_ints("line_up", seats)
    if sorted(line_up) != list(range(seats)):
        line.fail(f"'line_up' must hold the numbers of all bots, 0 to {seats - 1}, each once")
    return line_up


def _final(line: JsonLine, header: Header) -> tuple[int, ...]:
    final = line.get_ints("final", len(header.bots))
    _check_form(line, final_line(final))
    return final


def _hands(line: JsonLine, key: str, seats: int) -> tuple[tuple[Card, ...], ...]:
    try:
        return tuple(parse_cards(text) for text in line.get_texts(key, seats))
    except InvalidCard as error:
        line.fail(f"{key!r}: {error}")


def _card(line: JsonLine, text: str) -> Card:
    try:
        return Card(text)
    except InvalidCard as error:
        line.fail(str(error))


def read_action(line: JsonLine, text: str, seats: int) -> tuple[int, Action]:
    """Reads a seat and its action. Raises RecordError."""
    if (known := ACTIONS_BY_TEXT.get(text)) and known[0] < seats:
        return known
    seat, _, action = text.partition(" ")
    if seat not in map(str, range(seats)):
        line.fail(f"action {text!r} does not begin with a seat from 0 to {seats - 1}")
    try:
        return int(seat), parse_action(action)
    except (InvalidAction, InvalidCard) as error:
        line.fail(f"action {text!r}: {error}")


def _renege(line: JsonLine, text: str, seats: int) -> Reneged:
    words = text.split()
    if len(words) < 5 or words[0] not in map(str, range(seats)) or not words[3].isdecimal():
        line.fail(f"renege {text!r} is not of the form `seat card rule chips legal cards`")
    card, *legal = (_card(line, word) for word in (words[1], *words[4:]))
    return Reneged(int(words[0]), card, words[2], tuple(legal), int(words[3]))


def _check_form(line: JsonLine, form: str) -> None:
    """Checks that a line has its only form, so that a record has only one digest."""
    if line.text != form:
        column = next(
            (at for at, pair in enumerate(zip(line.text, form, strict=False)) if pair[0] != pair[1]), len(form)
        )
        wanted = form[column : column + 20]
        line.fail(f"not written as version {VERSION} writes it: from column {column + 1} it should read {wanted!r}")
