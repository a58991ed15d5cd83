"""The view of a seat that is asked. `visibility` makes views without the hidden cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bourre.rules.actions import Decision
from bourre.rules.cards import Card, Suit, card_set
from bourre.rules.draft import draft_class, freeze
from bourre.rules.errors import InvalidAction
from bourre.rules.house import ORDERS, HouseRules
from bourre.rules.sentences import sentence
from bourre.rules.tricks import Position, Trick, is_cinch

if TYPE_CHECKING:
    from random import Random

DRAW: Final = Decision.DRAW


@dataclass(frozen=True, slots=True)
class Renege:
    """The renege that a seat is asked to correct (R8.4)."""

    card: Card
    rule: str
    match: int
    """The chips that match the pot for a renege. `renege_policy` decides when they are owed (R8.4)."""

    @property
    def sentence(self) -> str:
        """The rule's id and its sentence."""
        return sentence(self.rule)


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may know when it is asked, and nothing else. Lists are by seat."""

    decision: Decision
    seat: int
    house: HouseRules
    deal: int
    """Number of the deal, from 1."""
    deals: int
    """Number of deals in this match."""
    dealer: int
    hand: tuple[Card, ...]
    """The cards of this seat, lowest first."""
    named: Suit | None
    """The trump suit; None until the dealer names it (R3.2). See `trump`."""
    turned: Card | None
    """The turned card: the dealer's (R3.1), or by house rule another or none (R3.2)."""
    dead: Card | None
    """A turned card that belongs to no seat, or not yet to the dealer (R3.2)."""
    pot: int
    balances: tuple[int, ...]
    plays: tuple[bool | None, ...]
    """True for a seat that is in, False for a seat that passed, None before the declaration."""
    drawn: tuple[int | None, ...]
    """The number of cards that each seat drew; None if it has not drawn."""
    discarded: tuple[Card, ...]
    """This seat's discards in this deal."""
    leader: int | None
    """The seat that leads the trick in progress; None before the play."""
    trick: tuple[Card, ...]
    """The trick in progress, in the order of play."""
    tricks: tuple[Trick, ...]
    """The completed tricks of this deal."""
    barred: tuple[int, ...]
    """Seats that cannot win this pot (R8)."""
    recalled: tuple[tuple[int, Card], ...]
    """The cards shown in a renege and taken back, each as a pair of seat and card."""
    owed_turns: tuple[int, ...]
    """The turns to deal that each seat has yet to forfeit."""
    legal: tuple[Card, ...]
    """The cards that may be played now, or discarded in a declaration or draw; otherwise empty."""
    max_discards: int
    """The most cards that may be discarded (R4.3)."""
    correcting: Renege | None
    """The renege that this seat is asked to correct (R8.4)."""
    seed: int
    """The seed of the bot's own chance (`rng`), which is the same in a repeated match."""

    @property
    def seats(self) -> int:
        """The number of seats at the table."""
        return len(self.balances)

    @property
    def trump(self) -> Suit:
        """The trump suit; raises InvalidAction until it is named (R3.2)."""
        if self.named is None:
            raise InvalidAction("the trump suit is not named yet: use `view.named`, which is None until then")
        return self.named

    @property
    def rng(self) -> Random:
        """Random numbers for this decision. Each use has the same seed, so a repeated match gets the same numbers."""
        from random import Random  # slow to load, and few bots use it

        return Random(self.rng_seed())

    def rng_seed(self) -> str:
        """Returns the seed of `rng`, which no other decision has."""
        return f"{self.seed} {self.decision} {len(self.tricks)} {self.correcting}"

    @property
    def may_take_turned(self) -> bool:
        """Whether this seat may take the turned card for one of its discards (R3.2)."""
        option = self.house.trump_card == "separate_dealer_option"
        return option and self.seat == self.dealer and self.dead is not None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are in, from the dealer's left."""
        return tuple(seat for seat in ORDERS[self.seats][self.dealer] if self.plays[seat])

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """The tricks that each seat has won in this deal."""
        winners = [trick.winner for trick in self.tricks]
        return tuple(winners.count(seat) for seat in range(self.seats))

    @property
    def match(self) -> int:
        """The chips that going bourré costs: the pot, within its limit (R7.3, R7.4)."""
        return self.house.limited(self.pot)

    @property
    def cinch(self) -> bool:
        """Whether this seat's hand is sure of three tricks (R6.1); False unless a card is asked for."""
        return self.decision == Decision.PLAY and is_cinch(self.position)

    @property
    def position(self) -> Position:
        """This seat's hand and the played cards, as the rules need them."""
        return Position(
            hand=card_set(self.hand),
            trick=self.trick,
            trump=self.trump,
            playing=sum(map(bool, self.plays)),
            tricks_won=self.tricks_won[self.seat],
            seen=card_set(card for trick in self.tricks for card in trick.cards),
            dead=0 if self.dead is None else 1 << self.dead,
            house=self.house,
        )

    def for_draw(self) -> View:
        """Returns the same view for the decision to draw, because a declaration in turn includes discards (R4.1)."""
        draft = ViewDraft()  # field by field: a loop over their names takes six times as long, a twentieth of practice
        draft.decision = DRAW
        draft.seat = self.seat
        draft.house = self.house
        draft.deal = self.deal
        draft.deals = self.deals
        draft.dealer = self.dealer
        draft.hand = self.hand
        draft.named = self.named
        draft.turned = self.turned
        draft.dead = self.dead
        draft.pot = self.pot
        draft.balances = self.balances
        draft.plays = self.plays
        draft.drawn = self.drawn
        draft.discarded = self.discarded
        draft.leader = self.leader
        draft.trick = self.trick
        draft.tricks = self.tricks
        draft.barred = self.barred
        draft.recalled = self.recalled
        draft.owed_turns = self.owed_turns
        draft.legal = self.legal
        draft.max_discards = self.max_discards
        draft.correcting = self.correcting
        draft.seed = self.seed
        return freeze(draft, View)

    def _repr_html_(self) -> str:
        """Writes a table for a notebook, with the facts that a player needs."""
        from bourre.rules.markup import table_html

        place = f"{self.decision} · deal {self.deal} of {self.deals} · seat {self.seat}"
        head = ("seat", "state", "drew", "tricks", "chips")
        seats = table_html("seats", head, (_row_of_seat(self, seat) for seat in range(self.seats)))
        return table_html(place, (), _rows_of_cards(self)) + seats


ViewDraft: Final = draft_class(View)
"""A view with unset fields."""


def _rows_of_cards(view: View) -> list[tuple[str, str]]:
    from bourre.rules.markup import Markup, cards_html, suit_html

    rows = [("hand", cards_html(view.hand)), ("trump", "not named" if view.named is None else suit_html(view.named))]
    if view.turned is not None:
        rows.append(("turned", cards_html([view.turned])))
    if view.leader is not None:
        rows.append(("trick", Markup(f"{cards_html(view.trick)} (led by seat {view.leader})")))
        rows.append(("legal", cards_html(view.legal)))
    return [*rows, ("pot", str(view.pot))]


def _row_of_seat(view: View, seat: int) -> tuple[object, ...]:
    plays, drawn = view.plays[seat], view.drawn[seat]
    state = "?" if plays is None else "in" if plays else "passed"
    marks = [word for word, place in (("you", view.seat), ("dealer", view.dealer)) if place == seat]
    name = f"{seat} ({', '.join(marks)})" if marks else str(seat)
    return name, state, "-" if drawn is None else drawn, view.tricks_won[seat], f"{view.balances[seat]:+}"
