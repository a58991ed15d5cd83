"""Who waits before a gate, by source address, and who is let in next: a crowd from one address delays only itself."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Generic, TypeVar

T = TypeVar("T")

_NETWORK_BYTES = 8
"""One customer has a whole IPv6 network of this prefix, and any number of addresses in it."""


class GateQueue(Generic[T]):
    """Connections that wait, in order of arrival for each source."""

    def __init__(self, most: int) -> None:
        """At most this many wait at a time."""
        self._most = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def join(self, source: str, who: T) -> T | None:
        """Adds one that comes; returns whom to turn away if too many wait: the last of the largest source."""
        self._waiting.setdefault(source, deque()).append(who)
        self._number += 1
        if self._number <= self._most:
            return None
        largest = max(self._waiting, key=lambda each: len(self._waiting[each]))
        return self._take(largest, last=True)

    def next(self, inside: Counter[str]) -> tuple[str, T]:
        """Takes the one to let in: the first of the source with the fewest inside, by turns. Raises if nobody waits."""
        source = min(self._waiting, key=lambda each: inside[each])
        who = self._take(source, last=False)
        if source in self._waiting:
            self._waiting.move_to_end(source)
        return source, who

    def leave_all(self) -> Iterable[T]:
        """Takes all."""
        while self._waiting:
            yield self._take(next(iter(self._waiting)), last=False)

    def _take(self, source: str, *, last: bool) -> T:
        queue = self._waiting[source]
        who = queue.pop() if last else queue.popleft()
        if not queue:
            del self._waiting[source]
        self._number -= 1
        return who


def source_of(host: str) -> str:
    """Returns what counts as one source: an IPv4 address, or a whole IPv6 network."""
    address = ip_address(host.partition("%")[0])
    return host if address.version == 4 else address.packed[:_NETWORK_BYTES].hex()
