"""The content of a sandbox in addition to the bot: programs and libraries, /proc, and the network."""

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


@cache  # each sandbox of each room asks twice
def system(root: Path = Path("/")) -> tuple[Content, ...]:
    """Returns the content that all bots, and root's stage for a sandbox, have in common."""
    top = [_top(root / name) for name in _TOP if (root / name).exists()]
    etc = [Bind(root / "etc" / name, f"/etc/{name}") for name in _ETC if (root / "etc" / name).exists()]
    return (Bind(root / "usr", "/usr"), *top, *etc)


def users() -> tuple[Content, ...]:
    """Returns files that define the only user of a sandbox."""
    return _USERS


def is_system(path: Path) -> bool:
    """Whether every sandbox has this file at the same path."""
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
"""Tables that programs read at their start and that do not change during play."""


def tables(limits: Limits) -> Iterator[Content]:
    """Yields covers for all of /proc except the processes and the links to their own folders.

    The kernel's tables reveal the activity of other sandboxes and the host. A kernel or a module may add more.
    """
    for path in sorted(_PROC.iterdir()):
        if path.name.isdigit() or path.is_symlink():
            continue
        if path.is_dir():
            yield Empty(str(path))
        elif (text := _shown(path, limits)) is not None:
            yield Text(text, str(path))
        else:
            yield Bind(Path("/dev/null"), str(path))  # a device, which a bot cannot open there


def _shown(path: Path, limits: Limits) -> str | None:
    """Returns the replacement of this table in a sandbox; None if there is none."""
    if path.name in _SAME:
        return path.read_text(errors="replace")
    return _memory(path, limits) if path.name == "meminfo" else _FIXED.get(path.name)


def _memory(path: Path, limits: Limits) -> str:
    """Returns a table with the host's total memory, of which the bot's share is free."""
    total = path.read_text().splitlines()[0]
    free = f"{limits.memory_mib * 1024:>8} kB"
    zeros = "".join(f"{name}: 0 kB\n" for name in ("Buffers", "Cached", "SwapCached", "Active", "Inactive", "Shmem"))
    return f"{total}\nMemFree: {free}\nMemAvailable: {free}\n{zeros}SwapTotal: 0 kB\nSwapFree: 0 kB\n"


_FORWARDER = f"/{Path(network_forwarder.__file__).name}"
_PROXIED = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@dataclass(frozen=True, slots=True)
class BoxedNetwork:
    """The content of a sandbox for a network."""

    command: tuple[str, ...] = ()
    """The words in front of the bot's command."""
    environment: Mapping[str, str] = field(default_factory=dict)
    content: tuple[Bind, ...] = ()


NO_NETWORK = BoxedNetwork()


def boxed_network(proxy: Path, python: str) -> BoxedNetwork:
    """Returns the content that leads to this socket. The forwarder runs with this Python of the sandbox.

    Web libraries read these variables. Node.js needs one more to do so.
    """
    address = f"http://127.0.0.1:{network_forwarder.PORT}"
    names = (*_PROXIED, *map(str.lower, _PROXIED))
    return BoxedNetwork(
        command=(python, "-IS", _FORWARDER),
        environment={**dict.fromkeys(names, address), "NODE_USE_ENV_PROXY": "1"},
        content=(Bind(proxy, network_forwarder.SOCKET), Bind(Path(network_forwarder.__file__), _FORWARDER)),
    )
