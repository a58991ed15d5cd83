"""The policy for system calls in a sandbox: a table of calls with the answer and the reason.

It starts from the calls that Docker's and Podman's default profiles allow a container without capabilities. Like
go-judge's policy, it omits calls that no bot needs and that attacks on the kernel often use. It also omits calls by
which two sandboxes could communicate through shared state: the files of the host and the kernel's own counts.

A call in no rule, such as one of a later kernel, gets ENOSYS, as from a kernel that lacks it: C libraries then fall
back to an older call, while EPERM would make them give up.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Literal

Test = Literal["among", "none of", "no bit of"]
ALLOWED = -1
"""The answer to a call that the kernel makes."""
DONE = 0
"""The answer to a call that succeeds without doing anything."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition for an argument of a call. Only its lower half is compared, which is all that the kernel reads."""

    argument: int
    """The argument's number, starting at 0."""
    test: Test
    values: tuple[int, ...]
    answer: int
    """The error number returned if it does not hold, or DONE."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The answer to calls of these names, and the reason."""

    names: str
    answer: int
    """ALLOWED, DONE, or an error number."""
    why: str
    conditions: tuple[Condition, ...] = ()
    """Further conditions for allowed calls. The first that fails decides the answer."""

    @property
    def calls(self) -> tuple[str, ...]:
        """The names of the calls, one by one."""
        return tuple(self.names.split())


_NEW_NAMESPACES = 0x7E02_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. The flags of clone3 lie in memory, where a
filter cannot see them: it is in no rule, so C libraries fall back to clone."""

_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6. The last two reach no network, but gRPC and Node.js probe them at their start."""

_KINDS = tuple(kind | flags for kind in (1, 2, 5) for flags in (0, 0x800, 0x8_0000, 0x8_0800))
"""SOCK_STREAM, DGRAM and SEQPACKET, with or without SOCK_NONBLOCK and SOCK_CLOEXEC."""

_PROTOCOLS = (0, 1, 6, 17)
"""The default, AF_UNIX's own, TCP and UDP. For others the kernel might load a module."""

_OF_TERMINALS = (
    *range(0x5401, 0x5412),  # TCGETS to TIOCOUTQ
    *(0x5413, 0x5414, 0x541B, 0x5422, 0x5429, 0x5441),  # window size, FIONREAD, TIOCNOTTY, TIOCGSID and TIOCGPTPEER
    *(0x802C_542A, 0x402C_542B, 0x402C_542C, 0x402C_542D),  # TCGETS2 and TCSETS2
    *(0x8004_5430, 0x4004_5431, 0x8004_5432, 0x8004_5438, 0x8004_5439, 0x8004_5440),  # of pseudo-terminals
)
"""But TIOCSTI and TIOCLINUX, which type into a terminal."""

_OF_ANY_FILE = (0x5421, 0x5450, 0x5451, 0x5452, 0x5460)
"""FIONBIO, FIONCLEX, FIOCLEX, FIOASYNC and FIOQSIZE."""

_OF_SOCKETS = (0x8905, 0x8906, 0x8907, 0x8910, 0x8912, *range(0x8913, 0x8923, 2), 0x8927, 0x8933)
"""SIOCATMARK, times of arrival, and those that list the interfaces."""

_OF_DESCRIPTORS = (0, 1, 2, 3, 4, 5, 36, 1030, 1031, 1032, 1033, 1034)
"""F_DUPFD, F_GETFD to F_SETFL, F_GETLK and that of an open file (no sandbox has a lock), F_DUPFD_CLOEXEC, the size of
a pipe, and the seals of a memfd. Omitted are leases, hints and notices, which all sandboxes with the same file would
share, and signals to an owner."""

_LOCKS = (6, 7, 37, 38)
"""F_SETLK, F_SETLKW and those of an open file. They succeed and lock nothing: a filter sees no path, so locks on a
bot's own files cannot be told from locks on what all sandboxes share, and without success SQLite would not start."""

_ADVICE_ON_ITSELF = (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 23, 102, 103)
"""NORMAL, RANDOM, SEQUENTIAL, DONTNEED, FREE, DONTFORK, DOFORK, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, WIPEONFORK,
KEEPONFORK, POPULATE_WRITE and guards: what allocators ask. Left out are those that act on the pages of files, and
MERGEABLE, which shares equal pages among sandboxes."""

_ADVICE_ON_FILES = (3, 20, 21)
"""MADV_WILLNEED, COLD and PAGEOUT."""

_HUGE_MAPPING, _HUGE_FILE, _HUGE_SEGMENT = 0x4_0000, 4, 0o4000
"""MAP_HUGETLB, MFD_HUGETLB and SHM_HUGETLB: all sandboxes share one pool of such pages."""

_SUPERVISOR = 1
"""The process number of a sandbox's supervisor, which has a single thread."""

_NOT_THE_SUPERVISOR = (Condition(0, "none of", (_SUPERVISOR,), errno.EPERM),)

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

_FILES = """
    open openat openat2 creat close close_range read readv pread64 preadv write writev pwrite64 pwritev
    lseek stat fstat lstat newfstatat statx access faccessat faccessat2 getdents getdents64 getcwd chdir
    fchdir rename renameat renameat2 mkdir mkdirat rmdir mknod mknodat link linkat symlink symlinkat unlink unlinkat
    readlink readlinkat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask
    truncate ftruncate fallocate copy_file_range sendfile splice tee dup dup2 dup3
    getxattr lgetxattr fgetxattr getxattrat setxattr lsetxattr fsetxattr setxattrat
    listxattr llistxattr flistxattr listxattrat removexattr lremovexattr fremovexattr removexattrat
"""

_MEMORY = """
    brk munmap mremap mprotect mlock mlock2 munlock mlockall munlockall membarrier
    pkey_alloc pkey_free pkey_mprotect map_shadow_stack mseal
"""

_PROCESSES = """
    fork vfork execve execveat exit exit_group wait4 waitid getpid getppid gettid getpgid setpgid getpgrp getsid setsid
    set_tid_address set_robust_list get_robust_list futex futex_waitv futex_wait futex_wake futex_requeue rseq
    arch_prctl getrlimit setrlimit getrusage times uname getcpu getpriority sched_yield sched_getaffinity sched_getparam
    sched_getscheduler sched_getattr sched_get_priority_max sched_get_priority_min pidfd_open pidfd_send_signal
"""

_USERS = """
    getuid geteuid getresuid setuid setreuid setresuid setfsuid getgid getegid getresgid setgid setregid setresgid
    setfsgid getgroups setgroups capget capset
"""

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
    shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
"""

_KERNEL = """
    bpf perf_event_open userfaultfd init_module finit_module delete_module create_module query_module kexec_load
    kexec_file_load add_key request_key keyctl syslog memfd_secret
"""

_MOUNTS_AND_NAMESPACES = """
    mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    name_to_handle_at open_by_handle_at lookup_dcookie fanotify_init
"""

_HOST = """
    reboot sethostname setdomainname settimeofday clock_settime adjtimex clock_adjtime swapon swapoff quotactl
    quotactl_fd acct vhangup nfsservctl iopl ioperm modify_ldt ustat sysfs
"""

_FORBIDDEN = "long known and never a bot's business, so the error says that it is forbidden"
_HIDDEN = "tells what other boxes and the host do, and every program can do without"
_SHARED_CACHE = "all boxes share the host's cache of files, and this would write into it"
_ON_DISK = "a bot's own files are in memory; for the host's, a loop of this would keep its disks busy"

POLICY = (
    Rule(_FILES, ALLOWED, "a bot works with files"),
    Rule(_MEMORY, ALLOWED, "and with memory of its own"),
    Rule(_PROCESSES, ALLOWED, "and with processes and threads of its own"),
    Rule(_USERS, ALLOWED, "programs ask for their user as they start; in a box nobody can become another one"),
    Rule(_SIGNALS_AND_TIME, ALLOWED, "signals reach the processes of the box alone"),
    Rule(_BETWEEN_PROCESSES, ALLOWED, "sockets, shared memory, semaphores and queues are private to the box"),
    Rule("fadvise64 readahead", DONE, _SHARED_CACHE),
    Rule(
        "madvise",
        ALLOWED,
        "allocators advise on their own memory",
        (
            Condition(2, "none of", _ADVICE_ON_FILES, DONE),
            Condition(2, "among", _ADVICE_ON_ITSELF, errno.EINVAL),
        ),
    ),
    Rule(
        "preadv2 pwritev2",
        ALLOWED,
        "flags such as RWF_NOWAIT and RWF_DONTCACHE read and write that cache",
        (Condition(5, "among", (0,), errno.EOPNOTSUPP),),
    ),
    Rule("fsync fdatasync sync_file_range msync", DONE, _ON_DISK),
    Rule(
        "utime utimes futimesat utimensat",
        DONE,
        "anyone may set the times of the host's /dev/null, and all boxes see them",
    ),
    Rule("mincore cachestat", errno.ENOSYS, _HIDDEN),
    Rule("statfs fstatfs", errno.ENOSYS, "tells how full the host's disk is, to which each bot's log adds"),
    Rule("sysinfo sched_rr_get_interval", errno.ENOSYS, _HIDDEN),
    Rule("inotify_init inotify_init1 inotify_add_watch inotify_rm_watch fanotify_mark", errno.ENOSYS, _HIDDEN),
    Rule("flock", errno.ENOSYS, "a lock on a file of the host is seen by all boxes"),
    Rule(
        "fcntl",
        ALLOWED,
        "locks on files of the host are seen by all boxes, hints and notices too",
        (
            Condition(1, "none of", _LOCKS, DONE),
            Condition(1, "among", _OF_DESCRIPTORS, errno.EINVAL),
        ),
    ),
    Rule(
        "ioctl",
        ALLOWED,
        "file systems tell by it what they keep in memory of a file, and may do much else",
        (Condition(1, "among", (*_OF_TERMINALS, *_OF_ANY_FILE, *_OF_SOCKETS), errno.ENOTTY),),
    ),
    Rule("mmap", ALLOWED, "huge pages", (Condition(3, "no bit of", (_HUGE_MAPPING,), errno.ENOMEM),)),
    Rule("memfd_create", ALLOWED, "huge pages", (Condition(1, "no bit of", (_HUGE_FILE,), errno.EINVAL),)),
    Rule("shmget", ALLOWED, "huge pages", (Condition(2, "no bit of", (_HUGE_SEGMENT,), errno.ENOMEM),)),
    Rule(
        "prlimit64 sched_setaffinity sched_setparam sched_setscheduler sched_setattr",
        ALLOWED,
        "the supervisor runs as the same user, and must not be slowed or limited",
        _NOT_THE_SUPERVISOR,
    ),
    Rule(
        "setpriority",
        ALLOWED,
        "the same; a group's or a user's priority is also the supervisor's",
        (
            Condition(0, "among", (0,), errno.EPERM),
            Condition(1, "none of", (_SUPERVISOR,), errno.EPERM),
        ),
    ),
    Rule("clone", ALLOWED, "no namespaces", (Condition(0, "no bit of", (_NEW_NAMESPACES,), errno.EPERM),)),
    Rule(
        "socket",
        ALLOWED,
        "few families, kinds and protocols",
        (
            Condition(0, "among", _FAMILIES, errno.EAFNOSUPPORT),
            Condition(1, "among", _KINDS, errno.ESOCKTNOSUPPORT),
            Condition(2, "among", _PROTOCOLS, errno.EPROTONOSUPPORT),
        ),
    ),
    Rule("socketpair", ALLOWED, "the same", (Condition(0, "among", (1,), errno.EAFNOSUPPORT),)),
    Rule("personality", ALLOWED, "only Linux", (Condition(0, "among", _PERSONALITIES, errno.EPERM),)),
    Rule("prctl", ALLOWED, "its own names, limits and signals", (Condition(0, "among", _OF_ITSELF, errno.EINVAL),)),
    Rule(
        "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd migrate_pages move_pages",
        errno.EPERM,
        _FORBIDDEN,
    ),
    Rule(_MOUNTS_AND_NAMESPACES, errno.EPERM, _FORBIDDEN),
    Rule(_KERNEL, errno.EPERM, _FORBIDDEN),
    Rule(_HOST, errno.EPERM, _FORBIDDEN),
)
"""Each call stands in one rule at most."""
