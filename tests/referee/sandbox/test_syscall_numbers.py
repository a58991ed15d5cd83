"""The numbers of system calls, compared with the kernel's own headers as the C compiler reads them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from bourre_referee.sandbox.bwrap.seccomp import NUMBERS

pytestmark = pytest.mark.skipif(
    not shutil.which("cc"), reason="there is no C compiler here: apt-get install gcc libc6-dev"
)

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


@pytest.mark.parametrize(("machine", "source"), [(os.uname().machine, HERE), ("aarch64", ARM64)])
def test_every_call_has_the_number_of_the_kernel(machine: str, source: str) -> None:
    """Headers older than our table lack the newest calls, and newer ones have more: calls in both must agree."""
    defined, known = defined_by(source), NUMBERS[machine]
    shared = known.keys() & defined.keys()
    assert {name: known[name] for name in shared} == {name: defined[name] for name in shared}
    assert {name for name, number in known.items() if number <= 434} <= shared
    unknown = {name for name, number in defined.items() if number < 424} - known.keys()
    assert unknown <= {"syscalls", "arch_specific_syscall", "uretprobe", "uprobe"}
