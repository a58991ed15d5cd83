"""Plays thousands of deals in step with NumPy, by the same rules as `bourre.rules` (extra `champion`).

deals = LockstepDeals(HouseRules.preset("limit"), seats=5)
deals.reset(random_decks(4096, rng), pots=5)
while not deals.all_over:
    deals.step(policy(deals))
"""

from bourre_lab.batch_deals.action_numbers import ACTIONS, CARD_ACTIONS, Asked
from bourre_lab.batch_deals.deals import LockstepDeals
from bourre_lab.batch_deals.stocks import random_decks

__all__ = ["ACTIONS", "CARD_ACTIONS", "Asked", "LockstepDeals", "random_decks"]
