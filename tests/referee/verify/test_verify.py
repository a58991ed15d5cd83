"""`bourre verify` finds every change in a run or in its export, whether its hashes were adjusted or not."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.export.export_writer import export
from bourre_referee.storage.run_folder import RunFolder
from tests.referee import contests
from tests.referee.command import Bourre
from tests.referee.in_process import run_in_process
from tests.referee.tampering import Tamperer, Values

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ten matches in which everything happens."""
    place = tmp_path_factory.mktemp("kept")
    text = contests.FILE.replace("deals = 4", "deals = 8")
    run_in_process(contests.small_contest(place / "contest", text), place / "run")
    return place / "run"


def where(tamperer: Tamperer, there_is: Callable[[Values], object]) -> tuple[str, int]:
    """The first match and deal whose line in the record satisfies this."""
    for number in range(1, 11):
        for deal, line in enumerate(tamperer.record(f"m{number:04d}")[1:-1], start=1):
            if there_is(line):
                return f"m{number:04d}", deal
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


@pytest.mark.parametrize("fits", [False, True], ids=["as it is", "made to fit"])
@pytest.mark.parametrize("exported", [False, True], ids=["run", "export"])
@pytest.mark.parametrize(("there_is", "lie", "says"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_lie_in_a_record_is_found_in_its_deal(
    bourre: Bourre,
    tamperer: Tamperer,
    there_is: Callable[[Values], object],
    lie: Callable[[Values], object],
    says: str,
    exported: bool,
    fits: bool,
) -> None:
    match, deal = where(tamperer, there_is)
    tamperer.change(match, deal, lie, hashed=fits)
    if fits:
        tamperer.make_it_fit()
    done = bourre("verify", as_export(tamperer.folder) if exported else tamperer.folder)
    assert done.code == 4
    assert done.out.startswith(f"difference: match {match}, deal {deal}: {says}")


def as_export(folder: Path) -> Path:
    """The same, exported by someone who does not check."""
    out = folder.with_name("exported")
    export(RunFolder.open(folder), "jsonl", out, tables=())  # the tables can only be made from legal records
    return out


HEADERS: list[tuple[Values, str]] = [
    ({"match": "m0004"}, "the record's match is 'm0004', should be 'm0003'"),
    ({"seed": "ab" * 32}, f"its seed is {'ab' * 32}, should be "),
    ({"house": {"ante": 2, "pot_limit": 20}}, "its house rule ante is 2, should be 1"),
    ({"bots": ["ada", "bob", "cy"]}, "the line-up, which follows from the seed, is 'ada' 'bob' 'cy', should be "),
]


@pytest.mark.parametrize(("news", "says"), HEADERS, ids=[next(iter(news)) for news, _ in HEADERS])
def test_a_lie_about_a_match_is_found(bourre: Bourre, tamperer: Tamperer, news: Values, says: str) -> None:
    tamperer.change("m0003", 0, lambda line: line.update(news))
    tamperer.make_it_fit()
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert done.out.startswith(f"difference: match m0003: {says}")


def test_a_lie_about_the_end_is_found(bourre: Bourre, tamperer: Tamperer) -> None:
    tamperer.change("m0003", -1, lambda line: line.update(final=[30, -20, -10]))
    tamperer.make_it_fit()
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert "difference: match m0003: the final balances are" in done.out


def test_a_lie_about_how_many_faults_a_bot_may_have_is_found(bourre: Bourre, tamperer: Tamperer) -> None:
    tamperer.change_json("manifest.json", lambda values: values["terms"].update(max_faults=1))
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert re.match(r"difference: match m\d+, deal \d+: action \d+, after 1 fault of seat \d \(\w+\), is ", done.out)
