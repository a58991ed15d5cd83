"""Converts the referee's messages to the wire and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bourre.codec.view_writer import ViewWriter
from bourre.codec.views import house_from_wire, house_to_wire, view_from_wire
from bourre.codec.wire_words import DECISIONS, clamp_to_64_bits
from bourre.messages import Ask, Bundle, MatchEnd, Seating, Welcome
from bourre.rules.view import Renege
from bourre.v1 import game_pb2, referee_pb2

if TYPE_CHECKING:
    from bourre.rules.events import Event


class BundleWriter:
    """Writes the messages to the bots of a room. Encodes the shared parts of a table's views only once (ViewWriter)."""

    __slots__ = ("_views",)

    def __init__(self) -> None:
        self._views: defaultdict[int, ViewWriter] = defaultdict(ViewWriter)

    def write(self, bundle: Bundle) -> referee_pb2.RefereeMessage:
        """Returns one message for one bot."""
        message = referee_pb2.RefereeMessage(
            seatings=map(_seating_to_wire, bundle.seatings), match_ends=map(self._write_end, bundle.match_ends)
        )
        for ask in bundle.asks:
            self._write_ask(ask, message.asks.add())
        if bundle.welcome:
            message.welcome.CopyFrom(_welcome_to_wire(bundle.welcome))
        if bundle.refusal:
            message.refusal.reason = bundle.refusal
        if bundle.goodbye:
            message.goodbye.reason = bundle.goodbye
        if bundle.notice:
            message.notice = bundle.notice
        return message

    def _write_ask(self, ask: Ask, message: referee_pb2.Ask) -> None:
        view = ask.view
        message.table = ask.table
        message.id = ask.id
        message.decision = DECISIONS[view.decision]
        message.bank_ms = ask.bank_ms
        message.match_ms = ask.match_ms
        self._views[ask.table].write(view, message.view)
        if view.correcting:
            message.renege.CopyFrom(_renege_to_wire(view.correcting))
        if ask.events:
            message.events.extend(_events_to_wire(ask.events))

    def _write_end(self, end: MatchEnd) -> referee_pb2.MatchEnd:
        self._views.pop(end.table, None)
        balances = map(clamp_to_64_bits, end.balances)
        return referee_pb2.MatchEnd(table=end.table, balances=balances, events=_events_to_wire(end.events))


def bundle_to_wire(bundle: Bundle) -> referee_pb2.RefereeMessage:
    """Returns one message for a bot, without a cache."""
    return BundleWriter().write(bundle)


def bundle_from_wire(message: referee_pb2.RefereeMessage, seatings: Mapping[int, Seating]) -> Bundle:
    """Reads a message, with its own seatings and the earlier ones by table.

    Skips the end of an unknown match, which can arrive after a broken connection.
    """
    new = {seating.table: _seating_from_wire(seating) for seating in message.seatings}
    known = {**seatings, **new} if new else seatings
    return Bundle(
        welcome=_welcome_from_wire(message.welcome) if message.HasField("welcome") else None,
        refusal=message.refusal.reason or "refused" if message.HasField("refusal") else "",
        seatings=list(new.values()),
        asks=[_ask_from_wire(ask, known[ask.table]) for ask in message.asks],
        match_ends=[_match_end_from_wire(end, known[end.table]) for end in message.match_ends if end.table in known],
        goodbye=message.goodbye.reason or "goodbye" if message.HasField("goodbye") else "",
        notice=message.notice,
    )


def _welcome_to_wire(welcome: Welcome) -> referee_pb2.Welcome:
    return referee_pb2.Welcome(
        bot=welcome.bot,
        room=welcome.room,
        decision_ms=welcome.decision_ms,
        bank_ms=welcome.bank_ms,
        match_ms=welcome.match_ms,
        reconnect_ms=welcome.reconnect_ms,
        stays=welcome.stays,
    )


def _welcome_from_wire(welcome: referee_pb2.Welcome) -> Welcome:
    return Welcome(
        bot=welcome.bot,
        room=welcome.room,
        decision_ms=welcome.decision_ms,
        bank_ms=welcome.bank_ms,
        match_ms=welcome.match_ms,
        reconnect_ms=welcome.reconnect_ms,
        stays=welcome.stays,
    )


def _seating_to_wire(seating: Seating) -> referee_pb2.Seating:
    return referee_pb2.Seating(
        table=seating.table,
        match=seating.match,
        seat=seating.seat,
        seats=seating.seats,
        deals=seating.deals,
        house=house_to_wire(seating.house),
    )


def _seating_from_wire(seating: referee_pb2.Seating) -> Seating:
    return Seating(
        table=seating.table,
        match=seating.match,
        seat=seating.seat,
        seats=seating.seats,
        deals=seating.deals,
        house=house_from_wire(seating.house),
    )


def _renege_to_wire(renege: Renege) -> game_pb2.Renege:
    return game_pb2.Renege(
        card=str(renege.card), rule=renege.rule, match=clamp_to_64_bits(renege.match), sentence=renege.sentence
    )


def _ask_from_wire(ask: referee_pb2.Ask, seating: Seating) -> Ask:
    renege = ask.renege if ask.HasField("renege") else None
    view = view_from_wire(ask.view, ask.decision, renege, seating)
    return Ask(ask.table, ask.id, view, ask.bank_ms, _events_from_wire(ask.events, seating), ask.match_ms)


def _match_end_from_wire(end: referee_pb2.MatchEnd, seating: Seating) -> MatchEnd:
    return MatchEnd(end.table, tuple(end.balances), _events_from_wire(end.events, seating))


def load_events() -> None:
    """Loads the reader of events before a bot's first decision."""
    import bourre.codec.wire_events  # noqa: F401


def _events_to_wire(events: tuple[Event, ...]) -> Iterable[game_pb2.Event]:
    if not events:
        return ()
    from bourre.codec.wire_events import event_to_wire  # slow to load, and only for bots that follow events

    return map(event_to_wire, events)


def _events_from_wire(events: Sequence[game_pb2.Event], seating: Seating) -> tuple[Event, ...]:
    if not events:
        return ()
    from bourre.codec.wire_events import event_from_wire

    read = (event_from_wire(event, seating.seat) for event in events)
    return tuple(event for event in read if event is not None)
