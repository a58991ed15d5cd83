"""Bell curves by precision, which multiply by adding: the messages that TrueSkill passes."""

from __future__ import annotations

from typing import NamedTuple


class Gaussian(NamedTuple):
    """A normal distribution, or a message about one."""

    pi: float
    """Precision: 1 / sigma squared; 0 says nothing."""
    tau: float
    """Precision times mean."""

    def times(self, other: Gaussian) -> Gaussian:
        """Both pieces of knowledge together."""
        return Gaussian(self.pi + other.pi, self.tau + other.tau)

    def over(self, other: Gaussian) -> Gaussian:
        """This knowledge without that piece of it."""
        return Gaussian(self.pi - other.pi, self.tau - other.tau)

    def raised(self, power: float) -> Gaussian:
        """This knowledge counted so many times."""
        return Gaussian(self.pi * power, self.tau * power)

    def moved(self, distance: float) -> Gaussian:
        """The same with a mean that is greater by this much."""
        return Gaussian(self.pi, self.tau + self.pi * distance)

    @property
    def mu(self) -> float:
        """The mean; 0 where nothing is known."""
        return self.tau / self.pi if self.pi else 0.0

    def widened(self, variance: float) -> Gaussian:
        """The same seen through noise of this variance."""
        share = 1 / (1 + variance * self.pi)
        return Gaussian(self.pi * share, self.tau * share)


NOTHING = Gaussian(0.0, 0.0)
