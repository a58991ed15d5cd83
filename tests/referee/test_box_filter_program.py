"""The filter of system calls, run on a machine that is only played: for both kinds of processors."""

from __future__ import annotations

import errno
import struct

import pytest

from bourre_referee.launch.box.seccomp import ALLOW, KILL, MACHINES, filter_for
from bourre_referee.launch.box.syscalls import CLONE, IOCTL, REFUSED, SOCKET, SOCKETPAIR, UNKNOWN, Call

ARCHITECTURES = {machine.name: machine.architecture for machine in MACHINES}
ERRNO = 0x0005_0000


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter returns for this call, by the steps that the kernel would take."""
    steps = list(struct.iter_unpack("<HBBI", filter_for(machine)))
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *padded)
    loaded, at = 0, 0
    while True:
        code, yes, no, value = steps[at]
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("<I", data, value)
                at += 1
            case 0x06:
                return int(value)
            case _:
                holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
                at += 1 + (yes if holds else no)


def number(call: Call, machine: str) -> int:
    found = getattr(call, machine)
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_exactly_the_listed_calls_are_refused(machine: str) -> None:
    refused = {getattr(call, machine): ERRNO | errno.EPERM for call in REFUSED}
    unknown = {getattr(call, machine): ERRNO | errno.ENOSYS for call in UNKNOWN}
    expected = {**refused, **unknown, number(SOCKET, machine): ERRNO | errno.EAFNOSUPPORT}
    expected[number(SOCKETPAIR, machine)] = ERRNO | errno.EAFNOSUPPORT
    assert {call: verdict(machine, call) for call in range(500)} == {
        call: expected.get(call, ALLOW) for call in range(500)
    }


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_of_another_kind_of_machine_kill(machine: str) -> None:
    i386 = 0x4000_0003
    others = {i386, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}
    assert {verdict(machine, 1, architecture=other) for other in others} == {KILL}


def test_the_second_count_of_calls_is_closed() -> None:
    assert verdict("x86_64", 0x4000_0000 + 101) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(
    "flag", [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 1 << 30]
)
def test_a_thread_may_be_made_but_no_namespace(machine: str, flag: int) -> None:
    thread = 0x003D_0F00
    assert verdict(machine, number(CLONE, machine), thread) == ALLOW
    assert verdict(machine, number(CLONE, machine), thread | flag) == ERRNO | errno.EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("call", [SOCKET, SOCKETPAIR])
def test_three_families_of_sockets_are_left(machine: str, call: Call) -> None:
    assert [family for family in range(50) if verdict(machine, number(call, machine), family) == ALLOW] == [1, 2, 10]


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_nobody_types_into_a_terminal(machine: str) -> None:
    how = number(IOCTL, machine)
    # The kernel reads the lower half of the request only, and so does the filter.
    assert verdict(machine, how, 0, 0x5412) == verdict(machine, how, 0, 0xDEAD_0000_5412) == ERRNO | errno.EPERM
    assert verdict(machine, how, 0, 0x541C) == ERRNO | errno.EPERM
    assert verdict(machine, how, 0, 0x5401) == ALLOW


def test_a_machine_whose_calls_are_not_known_has_no_box() -> None:
    with pytest.raises(OSError, match="riscv64: boxes need x86_64 or aarch64"):
        filter_for("riscv64")
