"""The filter of system calls that every process of a box is under: a program for the kernel's classic BPF machine.

Its form is that of seccomp(2): it reads a call's number, architecture and arguments, and returns what becomes of it.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bourre_referee.launch.box.syscalls import CLONE, IOCTL, REFUSED, SOCKET, SOCKETPAIR, UNKNOWN, Call

ALLOW = 0x7FFF_0000
KILL = 0x8000_0000
_ERRNO = 0x0005_0000

_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Where a call's description holds what; of an argument the lower half, which is all that these calls look at."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_NEW_NAMESPACES = 0x7E02_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""

_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6, the last two without any network."""

_TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which type into a terminal."""

_X32 = 0x4000_0000
"""From here on x86_64 counts its calls a second time, for an interface that nothing uses."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of processor, as the kernel tells it to a filter."""

    name: str
    architecture: int


MACHINES = (Machine("x86_64", 0xC000_003E), Machine("aarch64", 0xC000_00B7))


def filter_for(machine: str) -> bytes:
    """The filter for `uname -m`, as bubblewrap takes it; raises OSError for a machine it has no calls of."""
    known = [each for each in MACHINES if each.name == machine]
    if not known:
        raise OSError(f"there is no filter of system calls for {machine}: boxes need x86_64 or aarch64")
    return b"".join(_program(known[0]))


def filter_here() -> bytes:
    """The filter for this machine."""
    return filter_for(os.uname().machine)


def _program(machine: Machine) -> Iterator[bytes]:
    yield _step(_LOAD, _ARCHITECTURE)
    yield from _where(_EQUAL, machine.architecture, otherwise=KILL)
    yield _step(_LOAD, _NUMBER)
    if machine.name == "x86_64":
        yield from _when(_AT_LEAST, _X32, _refusal(errno.ENOSYS))
    yield from _refused(REFUSED, machine, errno.EPERM)
    yield from _refused(UNKNOWN, machine, errno.ENOSYS)
    yield from _looked_into(CLONE, machine, _FIRST, _when(_ANY_BIT, _NEW_NAMESPACES, _refusal(errno.EPERM)))
    for call in (SOCKET, SOCKETPAIR):
        yield from _looked_into(call, machine, _FIRST, _only(_FAMILIES, _refusal(errno.EAFNOSUPPORT)))
    refused = (step for request in _TERMINAL for step in _when(_EQUAL, request, _refusal(errno.EPERM)))
    yield from _looked_into(IOCTL, machine, _SECOND, refused)
    yield _step(_RETURN, ALLOW)


def _refused(calls: Iterable[Call], machine: Machine, why: int) -> Iterator[bytes]:
    for call in calls:
        number = _number(call, machine)
        if number is not None:
            yield from _when(_EQUAL, number, _refusal(why))


def _looked_into(call: Call, machine: Machine, argument: int, judged: Iterable[bytes]) -> Iterator[bytes]:
    """Steps for one call, with this argument loaded; what they do not refuse is allowed."""
    steps = [_step(_LOAD, argument), *judged, _step(_RETURN, ALLOW)]
    number = _number(call, machine)
    assert number is not None
    yield _step(_EQUAL, number, no=len(steps))
    yield from steps


def _only(values: tuple[int, ...], refusal: int) -> Iterator[bytes]:
    for value in values:
        yield from _when(_EQUAL, value, ALLOW)
    yield _step(_RETURN, refusal)


def _when(test: int, value: int, verdict: int) -> tuple[bytes, bytes]:
    return _step(test, value, no=1), _step(_RETURN, verdict)


def _where(test: int, value: int, otherwise: int) -> tuple[bytes, bytes]:
    return _step(test, value, yes=1), _step(_RETURN, otherwise)


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    """One instruction: what to do, how many steps to leap if true and if false, and with which number."""
    return struct.pack("<HBBI", code, yes, no, value)


def _refusal(error: int) -> int:
    return _ERRNO | error


def _number(call: Call, machine: Machine) -> int | None:
    return call.x86_64 if machine.name == "x86_64" else call.aarch64
