"""Which system calls a program in a box may make, by name.

The list starts from what the default profiles of Docker and Podman allow a container without capabilities. Like
go-judge's, it leaves out calls that no bot needs and that attacks on the kernel have often used. A call on neither
list, such as one of a later kernel, gets ENOSYS, as from a kernel that lacks it: C libraries then fall back to an
older call, while EPERM would make them give up.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Literal


def _names(*groups: str) -> frozenset[str]:
    return frozenset(name for group in groups for name in group.split())


_FILES = """
    open openat openat2 creat close close_range read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2
    lseek stat fstat lstat newfstatat statx access faccessat faccessat2 statfs fstatfs getdents getdents64 getcwd chdir
    fchdir rename renameat renameat2 mkdir mkdirat rmdir mknod mknodat link linkat symlink symlinkat unlink unlinkat
    readlink readlinkat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask utime utimes futimesat
    utimensat truncate ftruncate fallocate fadvise64 readahead copy_file_range sendfile splice tee fsync fdatasync
    sync_file_range fcntl flock dup dup2 dup3 memfd_create inotify_init inotify_init1 inotify_add_watch inotify_rm_watch
    getxattr lgetxattr fgetxattr getxattrat setxattr lsetxattr fsetxattr setxattrat
    listxattr llistxattr flistxattr listxattrat removexattr lremovexattr fremovexattr removexattrat
"""
"""sync and syncfs are left out: a bot that calls them in a loop keeps the host's disks busy."""

_MEMORY = """
    brk mmap munmap mremap mprotect madvise mincore msync mlock mlock2 munlock mlockall munlockall membarrier
    pkey_alloc pkey_free pkey_mprotect map_shadow_stack mseal
"""

_PROCESSES = """
    fork vfork execve execveat exit exit_group wait4 waitid getpid getppid gettid getpgid setpgid getpgrp getsid setsid
    set_tid_address set_robust_list get_robust_list futex futex_waitv futex_wait futex_wake futex_requeue rseq
    arch_prctl getrlimit setrlimit prlimit64 getrusage times sysinfo uname getcpu getpriority setpriority sched_yield
    sched_getaffinity sched_setaffinity sched_getparam sched_setparam sched_getscheduler sched_setscheduler
    sched_getattr sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval pidfd_open
    pidfd_send_signal
"""

_USERS = """
    getuid geteuid getresuid setuid setreuid setresuid setfsuid getgid getegid getresgid setgid setregid setresgid
    setfsgid getgroups setgroups capget capset
"""
"""Programs ask for their user as they start; in a box nobody can become another one."""

_SIGNALS_AND_TIME = """
    kill tkill tgkill rt_sigaction rt_sigprocmask rt_sigpending rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo
    rt_tgsigqueueinfo rt_sigreturn sigaltstack signalfd signalfd4 restart_syscall pause alarm getitimer setitimer
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time timer_create timer_settime timer_gettime
    timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime
"""

_BETWEEN_PROCESSES = """
    pipe pipe2 eventfd eventfd2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 connect accept accept4 bind listen getsockname getpeername getsockopt setsockopt shutdown
    sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg getrandom
    shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
"""
"""Shared memory, semaphores and queues are private to the box."""

ALLOWED = _names(_FILES, _MEMORY, _PROCESSES, _USERS, _SIGNALS_AND_TIME, _BETWEEN_PROCESSES)

_OTHER_PROCESSES = """
    ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd migrate_pages move_pages
"""
_MOUNTS_AND_NAMESPACES = """
    mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    name_to_handle_at open_by_handle_at lookup_dcookie fanotify_init
"""
_KERNEL = """
    bpf perf_event_open userfaultfd init_module finit_module delete_module create_module query_module kexec_load
    kexec_file_load add_key request_key keyctl syslog memfd_secret
"""
_HOST = """
    reboot sethostname setdomainname settimeofday clock_settime adjtimex clock_adjtime swapon swapoff quotactl
    quotactl_fd acct vhangup nfsservctl iopl ioperm modify_ldt ustat sysfs
"""

REFUSED = _names(_OTHER_PROCESSES, _MOUNTS_AND_NAMESPACES, _KERNEL, _HOST)
"""Calls that get EPERM: they are long known and never a bot's business, so the error says they are forbidden."""

Test = Literal["among", "none of", "no bit of"]


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for an argument of a call; only its lower half is compared, as the kernel itself reads it."""

    call: str
    argument: int
    """The argument's number, starting at 0."""
    test: Test
    values: tuple[int, ...]
    error: int
    """The error number returned if it does not hold."""


_NEW_NAMESPACES = 0x7E02_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. The flags of clone3 lie in memory, where a
filter cannot see them: it is on no list, so C libraries fall back to clone."""

_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6; the last two reach no network, but gRPC and Node.js probe them as they start."""

_KINDS = tuple(kind | flags for kind in (1, 2, 5) for flags in (0, 0x800, 0x8_0000, 0x8_0800))
"""SOCK_STREAM, DGRAM and SEQPACKET, with or without SOCK_NONBLOCK and SOCK_CLOEXEC."""

_PROTOCOLS = (0, 1, 6, 17)
"""The default, AF_UNIX's own, TCP and UDP: for others the kernel may load a module that nothing else uses."""

_INTO_A_TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which type into a terminal."""

_PERSONALITIES = (0, 0xFFFF_FFFF)
"""PER_LINUX, and the value that only queries the current one."""

_OF_ITSELF = (
    *(1, 2, 3, 4),  # PR_SET and GET_PDEATHSIG, GET and SET_DUMPABLE
    *(15, 16),  # PR_SET and GET_NAME, of a thread
    *(21, 23, 27, 38, 39),  # PR_GET_SECCOMP, CAPBSET_READ, GET_SECUREBITS, SET and GET_NO_NEW_PRIVS
    *(29, 30, 41, 42),  # PR_SET and GET_TIMERSLACK and THP_DISABLE
    *(36, 37),  # PR_SET and GET_CHILD_SUBREAPER
    *(50, 51, 54, 55, 56, 60, 61, 63, 64),  # aarch64: vectors, signed and tagged pointers
    0x5356_4D41,  # PR_SET_VMA, by which allocators name their memory
)
"""Options of prctl that concern only the program itself: no filters, tracers, core scheduling or memory merging."""

CONDITIONS = (
    Condition("clone", 0, "no bit of", (_NEW_NAMESPACES,), errno.EPERM),
    Condition("socket", 0, "among", _FAMILIES, errno.EAFNOSUPPORT),
    Condition("socket", 1, "among", _KINDS, errno.ESOCKTNOSUPPORT),
    Condition("socket", 2, "among", _PROTOCOLS, errno.EPROTONOSUPPORT),
    Condition("socketpair", 0, "among", (1,), errno.EAFNOSUPPORT),
    Condition("ioctl", 1, "none of", _INTO_A_TERMINAL, errno.EPERM),
    Condition("personality", 0, "among", _PERSONALITIES, errno.EPERM),
    Condition("prctl", 0, "among", _OF_ITSELF, errno.EINVAL),
)
"""Calls that are allowed if all their conditions hold; the first that fails decides the error."""
