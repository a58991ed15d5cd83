"""Chips on the wire: whole numbers in the rules have no bound, those of the wire have 64 bits."""

_MOST = 2**63 - 1


def in_64_bits(chips: int) -> int:
    """These chips, or the number nearest to them that fits."""
    return chips if -_MOST <= chips <= _MOST else _MOST if chips > 0 else -_MOST
