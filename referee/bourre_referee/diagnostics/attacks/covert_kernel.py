"""Covert channels through the kernel's counts and names: tasks, files, space, sockets, memory, terminals."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import struct
import threading
import time
from pathlib import Path

from bourre_referee.diagnostics.attacks.covert_end import LIBC, CovertEnd, checked

_HELD = 20


class KernelWays(CovertEnd):
    """A program's ends of these channels."""

    def tell_tasks(self, bit: int, value: bool) -> None:
        for _ in range(_HELD * value):
            end = threading.Event()
            self._waiting.append((end, threading.Thread(target=end.wait)))
            self._waiting[-1][1].start()

    def watch_tasks(self, bit: int) -> None:
        self._before = self._tasks()

    def hear_tasks(self, bit: int) -> str:
        return str(int(self._tasks() - self._before > _HELD // 2))

    tell_load = tell_tasks

    def _tasks(self) -> int:
        about = ctypes.create_string_buffer(128)
        checked(LIBC.sysinfo(about))
        return int(struct.unpack_from("H", about.raw, 80)[0])

    def watch_load(self, bit: int) -> None:
        self._before = self._load()

    def hear_load(self, bit: int) -> str:
        return str(int(self._load() - self._before > _HELD // 2))

    def _load(self) -> int:
        return int(Path("/proc/loadavg").read_text().split()[3].split("/")[1])

    def tell_open_files(self, bit: int, value: bool) -> None:
        for _ in range(_HELD * 2 * value):
            self._hold(os.open("/dev/null", os.O_RDONLY))

    def watch_open_files(self, bit: int) -> None:
        self._before = self._open_files()

    def hear_open_files(self, bit: int) -> str:
        return str(int(self._open_files() - self._before > _HELD))

    def _open_files(self) -> int:
        return int(Path("/proc/sys/fs/file-nr").read_text().split()[0])

    def tell_disk_space(self, bit: int, value: bool) -> None:
        if value:
            os.write(1, b"." * 60_000)
            time.sleep(0.2)  # until the referee has written it to the log on its disk

    def watch_disk_space(self, bit: int) -> None:
        self._before = os.statvfs("/usr").f_bfree

    def hear_disk_space(self, bit: int) -> str:
        return str(int(self._before - os.statvfs("/usr").f_bfree > 7))

    def tell_abstract_socket(self, bit: int, value: bool) -> None:
        if value:
            bound = socket.socket(socket.AF_UNIX)
            bound.bind(f"\0bourre{bit}")
            self._hold(bound.detach())

    def hear_abstract_socket(self, bit: int) -> str:
        with socket.socket(socket.AF_UNIX) as tried:
            try:
                tried.bind(f"\0bourre{bit}")
            except OSError:
                return "1"
        return "0"

    def tell_port(self, bit: int, value: bool) -> None:
        if value:
            bound = socket.socket()
            bound.bind(("127.0.0.1", 20_000 + bit))
            self._hold(bound.detach())

    def hear_port(self, bit: int) -> str:
        with socket.socket() as tried:
            return "0" if tried.connect_ex(("127.0.0.1", 20_000 + bit)) else "1"

    def tell_shared_memory(self, bit: int, value: bool) -> None:
        if value:
            checked(LIBC.shmget(0x5EED + bit, 4096, 0o1666))

    def hear_shared_memory(self, bit: int) -> str:
        return str(int(LIBC.shmget(0x5EED + bit, 4096, 0) >= 0))

    def tell_file(self, bit: int, value: bool) -> None:
        if value:
            Path(f"/dev/shm/bourre{bit}").touch()

    def hear_file(self, bit: int) -> str:
        return str(int(Path(f"/dev/shm/bourre{bit}").exists()))

    def tell_terminal(self, bit: int, value: bool) -> None:
        if value:
            self._held += os.openpty()

    def watch_terminal(self, bit: int) -> None:
        self._before = self._terminal()

    def hear_terminal(self, bit: int) -> str:
        return str(int(self._terminal() != self._before))

    def _terminal(self) -> int:
        keeper, terminal = os.openpty()
        number = int(os.ttyname(terminal).rpartition("/")[2])
        os.close(keeper)
        os.close(terminal)
        return number

    def tell_process_number(self, bit: int, value: bool) -> None:
        for _ in range(8 * value):
            self._children.append(self._child())

    def watch_process_number(self, bit: int) -> None:
        self._before = self._process_number()

    def hear_process_number(self, bit: int) -> str:
        return str(int(self._process_number() - self._before > 8))

    def _process_number(self) -> int:
        child = self._child()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return child
