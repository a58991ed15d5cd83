"""The filter of system calls, run on a simulated machine, and their numbers as the kernel's headers have them."""

import errno
import os
import re
import shutil
import struct
import subprocess

import pytest

from bourre_referee.sandbox.bwrap.seccomp import ALLOW, KILL, MACHINES, NUMBERS, filter_for
from bourre_referee.sandbox.bwrap.syscall_policy import ALLOWED, DONE, POLICY

ARCHITECTURES = {machine.name: machine.architecture for machine in MACHINES}
ERRNO = 0x0005_0000


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter returns for this call, step by step as the kernel runs it."""
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


def on(machine: str, name: str, *arguments: int) -> int:
    """What the filter returns for the call with this name."""
    return verdict(machine, NUMBERS[machine][name], *arguments)


def refused(error: int) -> int:
    return ERRNO | error


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_call_is_answered_as_its_rule_says(machine: str) -> None:
    answers = {NUMBERS[machine].get(call): rule.answer for rule in POLICY for call in rule.calls}
    conditional = {NUMBERS[machine].get(call) for rule in POLICY if rule.conditions for call in rule.calls}
    for number in set(range(2000)) - conditional:
        answer = answers.get(number, errno.ENOSYS)
        assert verdict(machine, number) == (ALLOW if answer == ALLOWED else refused(answer)), number


def test_every_call_is_in_one_rule_and_known_to_a_machine() -> None:
    calls = [call for rule in POLICY for call in rule.calls]
    assert len(calls) == len(set(calls))
    assert set(calls) <= NUMBERS["x86_64"].keys() | NUMBERS["aarch64"].keys()
    assert all(rule.why for rule in POLICY)
    assert not [rule.names for rule in POLICY if rule.conditions and rule.answer != ALLOWED]


@pytest.mark.parametrize(
    ("name", "x86_64", "aarch64", "error"),
    [
        ("read", 0, 63, 0),
        ("openat", 257, 56, 0),
        ("execve", 59, 221, 0),
        ("futex", 202, 98, 0),
        ("exit_group", 231, 94, 0),
        ("getrandom", 318, 278, 0),
        ("rseq", 334, 293, 0),
        ("faccessat2", 439, 439, 0),
        ("ptrace", 101, 117, errno.EPERM),
        ("mount", 165, 40, errno.EPERM),
        ("unshare", 272, 97, errno.EPERM),
        ("bpf", 321, 280, errno.EPERM),
        ("keyctl", 250, 219, errno.EPERM),
        ("pidfd_getfd", 438, 438, errno.EPERM),
        ("clone3", 435, 435, errno.ENOSYS),
        ("io_uring_setup", 425, 425, errno.ENOSYS),
        ("io_submit", 209, 2, errno.ENOSYS),
        ("a call of tomorrow", 600, 600, errno.ENOSYS),
    ],
)
def test_calls_by_the_numbers_of_the_kernel(name: str, x86_64: int, aarch64: int, error: int) -> None:
    found = [verdict("x86_64", x86_64), verdict("aarch64", aarch64)]
    assert found == [refused(error) if error else ALLOW] * 2, name


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_of_another_kind_of_machine_kill(machine: str) -> None:
    i386 = 0x4000_0003
    others = {i386, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}
    assert {verdict(machine, 1, architecture=other) for other in others} == {KILL}


def test_the_second_count_of_calls_is_closed() -> None:
    """The x32 architecture, in which call 0 is `read`, and 512 and above are calls of its own."""
    closed = [number for number in range(600) if verdict("x86_64", 0x4000_0000 + number) != refused(errno.ENOSYS)]
    assert closed == []
    assert verdict("x86_64", 520) == refused(errno.ENOSYS)


THREAD, STREAM, FLAGS = 0x003D_0F00, 1, 0x8_0800
NAMESPACES = (0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 1 << 30)
OF_ONE = "prlimit64 sched_setaffinity sched_setparam sched_setscheduler sched_setattr"

ANSWERS: list[tuple[str, int, list[tuple[int, ...]]]] = [
    # A thread may be made, but no namespace.
    ("clone", ALLOWED, [(THREAD,)]),
    ("clone", errno.EPERM, [(THREAD | flag,) for flag in NAMESPACES]),
    # Three families of sockets are left, and none has the kernel load a protocol: raw, DCCP, SCTP, MPTCP.
    ("socket", ALLOWED, [(1, STREAM), (2, STREAM), (10, STREAM), (2, STREAM | FLAGS, 6)]),
    ("socket", errno.EAFNOSUPPORT, [(family, STREAM) for family in range(50) if family not in (1, 2, 10)]),
    ("socket", errno.ESOCKTNOSUPPORT, [(2, kind) for kind in (3, 6, 10)]),
    ("socket", errno.EPROTONOSUPPORT, [(2, STREAM, protocol) for protocol in (132, 262)]),
    ("socketpair", ALLOWED, [(1, STREAM)]),
    ("socketpair", errno.EAFNOSUPPORT, [(family, STREAM) for family in range(50) if family != 1]),
    # What all boxes share is neither written nor told: the page cache, and what locks and leases tell.
    ("preadv2 pwritev2", ALLOWED, [(3, 0, 1, 0, 0, 0)]),
    ("preadv2 pwritev2", errno.EOPNOTSUPP, [(3, 0, 1, 0, 0, flag) for flag in (8, 0x80)]),
    ("madvise", ALLOWED, [(0, 4096, advice) for advice in (4, 8, 14, 15, 18)]),  # of allocators
    ("madvise", DONE, [(0, 4096, advice) for advice in (3, 20, 21)]),  # will need, cold, page out
    ("madvise", errno.EINVAL, [(0, 4096, advice) for advice in (9, 12, 22, 25)]),  # of files
    ("fcntl", DONE, [(3, lock) for lock in (6, 7, 37, 38)]),
    ("fcntl", errno.EINVAL, [(3, command) for command in (1024, 1026, 1036, 8)]),  # lease, notify, hint, own
    ("fcntl", ALLOWED, [(3, command) for command in (0, 1, 2, 3, 4, 5, 36, 1030)]),
    # Huge pages are the host's.
    ("mmap", ALLOWED, [(0, 4096, 3, 0x22)]),
    ("memfd_create", ALLOWED, [(0, 1)]),
    ("mmap", errno.ENOMEM, [(0, 4096, 3, 0x4_0022)]),
    ("shmget", errno.ENOMEM, [(0, 4096, 0o4600)]),
    ("memfd_create", errno.EINVAL, [(0, 5)]),
    # The supervisor is not the bot's to limit.
    (OF_ONE, errno.EPERM, [(1,)]),
    (OF_ONE, ALLOWED, [(0,), (7,)]),
    ("setpriority", ALLOWED, [(0, 0, 19), (0, 7, 19)]),
    ("setpriority", errno.EPERM, [(0, 1, 19), (1, 1, 19), (1, 0, 19), (2, 0, 19)]),
    # Nobody types into a terminal; the kernel reads only the lower half of the request, and so does the filter.
    ("ioctl", errno.ENOTTY, [(0, request) for request in (0x5412, 0xDEAD_0000_5412, 0x541C)]),
    ("ioctl", ALLOWED, [(0, 0x5401)]),
    # A program sees to itself alone: it may name threads and memory, and ask for its personality.
    ("prctl", ALLOWED, [(15,), (0x5356_4D41,)]),
    ("prctl", errno.EINVAL, [(option,) for option in (22, 35, 59, 67, 0x5961_6D61)]),
    ("personality", ALLOWED, [(0xFFFF_FFFF,), (0,)]),
    ("personality", errno.EPERM, [(0x0040_0000,)]),  # ADDR_COMPAT_LAYOUT
]


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_some_calls_are_answered_by_their_arguments(machine: str) -> None:
    for names, answer, calls in ANSWERS:
        expected = ALLOW if answer == ALLOWED else refused(answer)
        for name in names.split():
            assert {call: on(machine, name, *call) for call in calls} == dict.fromkeys(calls, expected), name


def test_a_machine_whose_calls_are_not_known_has_no_box() -> None:
    with pytest.raises(OSError, match=r"riscv64\.\nhint: use a machine with x86_64 or aarch64"):
        filter_for("riscv64")


HERE = "#include <asm/unistd.h>"
ARM64 = """
#define __BITS_PER_LONG 64
#define __ARCH_WANT_RENAMEAT
#define __ARCH_WANT_NEW_STAT
#define __ARCH_WANT_SET_GET_RLIMIT
#define __ARCH_WANT_TIME32_SYSCALLS
#define __ARCH_WANT_SYS_CLONE3
#define __ARCH_WANT_MEMFD_SECRET
#include <asm-generic/unistd.h>
"""
"""What arm64 defines before it includes the table that newer architectures share."""


def defined_by(source: str) -> dict[str, int]:
    """The calls that these lines of C define."""
    words = ["cc", "-E", "-dM", "-"]
    told = subprocess.run(words, input=source, capture_output=True, text=True, check=True).stdout
    macros: dict[str, str] = dict(re.findall(r"#define __NR_?(\w+) (\S+)", told))
    followed = {name: macros.get(value.removeprefix("__NR"), value) for name, value in macros.items()}
    return {name: int(value) for name, value in followed.items() if value.isdigit() and not name.startswith("3264_")}


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler here: apt-get install gcc libc6-dev")
@pytest.mark.parametrize(("machine", "source"), [(os.uname().machine, HERE), ("aarch64", ARM64)])
def test_every_call_has_the_number_of_the_kernel(machine: str, source: str) -> None:
    """Headers older than our table lack the newest calls, and newer ones have more: calls in both must agree."""
    defined, known = defined_by(source), NUMBERS[machine]
    shared = known.keys() & defined.keys()
    assert {name: known[name] for name in shared} == {name: defined[name] for name in shared}
    assert {name for name, number in known.items() if number <= 434} <= shared
    unknown = {name for name, number in defined.items() if number < 424} - known.keys()
    assert unknown <= {"syscalls", "arch_specific_syscall", "uretprobe", "uprobe"}
