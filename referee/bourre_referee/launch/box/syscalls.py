"""The system calls that a box refuses, by their numbers on each kind of machine (Linux, `asm/unistd.h`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """A system call; None: this machine has none of that name."""

    name: str
    x86_64: int | None
    aarch64: int | None


def _everywhere(name: str, number: int) -> Call:
    """Calls that were added since 2019 have one number."""
    return Call(name, number, number)


REFUSED = (
    # the memory and the files of other processes
    Call("ptrace", 101, 117),
    Call("process_vm_readv", 310, 270),
    Call("process_vm_writev", 311, 271),
    Call("kcmp", 312, 272),
    _everywhere("pidfd_getfd", 438),
    _everywhere("process_madvise", 440),
    # mounts and namespaces
    Call("mount", 165, 40),
    Call("umount2", 166, 39),
    Call("pivot_root", 155, 41),
    Call("chroot", 161, 51),
    Call("unshare", 272, 97),
    Call("setns", 308, 268),
    _everywhere("open_tree", 428),
    _everywhere("move_mount", 429),
    _everywhere("fsopen", 430),
    _everywhere("fsconfig", 431),
    _everywhere("fsmount", 432),
    _everywhere("fspick", 433),
    _everywhere("mount_setattr", 442),
    # files by other ways than their paths
    Call("name_to_handle_at", 303, 264),
    Call("open_by_handle_at", 304, 265),
    Call("lookup_dcookie", 212, 18),
    Call("fanotify_init", 300, 262),
    # the kernel itself: programs, modules, counters, keys
    Call("bpf", 321, 280),
    Call("perf_event_open", 298, 241),
    Call("userfaultfd", 323, 282),
    Call("init_module", 175, 105),
    Call("finit_module", 313, 273),
    Call("delete_module", 176, 106),
    Call("kexec_load", 246, 104),
    Call("kexec_file_load", 320, 294),
    Call("add_key", 248, 217),
    Call("request_key", 249, 218),
    Call("keyctl", 250, 219),
    Call("syslog", 103, 116),
    _everywhere("memfd_secret", 447),
    # the host: its names, clocks, disks, accounts
    Call("reboot", 169, 142),
    Call("sethostname", 170, 161),
    Call("setdomainname", 171, 162),
    Call("settimeofday", 164, 170),
    Call("clock_settime", 227, 112),
    Call("adjtimex", 159, 171),
    Call("clock_adjtime", 305, 266),
    Call("swapon", 167, 224),
    Call("swapoff", 168, 225),
    Call("quotactl", 179, 60),
    _everywhere("quotactl_fd", 443),
    Call("acct", 163, 89),
    Call("vhangup", 153, 58),
    # old doors that nothing needs any more
    Call("personality", 135, 92),
    Call("nfsservctl", 180, 42),
    Call("iopl", 172, None),
    Call("ioperm", 173, None),
    Call("modify_ldt", 154, None),
    Call("ustat", 136, None),
    Call("sysfs", 139, None),
    Call("create_module", 174, None),
    Call("query_module", 178, None),
    # memory of other nodes and pages of others
    Call("migrate_pages", 256, 238),
    Call("move_pages", 279, 239),
)
"""Refused with EPERM."""

UNKNOWN = (
    # Its flags lie in memory, where no filter sees them; without it the C library uses clone.
    _everywhere("clone3", 435),
    _everywhere("io_uring_setup", 425),
    _everywhere("io_uring_enter", 426),
    _everywhere("io_uring_register", 427),
)
"""Refused with ENOSYS, as by a kernel that has not got them: programs have another way."""

CLONE = Call("clone", 56, 220)
SOCKET = Call("socket", 41, 198)
SOCKETPAIR = Call("socketpair", 53, 199)
IOCTL = Call("ioctl", 16, 29)
