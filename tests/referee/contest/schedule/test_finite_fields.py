"""Finite fields: every axiom, in all fields small enough to try everything."""

from collections.abc import Callable
from itertools import product

import pytest

from bourre_referee.contest.schedule.designs import Field, finite_field

SMALL = [2, 3, 4, 5, 7, 8, 9, 16, 25, 27]
LARGE = [32, 49, 64, 81, 97, 121, 125, 128, 243, 256]


def product_in(field: Field) -> Callable[[int, int], int]:
    """The product in the field, by adding exponents."""
    exponent = {element: power for power, element in enumerate(field.powers)}

    def times(a: int, b: int) -> int:
        return field.powers[(exponent[a] + exponent[b]) % len(field.powers)] if a and b else 0

    return times


def found(order: int) -> Field:
    """The field of this order, which must exist."""
    field = finite_field(order)
    assert field is not None
    return field


@pytest.mark.parametrize("order", SMALL + LARGE)
def test_the_powers_of_one_element_are_all_but_zero(order: int) -> None:
    powers = found(order).powers
    assert powers[0] == 1
    assert sorted(powers) == list(range(1, order))


@pytest.mark.parametrize("order", SMALL)
def test_addition_is_a_group(order: int) -> None:
    field, elements = found(order), range(order)
    for a, b in product(elements, repeat=2):
        assert field.add(a, b) == field.add(b, a) in elements
        assert field.add(field.add(a, b), 1) == field.add(a, field.add(b, 1))
    for a in elements:
        assert field.add(a, 0) == a
        assert sorted(field.add(a, b) for b in elements) == list(elements)


@pytest.mark.parametrize("order", SMALL)
def test_multiplication_distributes_over_addition(order: int) -> None:
    field, times = found(order), product_in(found(order))
    for a, b, c in product(range(order), repeat=3):
        assert times(a, field.add(b, c)) == field.add(times(a, b), times(a, c))


@pytest.mark.parametrize("order", [6, 10, 12, 15, 36, 63, 100])
def test_there_is_no_field_of_another_order(order: int) -> None:
    assert finite_field(order) is None
