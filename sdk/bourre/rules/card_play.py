"""The card play of one deal: its tricks and its reneges (R5, R6, R8)."""

from __future__ import annotations

from typing import Final, NamedTuple

from bourre.rules.actions import Action, Fault, Missing, Play
from bourre.rules.cards import DECK, Card, Suit, cards_in, lowest
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.errors import InvalidAction
from bourre.rules.events import (
    CardPlayed,
    Event,
    Faulted,
    Penalized,
    RenegeCorrected,
    Reneged,
    RenegeRetracted,
    TrickReopened,
    TrickTaken,
)
from bourre.rules.house import MAX_SEATS, RANGES, HouseRules
from bourre.rules.pot import match_due
from bourre.rules.trick_play import TrickPlay
from bourre.rules.tricks import broken_rule

_CARD_PLAYED_EVENTS: Final = tuple({card: CardPlayed(seat, card) for card in DECK} for seat in range(MAX_SEATS))
"""Each possible CardPlayed event, by seat and card, made once."""
_TRICK_TAKEN_EVENTS: Final = tuple(
    tuple(TrickTaken(seat, trick) for trick in range(RANGES["cards"][1] + 1)) for seat in range(MAX_SEATS)
)
"""Each possible TrickTaken event, by seat and trick, made once."""


class _State(NamedTuple):
    """The state before a card is laid, to restore it if the card is taken back."""

    hand: int
    """The hand of the seat to act."""
    leader: int
    to_act: int
    trick: list[Card]
    best: Card
    taker: int
    tricks: int
    """The number of complete tricks."""
    seen: int
    shown: int
    won: dict[int, int]
    legal: int


class _Window(NamedTuple):
    """A renege that is not announced before the next card is accepted (R8.4, `silent`)."""

    renege: Reneged
    before: _State


@mypyc_attr(allow_interpreted_subclasses=True)
class Tricks(TrickPlay):
    """The tricks of one deal, played by the answers of its seats."""

    def __init__(
        self, hands: list[int], order: tuple[int, ...], trump: Suit, dead: int, pot: int, house: HouseRules
    ) -> None:
        """`hands` are card sets by seat, which shrink with each play. `order` lists the seats that are in, from the
        dealer's left.
        """
        super().__init__(hands, order, trump, dead, house)
        self.pot = pot
        self.uncorrected: set[int] = set()
        self.corrected: list[int] = []
        self.recalled: list[tuple[int, Card]] = []
        self.correcting: Reneged | None = None
        self._window: _Window | None = None

    @property
    def forced(self) -> Card | None:
        """The only legal card, if there is exactly one and no renege to correct; else None."""
        legal = self.legal
        return None if legal & (legal - 1) or self.correcting is not None else lowest(legal)

    @property
    def barred(self) -> tuple[int, ...]:
        """The seats that cannot win this pot (R8)."""
        return tuple(sorted({*self.uncorrected, *self.corrected})) if self.uncorrected or self.corrected else ()

    def apply(self, action: Action) -> list[Event]:
        """Applies the answer of the seat to act, and returns the events."""
        undisturbed = self.correcting is None and self._window is None
        if undisturbed and isinstance(action, Play):
            number: int = action.card  # compiled code is faster with a plain number than with a Card
            if self.legal >> number & 1:
                return self._accept(action.card)
        fault, card = self._read(action)
        faulted: list[Event] = [Faulted(self.to_act, fault)] if fault else []
        if self.correcting is not None:
            return faulted + self._correct(self.correcting, card)
        if card is None:
            return [*faulted, *self._close_window(), self._penalize("R8.5"), *self._accept(lowest(self.legal))]
        if self.legal >> card & 1:
            return [*self._close_window(), *self._accept(card)]
        return self._renege(card)

    def recall(self, seat: int, card: Card) -> list[Event]:
        """Corrects a silent renege of this seat with this card. Otherwise returns no events (R8.4)."""
        window = self._window
        if window is None or window.renege.seat != seat or not window.before.legal >> card & 1:
            return []
        reopened = len(self.completed) > window.before.tricks
        self._window = None
        self._restore(window.before)
        events: list[Event] = [window.renege, self._take_back(window.renege)]
        if reopened:
            events.append(TrickReopened(len(self.completed) + 1))
        return [*events, *self._accept(card)]

    def _read(self, action: Action) -> tuple[Fault | None, Card | None]:
        if isinstance(action, Missing):
            return action.fault, None
        if not isinstance(action, Play):
            raise InvalidAction(f"seat {self.to_act} was asked for a card, not {action}")
        held = self.hands[self.to_act] >> action.card & 1
        return (None, action.card) if held else (Fault.NOT_HELD, None)

    def _renege(self, card: Card) -> list[Event]:
        """Handles an illegal card from the hand by `renege_policy` (R8.4)."""
        closed = self._close_window()
        renege = Reneged(
            seat=self.to_act,
            card=card,
            rule=broken_rule(card, self.position()),
            legal=cards_in(self.legal),
            match=self._match_due(),
        )
        if self.house.renege_policy == "strict":
            return [*closed, renege, self._penalize("R8.1"), *self._accept(card)]
        if self.house.renege_policy == "silent":
            return [*closed, *self._accept_silently(renege)]
        self.correcting = renege
        return [*closed, renege]

    def _correct(self, renege: Reneged, card: Card | None) -> list[Event]:
        """Handles the second answer of a seat that was asked to correct its renege (R8.4)."""
        self.correcting = None
        corrected = card is not None and self.legal >> card & 1
        if self.house.renege_policy == "prompt":
            if card is None or not corrected:
                return [self._penalize("R8.1"), *self._accept(renege.card)]
            return [self._take_back(renege), *self._accept(card)]
        self.recalled.append((renege.seat, renege.card))
        taken_back: list[Event] = [RenegeRetracted(renege.seat, renege.card)]
        if card is None or not corrected:
            return [*taken_back, self._penalize("R8.5"), *self._accept(lowest(self.legal))]
        if self.house.renege_policy == "retract_renege":
            taken_back.append(self._penalize("R8.1"))
        return [*taken_back, *self._accept(card)]

    def _take_back(self, renege: Reneged) -> RenegeCorrected:
        """Bars the seat from the pot and costs it a turn to deal (R8.2)."""
        self.corrected.append(renege.seat)
        self.recalled.append((renege.seat, renege.card))
        return RenegeCorrected(renege.seat, renege.card)

    def _accept_silently(self, renege: Reneged) -> list[Event]:
        before = self._save_state()
        events = self._accept(renege.card)
        self._window = _Window(renege, before)  # a last card is always legal, so another one will follow
        return events

    def _close_window(self) -> list[Event]:
        """Announces a silent renege, which stands after the next card (R8.1)."""
        if self._window is None:
            return []
        renege, self._window = self._window.renege, None
        self.uncorrected.add(renege.seat)
        return [renege, Penalized(renege.seat, "R8.1", renege.match)]

    def _accept(self, card: Card) -> list[Event]:
        """Lays a card of the seat to act."""
        events: list[Event] = [_CARD_PLAYED_EVENTS[self.to_act][card]]
        tricks = len(self.completed)
        self.lay(card)
        if len(self.completed) > tricks:
            events.append(_TRICK_TAKEN_EVENTS[self.leader][tricks + 1])
        return events

    def _save_state(self) -> _State:
        return _State(
            hand=self.hands[self.to_act],
            leader=self.leader,
            to_act=self.to_act,
            trick=list(self.trick),
            best=self.best,
            taker=self._taker,
            tricks=len(self.completed),
            seen=self.seen,
            shown=self.shown,
            won=dict(self.won),
            legal=self.legal,
        )

    def _restore(self, before: _State) -> None:
        self.hands[before.to_act] = before.hand
        self.leader, self.to_act = before.leader, before.to_act
        self.trick, self.best, self._taker = before.trick, before.best, before.taker
        self.completed = self.completed[: before.tricks]
        self.seen, self.shown, self.won, self.legal = before.seen, before.shown, before.won, before.legal

    def _penalize(self, rule: str) -> Penalized:
        seat, due = self.to_act, self._match_due()
        self.uncorrected.add(seat)
        return Penalized(seat, rule, due)

    def _match_due(self) -> int:
        """Returns the chips that a renege costs the seat now. It matches the pot only once a deal."""
        if self.to_act in self.uncorrected:
            return 0
        return match_due(self.pot, self.house, bourred=False, reneged=True)
