"""The filter of system calls, called in a real box."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

import bourre_referee.launch.box.walls
from bourre_referee.launch.box.seccomp import ALLOW
from bourre_referee.launch.box.syscalls import REFUSED, UNKNOWN
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


def number(name: str, x86_64: int, aarch64: int) -> int:
    return {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]


def test_every_refused_call_is_refused(tmp_path: Path) -> None:
    here = [getattr(call, os.uname().machine) for call in (*REFUSED, *UNKNOWN)]
    why = [errno.EPERM] * len(REFUSED) + [errno.ENOSYS] * len(UNKNOWN)
    known = [(number, error) for number, error in zip(here, why, strict=True) if number is not None]
    assert errors_of([(number,) for number, _ in known], tmp_path) == [error for _, error in known]


def test_calls_that_any_process_may_make_elsewhere_are_refused_by_the_filter(tmp_path: Path) -> None:
    ptrace, personality = number("ptrace", 101, 117), number("personality", 135, 92)
    socket, ioctl, clone = number("socket", 41, 198), number("ioctl", 16, 29), number("clone", 56, 220)
    netlink, packet, vsock, type_in, user_namespace = 16, 17, 40, 0x5412, 0x10000000
    assert errors_of(
        [
            (ptrace, 0, 0, 0, 0),  # PTRACE_TRACEME
            (personality, 0xFFFFFFFF),  # only asks
            (socket, netlink, 3, 0),
            (socket, packet, 3, 0),
            (socket, vsock, 1, 0),
            (ioctl, 0, type_in, 0),
            (clone, user_namespace, 0, 0, 0, 0),
        ],
        tmp_path,
    ) == [errno.EPERM, errno.EPERM, *[errno.EAFNOSUPPORT] * 3, errno.EPERM, errno.EPERM]


NAMESPACE = """
import json, subprocess
print(json.dumps(subprocess.run(["/usr/bin/unshare", "--user", "true"], capture_output=True, text=True).stderr))
"""


def test_the_filter_allows_no_namespace_inside(tmp_path: Path) -> None:
    assert "Operation not permitted" in told_by(program(tmp_path, NAMESPACE), tmp_path / "seats")


def test_nor_does_the_box_without_a_filter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allows_all = struct.pack("<HBBI", 0x06, 0, 0, ALLOW)
    monkeypatch.setattr(bourre_referee.launch.box.walls, "filter_here", lambda: allows_all)
    assert "No space left on device" in told_by(program(tmp_path, NAMESPACE), tmp_path / "seats")
