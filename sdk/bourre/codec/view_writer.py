"""Writes the views of one table to the wire. Encodes their shared parts only once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

from bourre.codec.wire_words import NOT_DRAWN, STANDINGS, clamp_to_64_bits
from bourre.rules.cards import Card, Suit, show
from bourre.rules.tricks import Trick
from bourre.rules.view import View
from bourre.v1 import game_pb2 as wire

Facts = ParamSpec("Facts")


class ViewWriter:
    """Writes the views of one table, without the decision, and without the house rules and deals of its seatings.

    Public facts are encoded once and cached until they change. The facts of one seat are written for each view.
    """

    __slots__ = ("_deal", "_seats", "_tricks")

    def __init__(self) -> None:
        self._deal = _Part(_write_deal)
        self._seats = _Part(_write_seats)
        self._tricks = _Part(_write_tricks)

    def write(self, view: View, message: wire.View) -> None:
        """Writes this view to an empty message inside a larger one, which avoids a copy."""
        message.MergeFromString(
            self._deal.encode(
                *(view.deal, view.dealer, view.turned, view.max_discards, view.pot, view.balances, view.owed_turns)
            )
            + self._seats.encode(view.named, view.dead, view.plays, view.drawn, view.barred, view.recalled)
            + self._tricks.encode(view.tricks, view.leader)
        )
        message.seat = view.seat
        message.seed = view.seed
        message.hand = hand = show(view.hand)
        message.legal = hand if view.legal == view.hand else show(view.legal)
        if view.discarded:
            message.discarded = show(view.discarded)
        if view.trick:
            message.trick = show(view.trick)


class _Part(Generic[Facts]):
    """A part of a view as wire bytes, which can be joined with others. It is encoded again only when it changes."""

    __slots__ = ("_facts", "_write", "_written")

    def __init__(self, write: Callable[Facts, wire.View]) -> None:
        self._write = write
        self._facts: object = None
        self._written = b""

    def encode(self, *facts: Facts.args, **no_more: Facts.kwargs) -> bytes:
        if facts != self._facts:
            self._facts, self._written = facts, self._write(*facts, **no_more).SerializeToString()
        return self._written


def _write_deal(
    deal: int,
    dealer: int,
    turned: Card | None,
    max_discards: int,
    pot: int,
    balances: tuple[int, ...],
    owed_turns: tuple[int, ...],
) -> wire.View:
    """Writes the facts that seldom change within a deal."""
    return wire.View(
        deal=deal,
        dealer=dealer,
        turned="" if turned is None else str(turned),
        max_discards=max_discards,
        pot=clamp_to_64_bits(pot),
        balances=[clamp_to_64_bits(chips) for chips in balances],
        owed_turns=owed_turns,
    )


def _write_seats(
    named: Suit | None,
    dead: Card | None,
    plays: tuple[bool | None, ...],
    drawn: tuple[int | None, ...],
    barred: tuple[int, ...],
    recalled: tuple[tuple[int, Card], ...],
) -> wire.View:
    """Writes the facts that change with declarations and draws, and seldom during the play."""
    written = wire.View(
        standings=[STANDINGS[said] for said in plays],
        drawn=[NOT_DRAWN if cards is None else cards for cards in drawn],
    )
    if named is not None:
        written.trump = str(named)
    if dead is not None:
        written.dead = str(dead)
    if barred:
        written.barred.extend(barred)
    if recalled:
        written.recalled = show([card for _, card in recalled])
        written.recalled_by.extend([seat for seat, _ in recalled])
    return written


def _write_tricks(tricks: tuple[Trick, ...], leader: int | None) -> wire.View:
    """Writes the completed tricks and the next leader; nothing before the play."""
    leaders = [trick.leader for trick in tricks]
    if leader is not None:
        leaders.append(leader)
    return wire.View(tricks=[show(trick.cards) for trick in tricks], leaders=leaders)
