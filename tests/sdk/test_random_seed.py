"""A bot that draws from Python's `random`, unseeded: its answers repeat, and nobody else's draws change."""

from __future__ import annotations

import asyncio
import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from bourre.bot import Bot
from bourre.bot_code.bot_file import load
from bourre.bot_code.random_seed import decision_seed, seed_decision, seed_start
from bourre.connection.bot_tables import Tables
from bourre.messages import Ask, Bundle, Seating
from bourre.practice import practice, practice_duplicate
from bourre.practice.repro import reproduce
from bourre.practice.seat import PracticeSeat, borrowed_random, mentions_random
from bourre.record import asks, read
from bourre.rules.actions import Choice, Missing, Recall
from bourre.rules.cards import Card
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.testing import assert_repeats, view
from tests.sdk.bots import Keen

DRAWS = str(Path(__file__).parents[1] / "end_to_end" / "bots" / "draws.py")
LEADS = [view(f"play hand='AS KH 2C 3C 4C' trump=S leader=0 deal={deal} seed={deal}") for deal in range(1, 6)]


class Fair(Keen):
    def play(self, view: View) -> Card:
        return random.choice(view.legal)


@pytest.fixture(autouse=True)
def own_draws() -> Iterator[None]:
    """Gives the numbers back that these tests take from the process."""
    with borrowed_random("tests"):
        yield


def test_practice_repeats_whatever_was_drawn_before() -> None:
    first = practice([DRAWS, "random"], deals=30, seed=7)
    random.random()
    assert practice([DRAWS, "random"], deals=30, seed=7) == first
    assert practice([DRAWS, "random"], deals=30, seed=8).matches[0].record != first.matches[0].record


def test_practice_takes_no_number_from_its_user() -> None:
    state = random.getstate()
    practice([DRAWS, Fair], deals=3)
    practice_duplicate([DRAWS, Fair], 3, lambda seats, deal: [(0, 1), (1, 0)])
    assert random.getstate() == state


def test_a_decision_is_the_same_whoever_else_sits_there() -> None:
    """What other bots draw in the same process changes nothing."""

    class Greedy(Keen):
        def play(self, view: View) -> Card:
            random.random()
            return view.legal[0]

    class Quiet(Keen):
        def play(self, view: View) -> Card:
            return view.legal[0]

    greedy, quiet = (practice({"fair": Fair, "other": other}, deals=20).matches for other in (Greedy, Quiet))
    assert greedy[0].record == quiet[0].record


def test_repro_asks_again_and_gets_the_same_answer() -> None:
    record = read(practice({"draws": Fair, "calm": Keen}, deals=10).matches[0].record)
    found = reproduce(Fair, "draws", list(asks(record, 0)))
    assert (found.wanted.same, found.otherwise) == (True, None)


def test_its_own_test_says_that_it_repeats() -> None:
    assert_repeats(Fair, deals=20)


def _answers(order: list[int]) -> dict[int, Choice | Missing | Recall]:
    """The answers of one bot at five tables, which it is asked in this order."""

    async def ask() -> dict[int, Choice | Missing | Recall]:
        tables = Tables(Fair)
        house = HouseRules.preset("limit")
        tables.follow(Bundle(seatings=[Seating(at, f"m{at}", 0, 4, 5, house) for at in range(5)]))
        return {at: (await tables.answers(Ask(at, 1, LEADS[at], 0)))[0].action for at in order}

    return asyncio.run(ask())


def test_tables_do_not_disturb_each_other() -> None:
    assert _answers([0, 1, 2, 3, 4]) == _answers([4, 2, 0, 3, 1])


def test_decisions_draw_other_numbers_than_the_dice_of_the_view() -> None:
    drawn = []
    for lead in LEADS:
        seed_decision(lead)
        drawn += [random.random(), lead.rng.random()]
    assert len(set(drawn)) == 10


def test_a_start_repeats_and_seeds_differ() -> None:
    def draw(seed: str) -> float:
        seed_start(seed)
        return random.random()

    assert draw("one") == draw("one") != draw("another")


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides `random`, as in a bot whose modules have not imported it."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.delitem(sys.modules, "random")


def _import_anew() -> ModuleType:
    return importlib.import_module("random")


@pytest.mark.usefixtures("unloaded")
def test_a_module_imported_during_a_decision_draws_as_one_imported_before() -> None:
    seed_start("one")
    for lead in LEADS[:2]:
        seed_decision(lead)
    assert "random" not in sys.modules
    late = _import_anew()
    drawn = late.random()
    seed_decision(LEADS[1])
    assert (drawn, late.__name__, late.__spec__ and late.__spec__.loader) == (late.random(), "random", late.__loader__)


@pytest.mark.usefixtures("unloaded")
def test_a_module_imported_at_the_start_draws_from_the_start_seed() -> None:
    seed_start("one")
    assert _import_anew().random() == random.Random("one").random()


@pytest.mark.usefixtures("unloaded")
def test_a_file_that_hides_the_module_is_imported_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random.py").write_text("MINE = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    seed_start("one")
    assert _import_anew().MINE


@pytest.mark.usefixtures("unloaded")
def test_a_file_that_fails_to_load_may_be_imported_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random.py").write_text("1 / 0\n")
    with monkeypatch.context() as hidden:
        hidden.syspath_prepend(tmp_path)
        seed_start("one")
        with pytest.raises(ZeroDivisionError):
            _import_anew()
    seed_decision(LEADS[0])
    assert _import_anew().random() == random.Random(decision_seed(LEADS[0])).random()


def test_a_file_that_hides_the_module_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "random", ModuleType("random"))
    seed_decision(LEADS[0])
    seed_start("one")


def test_only_bots_whose_files_mention_random_are_seeded_in_practice(tmp_path: Path) -> None:
    bot = "from bourre import Bot\nclass Mine(Bot):\n    pass\n"
    for folder, text in {
        "plain": bot,
        "draws": f"import random\n{bot}",
        "beside": f"from dice import throw\n{bot}",
    }.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.py").write_text(text)
    (tmp_path / "beside" / "dice.py").write_text("from random import random as throw\n")
    found = {
        name: mentions_random(load(str(tmp_path / name / f"{name}.py")).__module__)
        for name in ("plain", "draws", "beside")
    }
    assert found == {"plain": False, "draws": True, "beside": True}
    assert mentions_random(type("Typed", (Bot,), {"__module__": "a notebook"}).__module__)


def test_the_default_bot_draws_nothing_and_is_seeded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[object] = []
    monkeypatch.setattr(random, "seed", seeds.append)
    practice([Bot, Bot], deals=2, seed=1)
    assert len(seeds) == 1


def test_a_seat_takes_no_number_from_a_learner_in_the_same_process() -> None:
    seat = PracticeSeat(0, "fair", Fair(), lambda awaitable: awaitable)
    state = random.getstate()
    assert [seat.answer(lead) for lead in LEADS] == [seat.answer(lead) for lead in LEADS]
    assert random.getstate() == state
