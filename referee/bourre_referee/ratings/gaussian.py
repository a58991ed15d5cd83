"""Normal distributions by precision, which multiply by adding: the messages that TrueSkill passes."""

from __future__ import annotations

from typing import NamedTuple


class Gaussian(NamedTuple):
    """A normal distribution, or a message about one."""

    pi: float
    """The precision, 1 / sigma squared; 0 if nothing is known."""
    tau: float
    """The precision times the mean."""

    def multiply(self, other: Gaussian) -> Gaussian:
        """Returns the product, which combines two independent pieces of knowledge."""
        return Gaussian(self.pi + other.pi, self.tau + other.tau)

    def divide(self, other: Gaussian) -> Gaussian:
        """Returns the quotient, which takes one piece of knowledge out again."""
        return Gaussian(self.pi - other.pi, self.tau - other.tau)

    def power(self, exponent: float) -> Gaussian:
        """Returns the power, which counts this knowledge `exponent` times."""
        return Gaussian(self.pi * exponent, self.tau * exponent)

    def shift(self, distance: float) -> Gaussian:
        """Returns the same distribution with its mean moved up by `distance`."""
        return Gaussian(self.pi, self.tau + self.pi * distance)

    @property
    def mu(self) -> float:
        """The mean; 0 if nothing is known."""
        return self.tau / self.pi if self.pi else 0.0

    def add_variance(self, variance: float) -> Gaussian:
        """Returns the distribution of this variable plus independent noise of this variance and mean 0."""
        share = 1 / (1 + variance * self.pi)
        return Gaussian(self.pi * share, self.tau * share)


UNIFORM = Gaussian(0.0, 0.0)
"""The message that says nothing."""
