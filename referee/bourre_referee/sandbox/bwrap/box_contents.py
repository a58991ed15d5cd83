"""What a box contains besides the bot: the host's programs and libraries, /proc, and the way to its network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bourre_referee.model.spec import Limits
from bourre_referee.sandbox import network_forwarder
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Empty, Link, Text

_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links into /usr on most systems, separate folders on others."""

_ETC = ("ld.so.cache", "alternatives")
"""The indexes of libraries and alternatives, without which programs do not start on some systems."""

_USERS = (
    Text("nobody:x:65534:65534:nobody:/tmp:/bin/false\n", "/etc/passwd"),
    Text("nogroup:x:65534:\n", "/etc/group"),
)


@cache  # each box of each room asks twice
def system(root: Path = Path("/")) -> tuple[Content, ...]:
    """Returns what is the same for every bot, and for the stage on which root sets up a box."""
    top = [_top(root / name) for name in _TOP if (root / name).exists()]
    etc = [Bind(root / "etc" / name, f"/etc/{name}") for name in _ETC if (root / "etc" / name).exists()]
    return (Bind(root / "usr", "/usr"), *top, *etc)


def users() -> tuple[Content, ...]:
    """Returns files that define the only user of a box."""
    return _USERS


def is_system(path: Path) -> bool:
    """Whether every box has this file anyway, at the same path."""
    return path.is_relative_to("/usr")


def _top(path: Path) -> Content:
    if path.is_symlink():
        return Link(str(path.readlink()), f"/{path.name}")
    return Bind(path, f"/{path.name}")


_PROC = Path("/proc")
_IDLE = " 0" * 10
_FIXED = {
    "loadavg": "0.00 0.00 0.00 1/1 1\n",
    "uptime": "1.00 1.00\n",
    "stat": f"cpu {_IDLE}\ncpu0{_IDLE}\nintr 0\nctxt 0\nbtime 0\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n",
}
_SAME = ("cpuinfo", "filesystems", "version")
"""Tables that programs read as they start and that do not change while bots play."""


def tables(limits: Limits) -> Iterator[Content]:
    """Yields what covers all of /proc but the processes, and links to their own folders.

    The kernel's tables tell what other boxes and the host do, and a kernel or a module may add more.
    """
    for path in sorted(_PROC.iterdir()):
        if path.name.isdigit() or path.is_symlink():
            continue
        if path.is_dir():
            yield Empty(str(path))
        elif (text := _shown(path, limits)) is not None:
            yield Text(text, str(path))
        else:
            yield Bind(Path("/dev/null"), str(path))  # a device, which a box does not let a bot open there


def _shown(path: Path, limits: Limits) -> str | None:
    """What a box shows in place of this table; None if nothing."""
    if path.name in _SAME:
        return path.read_text(errors="replace")
    return _memory(path, limits) if path.name == "meminfo" else _FIXED.get(path.name)


def _memory(path: Path, limits: Limits) -> str:
    """Says that the host has its memory, of which the bot's share is free."""
    total = path.read_text().splitlines()[0]
    free = f"{limits.memory_mib * 1024:>8} kB"
    zeros = "".join(f"{name}: 0 kB\n" for name in ("Buffers", "Cached", "SwapCached", "Active", "Inactive", "Shmem"))
    return f"{total}\nMemFree: {free}\nMemAvailable: {free}\n{zeros}SwapTotal: 0 kB\nSwapFree: 0 kB\n"


_FORWARDER = f"/{Path(network_forwarder.__file__).name}"
_PROXIED = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@dataclass(frozen=True, slots=True)
class BoxedNetwork:
    """The part of a box that its network needs."""

    command: tuple[str, ...] = ()
    """The words before the bot's command."""
    environment: Mapping[str, str] = field(default_factory=dict)
    content: tuple[Bind, ...] = ()


NO_NETWORK = BoxedNetwork()


def boxed_network(proxy: Path, python: str) -> BoxedNetwork:
    """Returns what leads to this socket; the forwarder runs under this Python of the box.

    The variables are those that libraries for the web look at; Node.js needs one more to do so.
    """
    address = f"http://127.0.0.1:{network_forwarder.PORT}"
    names = (*_PROXIED, *map(str.lower, _PROXIED))
    return BoxedNetwork(
        command=(python, "-IS", _FORWARDER),
        environment={**dict.fromkeys(names, address), "NODE_USE_ENV_PROXY": "1"},
        content=(Bind(proxy, network_forwarder.SOCKET), Bind(Path(network_forwarder.__file__), _FORWARDER)),
    )
