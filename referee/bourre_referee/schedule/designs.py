"""Rounds for a number of bots: exact ones over a finite field, cyclic ones else."""

from bourre_referee.schedule.balance import LineUp
from bourre_referee.schedule.blocks import Block, base_blocks
from bourre_referee.schedule.fields import Field, field_of
from bourre_referee.schedule.memory import Memory, afresh, name_of

Round = tuple[LineUp, ...]
"""As many line-ups as there are bots: everyone sits once in every seat."""


def cycle_of(bots: int) -> int:
    """How many rounds are one full cycle."""
    return bots - 1


def rounds_of(bots: int, seats: int, rounds: int, memory: Memory = afresh) -> list[Round]:
    """That many rounds, in which pairs and left neighbours meet as equally as can be had."""
    if (field := field_of(bots)) is None:
        return _cyclic_rounds(bots, seats, rounds, memory)
    cycles, rest = divmod(rounds, cycle_of(bots))
    return _field_cycle(field, bots, seats) * cycles + _shifted(_blocks(bots, seats, rest, (), memory), bots)


def _field_cycle(field: Field, bots: int, seats: int) -> list[Round]:
    """The tables a * s + b over GF(bots), a round for each a but 0, a line-up for each b.

    The seats are s = 0, 1, g, g*g, ..., so a * s runs through neighbouring powers of g. Every
    two bots, in order, meet exactly once in every two seats, in order.
    """
    powers = field.powers * 2
    blocks = [(0, *powers[start : start + seats - 1]) for start in range(cycle_of(bots))]
    return [tuple(tuple(field.add(number, shift) for number in block) for shift in range(bots)) for block in blocks]


def _cyclic_rounds(bots: int, seats: int, rounds: int, memory: Memory) -> list[Round]:
    """Two cycles at a time, since one cannot always be even; the last few make up for the rest."""
    period = 2 * cycle_of(bots)
    repeats = max(0, rounds - 1) // period
    before = _blocks(bots, seats, period, (), memory) * repeats if repeats else ()
    last = _blocks(bots, seats, rounds - len(before), before, memory)
    return _shifted(before + last, bots)


def _blocks(bots: int, seats: int, rounds: int, before: tuple[Block, ...], memory: Memory) -> tuple[Block, ...]:
    name = name_of("blocks", bots, seats, rounds, before=before)
    return memory(name, lambda: base_blocks(bots, seats, rounds, before)) if rounds else ()


def _shifted(blocks: tuple[Block, ...], bots: int) -> list[Round]:
    """The cyclic rounds that grow from base blocks."""
    return [tuple(tuple((number + shift) % bots for number in block) for shift in range(bots)) for block in blocks]
