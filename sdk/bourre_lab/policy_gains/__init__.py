"""What a player wins more than another in its seat, on common cards (extra `champion`).

gains = measure_gains(SettledTable(HouseRules.preset("limit"), 5), new, old, decks=100_000, seed=1)
print(gains.total, gains.of([FirstDifference.PASSES]))
"""

from bourre_lab.policy_gains.differences import FirstDifference
from bourre_lab.policy_gains.gains import Gain, PolicyGains, SettledTable, measure_gains

__all__ = ["FirstDifference", "Gain", "PolicyGains", "SettledTable", "measure_gains"]
