"""Finite fields, from which exact designs are built."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """GF(q). An element is a number below q; its digits in base `prime` are the coefficients of a polynomial."""

    prime: int
    powers: tuple[int, ...]
    """1, g, g*g, ...: every element except 0, as the powers of one of them."""

    def add(self, a: int, b: int) -> int:
        """Adds two elements digit by digit in base `prime`, without carrying."""
        total, place = 0, 1
        while a or b:
            total += (a + b) % self.prime * place
            a, b, place = a // self.prime, b // self.prime, place * self.prime
        return total


def finite_field(order: int) -> Field | None:
    """Returns the field with `order` elements; None if there is none, because `order` is no prime power."""
    if (prime := _prime_base(order)) is None:
        return None
    cycles = (_powers_of_x(order, prime, x_to_the_degree) for x_to_the_degree in range(1, order))
    return next(Field(prime, cycle) for cycle in cycles if len(cycle) == order - 1)


def _prime_base(number: int) -> int | None:
    """Returns the prime p of which `number` (2 or more) is a power, if it is one."""
    prime = next(divisor for divisor in range(2, number + 1) if number % divisor == 0)
    while number % prime == 0:
        number //= prime
    return prime if number == 1 else None


def _powers_of_x(order: int, prime: int, wrap: int) -> tuple[int, ...]:
    """Returns 1, x, x*x, ... up to the first return to 1, if x to the power of the degree is `wrap`.

    The polynomial behind that rule is primitive, and the arithmetic that of a field, exactly if all order - 1 nonzero
    elements appear.
    """
    top = order // prime
    powers = [1]
    while len(powers) < order:
        digit, rest = divmod(powers[-1], top)
        element = _plus_times(rest * prime, digit, wrap, prime)
        if element == 1:
            break
        powers.append(element)
    return tuple(powers)


def _plus_times(a: int, factor: int, b: int, prime: int) -> int:
    """Computes a + factor * b, coefficient by coefficient."""
    total, place = 0, 1
    while a or b:
        total += (a + factor * b) % prime * place
        a, b, place = a // prime, b // prime, place * prime
    return total
