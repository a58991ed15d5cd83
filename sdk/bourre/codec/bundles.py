"""What the referee says to a bot, to the wire and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bourre.codec.chips import in_64_bits
from bourre.codec.events import event_from_wire, event_to_wire
from bourre.codec.views import decision_to_wire, house_from_wire, house_to_wire, view_from_wire, view_to_wire
from bourre.messages import Ask, Bundle, MatchEnd, Seating, Welcome
from bourre.rules.events import Event
from bourre.rules.sentences import sentence
from bourre.rules.view import Renege
from bourre.v1 import game_pb2, referee_pb2


def bundle_to_wire(bundle: Bundle) -> referee_pb2.RefereeMessage:
    """One message with all that is ready for a bot."""
    return referee_pb2.RefereeMessage(
        welcome=_welcome_to_wire(bundle.welcome) if bundle.welcome else None,
        refusal=referee_pb2.Refusal(reason=bundle.refusal) if bundle.refusal else None,
        seatings=map(_seating_to_wire, bundle.seatings),
        asks=map(_ask_to_wire, bundle.asks),
        match_ends=map(_match_end_to_wire, bundle.match_ends),
        goodbye=referee_pb2.Goodbye(reason=bundle.goodbye) if bundle.goodbye else None,
    )


def bundle_from_wire(message: referee_pb2.RefereeMessage, seatings: Mapping[int, Seating]) -> Bundle:
    """What one message says, read by the seatings told before, by table; this message's own count too.

    After a broken line a match may end of which the bot has not heard: that is left out.
    """
    told = {seating.table: _seating_from_wire(seating) for seating in message.seatings}
    known = {**seatings, **told} if told else seatings
    return Bundle(
        welcome=_welcome_from_wire(message.welcome) if message.HasField("welcome") else None,
        refusal=message.refusal.reason or "refused" if message.HasField("refusal") else "",
        seatings=list(told.values()),
        asks=[_ask_from_wire(ask, known[ask.table]) for ask in message.asks],
        match_ends=[_match_end_from_wire(end, known[end.table]) for end in message.match_ends if end.table in known],
        goodbye=message.goodbye.reason or "goodbye" if message.HasField("goodbye") else "",
    )


def _welcome_to_wire(welcome: Welcome) -> referee_pb2.Welcome:
    return referee_pb2.Welcome(
        bot=welcome.bot,
        room=welcome.room,
        decision_ms=welcome.decision_ms,
        bank_ms=welcome.bank_ms,
        match_ms=welcome.match_ms,
        reconnect_ms=welcome.reconnect_ms,
    )


def _welcome_from_wire(told: referee_pb2.Welcome) -> Welcome:
    return Welcome(told.bot, told.room, told.decision_ms, told.bank_ms, told.match_ms, told.reconnect_ms)


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


def _ask_to_wire(ask: Ask) -> referee_pb2.Ask:
    correcting = ask.view.correcting
    return referee_pb2.Ask(
        table=ask.table,
        id=ask.id,
        decision=decision_to_wire(ask.view.decision),
        bank_ms=ask.bank_ms,
        view=view_to_wire(ask.view),
        renege=_renege_to_wire(correcting) if correcting else None,
        events=map(event_to_wire, ask.events),
        match_ms=ask.match_ms,
    )


def _renege_to_wire(renege: Renege) -> game_pb2.Renege:
    return game_pb2.Renege(
        card=str(renege.card), rule=renege.rule, match=in_64_bits(renege.match), sentence=sentence(renege.rule)
    )


def _ask_from_wire(ask: referee_pb2.Ask, seating: Seating) -> Ask:
    renege = ask.renege if ask.HasField("renege") else None
    return Ask(
        table=ask.table,
        id=ask.id,
        view=view_from_wire(ask.view, ask.decision, renege, seating),
        bank_ms=ask.bank_ms,
        events=_events_from_wire(ask.events, seating),
        match_ms=ask.match_ms,
    )


def _match_end_to_wire(end: MatchEnd) -> referee_pb2.MatchEnd:
    return referee_pb2.MatchEnd(
        table=end.table, balances=map(in_64_bits, end.balances), events=map(event_to_wire, end.events)
    )


def _match_end_from_wire(end: referee_pb2.MatchEnd, seating: Seating) -> MatchEnd:
    return MatchEnd(end.table, tuple(end.balances), _events_from_wire(end.events, seating))


def _events_from_wire(events: Iterable[game_pb2.Event], seating: Seating) -> tuple[Event, ...]:
    told = (event_from_wire(event, seating.seat) for event in events)
    return tuple(event for event in told if event is not None)
