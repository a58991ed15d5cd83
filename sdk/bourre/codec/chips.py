"""Chips on the wire: whole numbers in the rules have no bound, those of the wire have 64 bits."""

_MOST = 2**63 - 1


def in_64_bits(chips: int) -> int:
    """These chips, or the number nearest to them that fits."""
    return max(-_MOST, min(_MOST, chips))
