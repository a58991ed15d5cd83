"""The system call filter of every process in a box: a program for the kernel's classic BPF machine.

As seccomp(2) describes, it reads a call's number, architecture and arguments, and returns a verdict.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from bourre_referee.sandbox.bwrap.syscall_numbers import NUMBERS
from bourre_referee.sandbox.bwrap.syscall_policy import ALLOWED, POLICY, Condition, Rule

ALLOW = 0x7FFF_0000
KILL = 0x8000_0000
_ERRNO = 0x0005_0000

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Offsets in `struct seccomp_data`; arguments take eight bytes each, lower half first."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor architecture, with the number by which the kernel identifies it to a filter."""

    name: str
    architecture: int


MACHINES = (Machine("x86_64", 0xC000_003E), Machine("aarch64", 0xC000_00B7))


@cache  # each box of each room needs it
def filter_for(machine: str) -> bytes:
    """Returns the filter for a machine named as by `uname -m`, in bubblewrap's format; raises OSError if unknown."""
    known = [each for each in MACHINES if each.name == machine]
    if not known:
        raise OSError(f"there is no system call filter for {machine}: boxes need x86_64 or aarch64")
    return b"".join(_program(known[0]))


def filter_here() -> bytes:
    """Returns the filter for this machine."""
    return filter_for(os.uname().machine)


def _program(machine: Machine) -> Iterator[bytes]:
    numbers = NUMBERS[machine.name]
    yield _step(_LOAD, _ARCHITECTURE)
    yield _step(_EQUAL, machine.architecture, yes=1)
    yield _step(_RETURN, KILL)
    yield _step(_LOAD, _NUMBER)
    rules = {numbers[call]: rule for rule in POLICY for call in rule.calls if call in numbers}
    for number, rule in rules.items():
        if rule.conditions:
            yield from _on(number, [step for condition in rule.conditions for step in _check(condition)])
    for beyond, verdict in _verdicts(rules):
        yield _step(_AT_LEAST, beyond, yes=1)
        yield _step(_RETURN, verdict)
    yield _step(_RETURN, _refusal(errno.ENOSYS))  # later calls, and from 2 ** 30 on those of x32


def _verdicts(rules: Mapping[int, Rule]) -> Iterator[tuple[int, int]]:
    """Yields, for each run of numbers up to the last with a rule, the first number beyond it and its verdict."""
    for verdict, run in groupby(range(max(rules) + 1), lambda number: _verdict(rules.get(number))):
        yield max(run) + 1, verdict


def _verdict(rule: Rule | None) -> int:
    if rule is None:
        return _refusal(errno.ENOSYS)
    return ALLOW if rule.answer == ALLOWED else _refusal(rule.answer)


def _on(number: int, steps: list[bytes]) -> Iterator[bytes]:
    """Yields steps that apply to one call only, which is allowed unless they refuse it."""
    yield _step(_EQUAL, number, no=len(steps) + 1)
    yield from steps
    yield _step(_RETURN, ALLOW)


def _check(condition: Condition) -> Iterator[bytes]:
    """Yields steps that refuse a call for which the condition does not hold, and otherwise fall through."""
    yield _step(_LOAD, _ARGUMENTS + 8 * condition.argument)
    if condition.test == "among":
        for tried, value in enumerate(condition.values):
            yield _step(_EQUAL, value, yes=len(condition.values) - tried)
        yield _step(_RETURN, _refusal(condition.answer))
        return
    test = _EQUAL if condition.test == "none of" else _ANY_BIT
    for value in condition.values:
        yield _step(test, value, no=1)
        yield _step(_RETURN, _refusal(condition.answer))


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """Encodes one instruction: its code, its operand, and how many steps to jump if true and if false."""
    return struct.pack("<HBBI", code, yes, no, value)


def _refusal(error: int) -> int:
    """Encodes the verdict that a call is not made; its caller is told success if the error is 0."""
    return _ERRNO | error
