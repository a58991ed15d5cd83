"""Covert channels through the files of the host that all sandboxes share: their cache, locks, times and notices."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import struct
import time
from collections.abc import Iterator
from itertools import islice

from bourre_referee.diagnostics.attacks.covert_end import LIBC, CovertEnd, checked

_CACHESTAT = 451
_GET_OPEN_LOCK, _SET_OPEN_LOCK = 36, 37
_GET_HINT, _SET_HINT = 1035, 1036
_NOTIFY, _READ_IN_FOLDER = 1026, 0x8000_0001
_CACHED_EXTENTS = 0xC020_662A
_OPENED = 0x20
_BITS = 64


def files_below(top: str) -> Iterator[str]:
    """Yields the files below this folder, in the same order in every sandbox."""
    for at, folders, names in os.walk(top):
        folders.sort()
        yield from (path for name in sorted(names) if not os.path.islink(path := os.path.join(at, name)))


def lock(kind: int, start: int = 0) -> bytes:
    """Returns the `struct flock` for one byte."""
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, start, 1, 0)


def locked(answer: bytes) -> str:
    """Returns whether the kernel's answer says that somebody holds the lock in question."""
    return str(int(struct.unpack_from("h", answer)[0] != fcntl.F_UNLCK))


def rare_files() -> list[str]:
    """Lists files that hardly any program reads, each for one bit."""
    return list(islice((path for path in files_below("/usr/share/doc") if os.path.getsize(path)), _BITS))


class FileWays(CovertEnd):
    """A program's ends of these channels."""

    def __init__(self) -> None:
        super().__init__()
        self._signals = 0
        self._shared = list(islice(files_below("/usr/bin"), _BITS))
        self._rare = rare_files()

    def tell_page_cache(self, bit: int, value: bool) -> None:
        file = self._hold(os.open(self._rare[bit], os.O_RDONLY))
        os.pread(file, 1, 0)
        if not value:
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)

    def hear_page_cache(self, bit: int) -> str:
        try:
            return str(os.preadv(self._hold(os.open(self._rare[bit], os.O_RDONLY)), [bytearray(1)], 0, os.RWF_NOWAIT))
        except BlockingIOError:
            return "0"

    tell_resident_pages = tell_cache_statistics = tell_page_cache

    def hear_resident_pages(self, bit: int) -> str:
        found = ctypes.create_string_buffer(1)
        access = mmap.PROT_READ | mmap.PROT_WRITE
        file = self._hold(os.open(self._rare[bit], os.O_RDONLY))
        with mmap.mmap(file, 0, mmap.MAP_PRIVATE, access) as page:
            checked(LIBC.mincore(ctypes.byref(ctypes.c_char.from_buffer(page)), ctypes.c_size_t(4096), found))
        return str(found.raw[0] & 1)

    def hear_cache_statistics(self, bit: int) -> str:
        span, found = struct.pack("QQ", 0, 4096), ctypes.create_string_buffer(40)
        checked(LIBC.syscall(_CACHESTAT, self._hold(os.open(self._rare[bit], os.O_RDONLY)), span, found, 0))
        return str(struct.unpack_from("Q", found.raw)[0])

    def tell_cold_pages(self, bit: int, value: bool) -> None:
        if value:
            self._faults(bit)

    def _faults(self, bit: int) -> int:
        """Reads a page, and returns how often the read had to wait for the disk."""
        file = os.open(self._rare[-bit - 1], os.O_RDONLY)  # the other channels read the first ones
        with mmap.mmap(file, 0, mmap.MAP_PRIVATE, mmap.PROT_READ) as page:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
            page[0]
            after = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
        os.close(file)
        return after - before

    def hear_cold_pages(self, bit: int) -> str:
        return str(int(not self._faults(bit)))

    def tell_known_extents(self, bit: int, value: bool) -> None:
        if value:
            os.pread(os.open(self._rare[bit], os.O_RDONLY), 1, 0)

    def hear_known_extents(self, bit: int) -> str:
        asked = struct.pack("QQIIII56x", 0, 1 << 62, 0, 0, 1, 0)
        answer = fcntl.ioctl(os.open(self._rare[bit], os.O_RDONLY), _CACHED_EXTENTS, asked)
        return str(min(1, struct.unpack_from("QQII", answer)[3]))

    def tell_flock(self, bit: int, value: bool) -> None:
        if value:
            fcntl.flock(self._hold(os.open(self._shared[bit], os.O_RDONLY)), fcntl.LOCK_EX | fcntl.LOCK_NB)

    def hear_flock(self, bit: int) -> str:
        file = os.open(self._shared[bit], os.O_RDONLY)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "1"
        finally:
            os.close(file)
        return "0"

    def tell_read_lock(self, bit: int, value: bool) -> None:
        if value:
            fcntl.fcntl(self._hold(os.open(self._shared[bit], os.O_RDONLY)), fcntl.F_SETLK, lock(fcntl.F_RDLCK))

    def hear_read_lock(self, bit: int) -> str:
        return locked(fcntl.fcntl(os.open(self._shared[bit], os.O_RDONLY), fcntl.F_GETLK, lock(fcntl.F_WRLCK)))

    def tell_open_lock(self, bit: int, value: bool) -> None:
        if value:
            fcntl.fcntl(self._hold(os.open(self._shared[bit], os.O_RDONLY)), _SET_OPEN_LOCK, lock(fcntl.F_RDLCK))

    def hear_open_lock(self, bit: int) -> str:
        return locked(fcntl.fcntl(os.open(self._shared[bit], os.O_RDONLY), _GET_OPEN_LOCK, lock(fcntl.F_WRLCK)))

    def tell_device_lock(self, bit: int, value: bool) -> None:
        if value:
            fcntl.fcntl(self._hold(os.open("/dev/null", os.O_RDWR)), fcntl.F_SETLK, lock(fcntl.F_WRLCK, bit))

    def hear_device_lock(self, bit: int) -> str:
        file = os.open("/dev/null", os.O_RDWR)
        try:
            fcntl.fcntl(file, fcntl.F_SETLK, lock(fcntl.F_WRLCK, bit))
        except (BlockingIOError, PermissionError):
            return "1"
        finally:
            os.close(file)
        return "0"

    def tell_write_hint(self, bit: int, value: bool) -> None:
        fcntl.fcntl(os.open(self._shared[bit], os.O_RDONLY), _SET_HINT, struct.pack("Q", 2 + value))

    def hear_write_hint(self, bit: int) -> str:
        answer = fcntl.fcntl(os.open(self._shared[bit], os.O_RDONLY), _GET_HINT, bytes(8))
        return str(int(struct.unpack("Q", answer)[0] == 3))

    def tell_device_time(self, bit: int, value: bool) -> None:
        if value:
            time.sleep(0.01)  # the kernel stamps files by a coarse clock
            os.utime("/dev/null")

    def watch_device_time(self, bit: int) -> None:
        self._before = os.stat("/dev/null").st_mtime_ns

    def hear_device_time(self, bit: int) -> str:
        return str(int(os.stat("/dev/null").st_mtime_ns != self._before))

    def tell_read_time(self, bit: int, value: bool) -> None:
        if value:
            os.pread(os.open(self._shared[bit], os.O_RDONLY), 1, 0)

    def watch_read_time(self, bit: int) -> None:
        self._before = os.stat(self._shared[bit]).st_atime_ns

    def hear_read_time(self, bit: int) -> str:
        return str(int(os.stat(self._shared[bit]).st_atime_ns != self._before))

    tell_inotify = tell_dnotify = tell_read_time

    def watch_inotify(self, bit: int) -> None:
        self._before = self._hold(checked(LIBC.inotify_init1(os.O_NONBLOCK)))
        checked(LIBC.inotify_add_watch(self._before, self._shared[bit].encode(), _OPENED))

    def hear_inotify(self, bit: int) -> str:
        try:
            return str(int(bool(os.read(self._before, 4096))))
        except BlockingIOError:
            return "0"

    def watch_dnotify(self, bit: int) -> None:
        self._signals = 0
        signal.signal(signal.SIGIO, self._count)
        fcntl.fcntl(self._hold(os.open("/usr/bin", os.O_RDONLY)), _NOTIFY, _READ_IN_FOLDER)

    def hear_dnotify(self, bit: int) -> str:
        return str(min(1, self._signals))

    def _count(self, *_: object) -> None:
        self._signals += 1
