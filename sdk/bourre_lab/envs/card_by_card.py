"""One deal in which the caller chooses every card, one by one: a game tree with chance nodes.

The deal follows the usual rules. After each choice of cards, it is replayed from its start, with all chosen cards at
the top of their piles. The cards below them are never dealt.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bourre.rules.actions import Declare, Draw
from bourre.rules.cards import DECK, Card
from bourre.rules.errors import InvalidAction, InvalidHouse
from bourre_lab.envs.action_space import choice_of
from bourre_lab.envs.episode import Episode, EpisodeTerms

_DECK: Final = frozenset(DECK)


class ChosenChance:
    """Chance with chosen cards at the top of its piles. It notes the content of each shuffled pile."""

    by_seat: Final = False

    def __init__(self, dealer: int, chosen: list[list[Card]], stake: int) -> None:
        """`chosen` has the chosen cards of each pile: the deck, a returned stock, then every gathered one."""
        self.piles: list[frozenset[Card]] = []
        self._dealer = dealer
        self._chosen = chosen
        self._stake = stake

    def stake(self, deal: int) -> int:
        return self._stake

    def first_dealer(self, seats: int) -> int:
        return self._dealer

    def draw_for_deal(self) -> list[Card]:
        raise InvalidAction("seats do not draw for the deal if cards are chosen one by one")

    def deck(self, deal: int) -> list[Card]:
        return self._shuffle(DECK)

    def shuffle_gathered(self, deal: int, time: int, cards: Iterable[Card]) -> list[Card]:
        return self._shuffle(cards)

    def shuffle_returned(self, deal: int, cards: Iterable[Card]) -> list[Card]:
        return self._shuffle(cards)

    def seat_seed(self, deal: int, seat: int) -> int:
        return 0

    def _shuffle(self, cards: Iterable[Card]) -> list[Card]:
        number, pile = len(self.piles), frozenset(cards)
        self.piles.append(pile)
        chosen = self._chosen[number] if number < len(self._chosen) else []
        return [*chosen, *sorted(pile.difference(chosen))]


class CardByCard:
    """A deal that is settled alone. The seats share its leftover pot (R7.6), so all chips add up to 0."""

    def __init__(self, terms: EpisodeTerms, stake: int = 0) -> None:
        """Every seat first pays `stake` into the pot, in place of earlier deals.

        Raises InvalidHouse for several deals, and for rules by which seats draw cards for the first deal.
        """
        if terms.deals != 1 or terms.house.first_dealer in ("low_card", "high_card"):
            raise InvalidHouse("card by card only one deal can be played, with first_dealer 'seeded' or a seat")
        self.terms = terms
        self._stake = stake
        first = terms.house.first_dealer
        self._dealer = first if isinstance(first, int) else None
        self._chosen: list[list[Card]] = [[]]
        """The chosen cards of each pile, in the order of dealing."""
        separate = not (terms.house.dealer_holds_turned or terms.house.dealer_names_trump)
        self._missing = terms.seats * terms.house.cards + separate
        """The number of cards to choose next."""
        self._actions: list[int] = []
        self._pending: int | None = None
        """The action that waits for its cards."""
        self._left: frozenset[Card] = frozenset()
        """The candidates for the next card, if known."""
        self._episode: Episode | None = None

    def copy(self) -> CardByCard:
        """Returns an independent copy."""
        other = CardByCard(self.terms, self._stake)
        other._dealer = self._dealer
        other._chosen = [list(cards) for cards in self._chosen]
        other._missing = self._missing
        other._actions = list(self._actions)
        other._pending, other._left = self._pending, self._left
        return other

    def __deepcopy__(self, memo: dict[int, object]) -> CardByCard:
        """Copies for OpenSpiel, which clones its states this way."""
        return self.copy()

    @property
    def dealt(self) -> bool:
        """Whether the hands are dealt."""
        return self._pending is not None or not self.by_chance

    @property
    def dealer_known(self) -> bool:
        """Whether the dealer is known."""
        return self._dealer is not None

    @property
    def by_chance(self) -> bool:
        """Whether chance decides next, about the dealer or a card."""
        return self._dealer is None or self._missing > 0

    def outcomes(self) -> tuple[int, ...]:
        """Returns the equally likely outcomes of chance: seats for the dealer, else places in `DECK`."""
        if self._dealer is None:
            return tuple(range(self.terms.seats))
        if not self._left:
            self._left = self._pile()
        return tuple(place for place, card in enumerate(DECK) if card in self._left)

    def choose(self, outcome: int) -> None:
        """Chooses one of the outcomes of chance; raises InvalidAction for any other."""
        if outcome not in self.outcomes():
            raise InvalidAction(f"chance cannot choose {outcome} here: {self.outcomes()}")
        if self._dealer is None:
            self._dealer = outcome
            return
        self._chosen[-1].append(DECK[outcome])
        self._missing -= 1
        self._left -= {DECK[outcome]}
        if not self._missing:
            self._left = frozenset()
            if self._pending is not None:
                self._actions.append(self._pending)
            self._pending = self._episode = None

    def step(self, action: int) -> None:
        """Applies an action of the asked seat; raises InvalidAction if it is not legal."""
        episode = self.episode
        if not 0 <= action < len(episode.legal()) or not episode.legal()[action]:
            raise InvalidAction(f"action {action} is not legal here")
        choice = choice_of(action, episode.view())
        draws = len(choice.discards) - choice.takes if isinstance(choice, Declare | Draw) else 0
        if draws:
            self._pending, self._missing = action, draws
        else:
            episode.step(action)
            self._actions.append(action)

    @property
    def episode(self) -> Episode:
        """The deal up to the last action with all its cards."""
        if self._episode is None:
            self._episode, chance = self._replay()
            if len(chance.piles) > len(self._chosen):
                self._chosen.append([])  # the turned card went back into the stock, which is a pile of its own
        return self._episode

    def _pile(self) -> frozenset[Card]:
        """Returns the candidates for the next card."""
        if self._pending is None:
            return _DECK.difference(self._chosen[0])
        episode, chance = self._replay()
        episode.step(self._pending)
        last = len(self._chosen) - 1
        left = chance.piles[last].difference(self._chosen[last])
        if not left:  # this pile is used up, so the next one has been gathered (R4.4)
            self._chosen.append([])
            left = chance.piles[last + 1]
        return left

    def _replay(self) -> tuple[Episode, ChosenChance]:
        assert self._dealer is not None
        chance = ChosenChance(self._dealer, self._chosen, self._stake)
        episode = Episode(self.terms, chance)
        for action in self._actions:
            episode.step(action)
        return episode, chance
