"""Who is let in next: a crowd from one address delays only itself."""

from __future__ import annotations

from collections import Counter

import pytest

from bourre_referee.server.gate_queue import GateQueue, source_of


def queue_of(words: str, most: int = 9) -> GateQueue[str]:
    """Those who wait, each named by its source and a number."""
    queue = GateQueue[str](most)
    for word in words.split():
        assert queue.join(word[0], word) is None
    return queue


def in_order(queue: GateQueue[str], inside: str = "") -> str:
    """Those who wait, in the order in which they are let in."""
    counts = Counter(inside)
    let_in = []
    while queue:
        source, who = queue.next(counts)
        counts[source] += 1
        let_in.append(who)
    return " ".join(let_in)


def test_each_source_waits_in_turn() -> None:
    assert in_order(queue_of("a1 a2 a3 b1 c1")) == "a1 b1 c1 a2 a3"


def test_a_source_with_fewer_inside_goes_first() -> None:
    assert in_order(queue_of("a1 a2 b1"), inside="aaa") == "b1 a1 a2"


def test_if_too_many_wait_the_largest_source_loses_its_last() -> None:
    queue = queue_of("a1 a2 a3 b1", most=4)
    assert queue.join("b", "b2") == "a3"
    assert queue.join("c", "c1") in ("a2", "b2")
    assert len(queue) == 4


def test_all_leave_at_the_end() -> None:
    queue = queue_of("a1 b1 a2")
    assert sorted(queue.leave_all()) == ["a1", "a2", "b1"]
    assert len(queue) == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_an_ipv6_network_is_one_source(one: str, other: str, same: bool) -> None:
    assert (source_of(one) == source_of(other)) == same
