"""Many tests at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(chances: Sequence[float]) -> list[float]:
    """The p-values corrected for their number, in their order (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    corrected = [1.0] * len(chances)
    largest = 0.0
    for left, index in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        largest = max(largest, min(1.0, chances[index] * (len(chances) - left)))
        corrected[index] = largest
    return corrected
