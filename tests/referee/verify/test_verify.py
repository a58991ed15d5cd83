"""`bourre verify` finds every change in a run or in its export, whether its hashes were adjusted or not."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bourre_referee.export.export_writer import export
from bourre_referee.storage.run.run import Run
from tests.referee import contests
from tests.referee.command import Bourre, said_by
from tests.referee.in_process import run_in_process
from tests.referee.lies import LIES, where
from tests.referee.tampering import Tamperer, Values


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of ten matches in which everything happens."""
    place = tmp_path_factory.mktemp("kept")
    text = contests.FILE.replace("deals = 4", "deals = 8")
    run_in_process(contests.small_contest(place / "contest", text), place / "run")
    return place / "run"


@pytest.mark.parametrize(
    ("exported", "fits"), [(False, False), (True, True)], ids=["as it is", "made to fit, exported"]
)
@pytest.mark.parametrize(("there_is", "lie", "says"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_lie_in_a_record_is_found_in_its_deal(
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
    assert said_by(4, "verify", as_export(tamperer.folder) if exported else tamperer.folder).startswith(
        f"difference: match {match}, deal {deal}: {says}"
    )


def as_export(folder: Path) -> Path:
    """The same, exported by someone who does not check."""
    out = folder.with_name("exported")
    export(Run.open(folder), "jsonl", out, tables=())  # the tables can only be made from legal records
    return out


HEADERS: list[tuple[Values, str]] = [
    ({"match": "m0004"}, "the record's match is 'm0004', should be 'm0003'"),
    ({"seed": "ab" * 32}, f"its seed is {'ab' * 32}, should be "),
    ({"house": {"ante": 2, "pot_limit": 20}}, "its house rule ante is 2, should be 1"),
    ({"bots": ["ada", "bob", "cy"]}, "the line-up, which follows from the seed, is 'ada' 'bob' 'cy', should be "),
]


@pytest.mark.parametrize(("news", "says"), HEADERS, ids=[next(iter(news)) for news, _ in HEADERS])
def test_a_lie_about_a_match_is_found(tamperer: Tamperer, news: Values, says: str) -> None:
    tamperer.change("m0003", 0, lambda line: line.update(news))
    tamperer.make_it_fit()
    assert said_by(4, "verify", tamperer.folder).startswith(f"difference: match m0003: {says}")


def test_a_lie_about_the_end_is_found(tamperer: Tamperer) -> None:
    tamperer.change("m0003", -1, lambda line: line.update(final=[30, -20, -10]))
    tamperer.make_it_fit()
    assert "difference: match m0003: the final balances are" in said_by(4, "verify", tamperer.folder)


def test_a_lie_about_how_many_faults_a_bot_may_have_is_found(bourre: Bourre, tamperer: Tamperer) -> None:
    tamperer.change_json("manifest.json", lambda values: values["terms"].update(max_faults=1))
    done = bourre("verify", tamperer.folder)
    assert done.code == 4
    assert re.match(r"difference: match m\d+, deal \d+: action \d+, after 1 fault of seat \d \(\w+\), is ", done.out)
