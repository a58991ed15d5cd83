"""Samples the hidden cards, for Monte Carlo bots: `for deal in sample_deals(view, 20): deal.play_out()`."""

from bourre.sampling.samples import ImpossibleView, Policy, SampledDeal, sample_deals, thrifty

__all__ = ["ImpossibleView", "Policy", "SampledDeal", "sample_deals", "thrifty"]
