"""Learns to win from tables of one bot, and says by which decisions the bot loses (extra `champion`).

loss = exploit("tight", SettledTable(HouseRules.preset("limit"), 5), minutes=2)
print(loss.total, [part.cause for part in loss.parts])
"""

from bourre_lab.best_response.exploit import Cause, Exploited, LossPart, exploit

__all__ = ["Cause", "Exploited", "LossPart", "exploit"]
