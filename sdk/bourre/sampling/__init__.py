"""Hidden cards, sampled: the ground of a Monte Carlo bot. `for deal in sample_deals(view, 20): deal.play_out()`."""

from bourre.sampling.playout import Policy, thrifty
from bourre.sampling.samples import ImpossibleView, SampledDeal, sample_deals

__all__ = ["ImpossibleView", "Policy", "SampledDeal", "sample_deals", "thrifty"]
