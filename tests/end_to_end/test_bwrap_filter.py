"""The filter of system calls, tried in a real sandbox."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

import bourre_referee.sandbox.bwrap.bwrap_launcher
from bourre_referee.sandbox.bwrap.seccomp import ALLOW, NUMBERS
from bourre_referee.sandbox.bwrap.syscall_policy import POLICY
from tests.end_to_end.boxes import program, told_by

CALLS = """
import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)

def error_of(number, *arguments):
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return ctypes.get_errno()

print(json.dumps([error_of(*call) for call in json.loads(sys.argv[1])]))
"""


def errors_of(calls: list[tuple[int, ...]], folder: Path) -> list[int]:
    told = told_by(program(folder, CALLS, str([list(call) for call in calls])), folder / "seats")
    assert isinstance(told, list)
    return told


HERE = NUMBERS[os.uname().machine]
PROBES = {335, 336} if os.uname().machine == "x86_64" else set[int]()
"""uretprobe and uprobe: the kernel lets them past every filter, and itself kills a program that calls them."""


def test_every_refused_call_is_refused_and_the_idle_ones_do_nothing(tmp_path: Path) -> None:
    known = {HERE[call]: rule.answer for rule in POLICY if rule.answer >= 0 for call in rule.calls if call in HERE}
    assert errors_of([(number,) for number in known], tmp_path) == list(known.values())


def test_what_is_in_no_rule_is_answered_as_by_an_older_kernel(tmp_path: Path) -> None:
    listed = {HERE[call] for rule in POLICY for call in rule.calls if call in HERE}
    unlisted = sorted(set(range(1000)) - listed - PROBES)
    left_out = ("clone3", "io_uring_setup", "io_setup", "seccomp", "landlock_create_ruleset", "sync")
    assert {HERE[name] for name in left_out} <= set(unlisted)
    assert errors_of([(number,) for number in unlisted], tmp_path) == [errno.ENOSYS] * len(unlisted)


def test_calls_that_any_process_may_make_elsewhere_are_refused_by_the_filter(tmp_path: Path) -> None:
    netlink, packet, vsock, stream, raw, sctp = 16, 17, 40, 1, 3, 132
    fixed_addresses, type_in, user_namespace, set_seccomp = 0x4_0000, 0x5412, 0x10000000, 22
    assert errors_of(
        [
            (HERE["ptrace"], 0, 0, 0, 0),  # PTRACE_TRACEME
            (HERE["personality"], fixed_addresses),
            (HERE["socket"], netlink, raw, 0),
            (HERE["socket"], packet, raw, 0),
            (HERE["socket"], vsock, stream, 0),
            (HERE["socket"], 2, raw, 0),
            (HERE["socket"], 2, stream, sctp),
            (HERE["ioctl"], 0, type_in, 0),
            (HERE["clone"], user_namespace, 0, 0, 0, 0),
            (HERE["prctl"], set_seccomp, 1, 0, 0, 0),  # only read, write and exit from now on
        ],
        tmp_path,
    ) == [
        *(errno.EPERM, errno.EPERM, errno.EAFNOSUPPORT, errno.EAFNOSUPPORT, errno.EAFNOSUPPORT),
        *(errno.ESOCKTNOSUPPORT, errno.EPROTONOSUPPORT, errno.ENOTTY, errno.EPERM, errno.EINVAL),
    ]


NAMESPACE = """
import json, subprocess
print(json.dumps(subprocess.run(["/usr/bin/unshare", "--user", "true"], capture_output=True, text=True).stderr))
"""


def test_the_filter_allows_no_namespace_inside(tmp_path: Path) -> None:
    assert "Operation not permitted" in told_by(program(tmp_path, NAMESPACE), tmp_path / "seats")


def test_nor_does_the_box_without_a_filter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allows_all = struct.pack("<HBBI", 0x06, 0, 0, ALLOW)
    monkeypatch.setattr(bourre_referee.sandbox.bwrap.bwrap_launcher, "filter_here", lambda: allows_all)
    assert "No space left on device" in told_by(program(tmp_path, NAMESPACE), tmp_path / "seats")
