"""Lies that someone may write into the record of a match, each in one deal."""

from __future__ import annotations

from collections.abc import Callable

from tests.referee.tampering import Tamperer, Values


def where(tamperer: Tamperer, there_is: Callable[[Values], object]) -> tuple[str, int]:
    """The first match and deal whose line in the record satisfies this."""
    for (match,) in tamperer.execute('SELECT match FROM "match" ORDER BY number'):
        for deal, line in enumerate(tamperer.record(match)[1:-1], start=1):
            if there_is(line):
                return match, deal
    raise AssertionError("no such deal was played")


def exchange(hands: list[str]) -> None:
    """The first two seats that hold anything exchange their lowest cards."""
    one, other = (seat for seat, _ in zip(filter(lambda seat: hands[seat], range(len(hands))), range(2), strict=False))
    first, second = hands[one].split(), hands[other].split()
    first[0], second[0] = second[0], first[0]
    hands[one], hands[other] = " ".join(first), " ".join(second)


def reneged(line: Values) -> bool:
    return "reneges" in line


def drew(line: Values) -> bool:
    return sum(map(bool, line["received"])) >= 2


def played_out(line: Values) -> bool:
    return len(line["actions"]) > 10


def play_another(line: Values) -> None:
    """Makes the last card of the deal one that was played before."""
    plays = [place for place, action in enumerate(line["actions"]) if len(action) == 4]
    first, last = plays[0], plays[-1]
    line["actions"][last] = f"{line['actions'][last][0]} {line['actions'][first][2:]}"


def give_a_chip(line: Values) -> None:
    line["balances"][0] += 1
    line["balances"][1] -= 1


LIES: list[tuple[str, Callable[[Values], object], Callable[[Values], object], str]] = [
    ("a dealt card", bool, lambda line: exchange(line["dealt"]), "dealt is"),
    ("the turned card", bool, lambda line: line.update(turned="2C" if line["turned"] != "2C" else "3C"), "turned is"),
    ("a drawn card", drew, lambda line: exchange(line["received"]), "received is"),
    ("the dealer", bool, lambda line: line.update(dealer=(line["dealer"] + 1) % 3), "dealer is"),
    ("an action", played_out, play_another, ""),
    ("an action less", played_out, lambda line: line["actions"].pop(), "the actions stop too early"),
    ("an action more", played_out, lambda line: line["actions"].append("0 2C"), "the deal ends before action"),
    ("a renege", reneged, lambda line: line.pop("reneges"), "reneges is"),
    ("a trick", played_out, lambda line: line["taken"].reverse() or line["taken"].append(line["taken"].pop(0)), ""),
    ("a chip", played_out, give_a_chip, "balances is"),
    ("the pot", bool, lambda line: line.update(pot=line["pot"] + 1), "pot is"),
]
