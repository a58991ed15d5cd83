"""Writes a record line by line, as ASCII JSON with keys in fixed order and no spaces, so that it has only one text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Final

from bourre.record.record import DealRecord, Header
from bourre.rules.actions import PLAYS, Action, Declare, Draw, Play, Stay
from bourre.rules.cards import DECK, show
from bourre.rules.house import MAX_SEATS, HouseRules
from bourre.rules.pot import settle_in_units

VERSION = 1
"""The version of the format. It rises with any change that an older reader would misread."""
_PLAYS: Final = tuple({card: f"{seat} {Play(card)}" for card in DECK} for seat in range(MAX_SEATS))
"""The text of each play, by seat and card, made once."""
_SIMPLE: Final = (Declare(True), Declare(False), Draw(), Stay(True), Stay(False))
ACTIONS_BY_TEXT: Final[dict[str, tuple[int, Action]]] = {
    **{text: (seat, PLAYS[card]) for seat, of in enumerate(_PLAYS) for card, text in of.items()},
    **{f"{seat} {action}": (seat, action) for seat in range(MAX_SEATS) for action in _SIMPLE},
}
"""The seat and the action for the text of each play, and of each choice without cards."""
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def header_line(header: Header) -> str:
    """Writes the first line. It contains only the house rules that differ from the preset `pagat`."""
    return _line(
        {
            "bourre": VERSION,
            "match": header.match,
            "bots": header.bots,
            "deals": header.deals,
            "seed": header.seed.hex(),
            "house": _differing(header.house),
            **_format(header),
        }
    )


def deal_line(deal: DealRecord) -> str:
    """Writes the line of a deal."""
    actions = [
        _PLAYS[seat][action.card] if type(action) is Play else f"{seat} {action}" for seat, action in deal.actions
    ]
    turned = "null" if deal.turned is None else f'"{deal.turned}"'
    return (
        f'{{"deal":{deal.deal},{_seating(deal)}"dealer":{deal.dealer},"dealt":{_texts(list(map(show, deal.dealt)))},'
        f'"turned":{turned},"received":{_texts(list(map(show, deal.received)))},"actions":{_texts(actions)},'
        f'{_reneges(deal)}"taken":{_numbers(deal.taken)},"balances":{_numbers(deal.balances)},"pot":{deal.pot}}}'
    )


def _texts(texts: list[str]) -> str:
    """Writes texts that need no escapes, in a third of the time of `json`."""
    joined = '","'.join(texts)
    return f'["{joined}"]' if texts else "[]"


def _numbers(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"


def _format(header: Header) -> dict[str, object]:
    """Writes the format and its stakes; nothing in format `session`."""
    return {} if header.format == "session" else {"format": header.format, "stakes": header.stakes}


def _seating(deal: DealRecord) -> str:
    """Writes the seating; nothing in format `session`."""
    return "" if deal.seating is None else f'"seating":{deal.seating},"line_up":{_numbers(deal.line_up or ())},'


def _reneges(deal: DealRecord) -> str:
    """Writes the reneges, if any: seat, card, the rule it breaks, the chips it may cost, and the legal cards."""
    texts = [
        f"{renege.seat} {renege.card} {renege.rule} {renege.match} {show(renege.legal or ())}"
        for renege in deal.reneges
    ]
    return f'"reneges":{_texts(texts)},' if texts else ""


def final_line(balances: Iterable[int]) -> str:
    """Writes the last line: every seat's final balance, or in `duplicate` every bot's total in 1/840 chips."""
    return _line({"final": list(balances)})


def _differing(house: HouseRules) -> dict[str, object]:
    values = {field.name: (getattr(house, field.name), field.default) for field in fields(house)}
    return {key: value for key, (value, default) in values.items() if value != default}


def _line(values: Mapping[str, object]) -> str:
    return _encode(values)


def duplicate_text(header: Header, deals: Iterable[DealRecord]) -> str:
    """Returns the whole record, sorted by deal and seating."""
    ordered = sorted(deals, key=lambda deal: (deal.deal, deal.seating or 0))
    lines = [header_line(header), *map(deal_line, ordered), final_line(totals(ordered))]
    return "".join(f"{line}\n" for line in lines)


def totals(deals: Sequence[DealRecord]) -> tuple[int, ...]:
    """Returns each bot's total over these deals, by number, in 1/840 chips."""
    sums = [0] * len(deals[0].balances)
    for deal in deals:
        for bot, units in enumerate(by_bot(deal)):
            sums[bot] += units
    return tuple(sums)


def by_bot(deal: DealRecord) -> tuple[int, ...]:
    """Returns each bot's result in one seating of a deal, by number, in 1/840 chips."""
    assert deal.line_up is not None
    units = settle_in_units(deal.balances, deal.pot)
    return tuple(units[deal.line_up.index(bot)] for bot in range(len(units)))
