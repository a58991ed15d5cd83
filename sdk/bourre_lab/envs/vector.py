"""Many deals at once as NumPy arrays, played in step by `bourre_lab.batch_deals`.

env = VectorEnv(4096, seats=5)
seen = env.reset(seed=7)
while not env.over.all():
    seen = env.step(choose(seen["observation"], seen["action_mask"]))
gained = env.chips
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bourre.rules.actions import Decision
from bourre.rules.cards import DECK, Suit
from bourre.rules.errors import InvalidAction
from bourre.rules.house import HouseRules
from bourre_lab.batch_deals import Asked, LockstepDeals, random_decks
from bourre_lab.batch_deals import action_numbers as batch
from bourre_lab.batch_deals.card_sets import spread
from bourre_lab.batch_deals.deals import limited_pots
from bourre_lab.champion.batch_actions import champion_actions
from bourre_lab.envs.action_space import ACTIONS, CARD, TAKE, TRUMP
from bourre_lab.envs.features import SECTIONS, SIZE, STARTS

LIMIT: Final = HouseRules.preset("limit")
_NUMBERS: Final = np.array(
    [
        *range(CARD),
        *(batch.NAME_TRUMP + len(Suit) + place for place in range(len(DECK))),
        *(batch.NAME_TRUMP + suit for suit in range(len(Suit))),
        *(batch.TAKE + action - TAKE for action in range(TRUMP + len(Suit), ACTIONS)),
    ]
)
"""The number of each action in `bourre_lab.batch_deals`."""
_PLACES: Final = {
    section.name: slice(STARTS[section.name], STARTS[section.name] + section.size) for section in SECTIONS
}


class VectorEnv:
    """Deals that are settled alone, at tables of one size. Seats count from the dealer's left; the dealer is the last.

    Every card is asked for, also an only legal one. The seats share a leftover pot equally, in fractions of chips.
    There are no reneges.
    """

    def __init__(self, deals: int, seats: int = 5, house: HouseRules = LIMIT, stake: int = 0) -> None:
        """Every seat first pays `stake` into the pot. Raises InvalidHouse for an impossible table."""
        if deals < 1:
            raise ValueError(f"{deals} deals are too few: play at least one")
        self._game = LockstepDeals(house, seats)
        self._deals = deals
        self.house = house
        self.seats = seats
        self._antes = stake + np.array(house.antes(seats, stake), np.int64)
        self._rng = np.random.default_rng()
        self._mask = np.zeros((deals, ACTIONS), np.int8)
        self._void = np.zeros((deals, seats, len(Suit)), np.bool_)

    def reset(self, seed: int | None = None) -> dict[str, NDArray[Any]]:
        """Deals new cards from this seed, or continues the last one. Returns the observations of the asked seats."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        return self.deal(random_decks(self._deals, self._rng))

    def deal(self, decks: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Deals these decks, card numbers of shape (deals, 52). Returns the observations of the asked seats."""
        self._game.reset(decks, int(self._antes.sum()))
        self._void[:] = False
        return self.observe()

    @property
    def over(self) -> NDArray[np.bool_]:
        """Flags of the settled deals, of shape (deals,)."""
        return self._game.over

    @property
    def to_act(self) -> NDArray[np.int64]:
        """The asked seat of each deal, of shape (deals,). It is meaningless for a settled deal."""
        return self._game.to_act

    @property
    def chips(self) -> NDArray[np.float64]:
        """The gain of each seat, of shape (deals, seats); 0 until the deal is settled."""
        settled = self._game.settle()
        shared = settled.next_pot / self.seats
        chips = settled.chips + shared[:, None] - self._antes - self._game.state.paid
        return np.where(self.over[:, None], chips, 0.0)

    def deal_again(self, rows: NDArray[np.int64]) -> None:
        """Deals new cards in place of these deals, from the same seed."""
        self._game.deal_again(rows, random_decks(len(rows), self._rng), int(self._antes.sum()))
        self._void[rows] = False

    def step(self, actions: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Takes an action for each deal, of shape (deals,), and ignores the actions of settled deals.

        Returns `observation` of shape (deals, SIZE) and `action_mask` of shape (deals, ACTIONS), as in `bourre_v0`. The
        mask of a settled deal is 0. Raises InvalidAction with the first deal whose action is illegal.
        """
        self.act(np.flatnonzero(~self.over), actions)
        return self.observe()

    def act(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Takes actions in these deals only. Raises InvalidAction with the first deal whose action is illegal."""
        chosen = np.asarray(actions)[rows]
        inside = (chosen >= 0) & (chosen < ACTIONS)
        wrong = np.flatnonzero(~inside | (self._mask[rows, np.where(inside, chosen, 0)] == 0))
        if wrong.size:
            raise InvalidAction(f"deal {rows[wrong[0]]}: action {chosen[wrong[0]]} is not legal")
        self._apply(rows, _NUMBERS[chosen])

    def act_like_champion(self, rows: NDArray[np.int64]) -> None:
        """Lets the champion act in these deals."""
        for part in (rows[self._game.asked[rows] < Asked.PLAY], rows[self._game.asked[rows] == Asked.PLAY]):
            if part.size:
                self._apply(part, champion_actions(self._game, part, np.zeros(len(part), np.float32)))

    def _apply(self, rows: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        self._note_voids(rows, numbers - batch.CARD_ACTIONS)
        actions = np.zeros(self._deals, np.int64)
        actions[rows] = numbers
        self._game.step(actions, rows)

    def _note_voids(self, rows: NDArray[np.int64], cards: NDArray[np.int64]) -> None:
        """Notes the seats that do not follow the suit led."""
        state = self._game.state
        follows = (state.asked[rows] == Asked.PLAY) & (state.in_trick[rows] > 0)
        rows, suits = rows[follows], cards[follows] % len(Suit)
        led = state.led[rows] % len(Suit)
        other = suits != led
        self._void[rows[other], state.to_act[rows[other]], led[other]] = True

    def observe(self) -> dict[str, NDArray[Any]]:
        """Returns the observations of the asked seats."""
        self._mask = self._game.legal_actions()[:, _NUMBERS].astype(np.int8)
        seen = np.zeros((self._deals, SIZE), np.float32)
        self._fill_cards(seen)
        self._fill_seats(seen)
        self._fill_question(seen)
        return {"observation": seen, "action_mask": self._mask}

    def _fill_cards(self, seen: NDArray[np.float32]) -> None:
        state, rows = self._game.state, np.arange(self._deals)
        me = state.to_act
        turned = np.where(state.turned > 0, np.uint64(1) << state.turned.astype(np.uint64), np.uint64(0))
        cards = {
            "hand": state.hands[rows, me],
            "discarded": state.discarded[rows, me],
            "played": state.seen,
            "trick": state.laid,
            "turned": turned,
        }
        for name, sets in cards.items():
            seen[:, _PLACES[name]] = spread(sets).reshape(self._deals, -1)

    def _fill_seats(self, seen: NDArray[np.float32]) -> None:
        """Fills the sections of seats, from the asked seat on."""
        state, seats = self._game.state, self.seats
        order = (state.to_act[:, None] + np.arange(seats)) % seats
        seat = np.arange(seats)
        contested = state.playing[:, None] > 1  # a lone seat does not play for tricks
        facts = {
            "present": np.ones((self._deals, seats)),
            "dealer": np.broadcast_to(seat == seats - 1, (self._deals, seats)),
            "in": state.plays == 1,
            "passed": state.plays == 0,
            "served": state.drawn >= 0,
            "drawn": np.maximum(state.drawn, 0),
            "won": state.won,
            "leader": contested & (state.leader[:, None] == seat),
            "winning": (state.in_trick[:, None] > 0) & (state.taker[:, None] == seat),
            "balances": _logs(-self._antes - state.paid),
        }
        for name, fact in facts.items():
            start = STARTS[name]
            seen[:, start : start + seats] = np.take_along_axis(np.asarray(fact), order, axis=1)
        voids = np.take_along_axis(self._void, order[:, :, None], axis=1).reshape(self._deals, -1)
        seen[:, STARTS["void"] : STARTS["void"] + voids.shape[1]] = voids

    def _fill_question(self, seen: NDArray[np.float32]) -> None:
        state = self._game.state
        named = np.flatnonzero(state.trump >= 0)
        seen[named, STARTS["trump"] + state.trump[named]] = 1
        for place, decision in enumerate(Decision):
            asked = [Asked[decision.name], *([Asked.ENTER] if decision is Decision.DECLARE else [])]
            seen[:, STARTS["decision"] + place] = np.isin(state.asked, asked)
        seen[:, STARTS["dead"]] = state.dead != 0
        seen[:, STARTS["max_discards"]] = self._game.max_discards
        seen[:, STARTS["pot"]] = _logs(state.pot)
        seen[:, STARTS["match"]] = _logs(limited_pots(state.pot, self.house))


def _logs(chips: NDArray[np.int64]) -> NDArray[np.float64]:
    logs: NDArray[np.float64] = np.sign(chips) * np.log1p(np.abs(chips))
    return logs
