"""Ready-made checks of a bot: what they find, what they print, and that a good bot passes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from hashlib import sha256

import pytest

from bourre.bot import Bot
from bourre.rules.cards import Card
from bourre.rules.events import Event
from bourre.rules.house import PRESET_SEATS, PRESETS
from bourre.rules.visibility import View
from bourre.testing import assert_fast, assert_legal, assert_repeats, assertions, view
from bourre.testing.trial import SIZES, make_trials

SAID = re.compile(r'as a test: view\("(.*)"\)$', re.MULTILINE)


class Careful(Bot):
    """Plays any legal card at random."""

    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.7

    def draw(self, view: View) -> list[Card]:
        return list(view.hand[: view.max_discards])

    async def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


def failure(check: Callable[..., None], *words: object, **more: object) -> str:
    with pytest.raises(AssertionError) as caught:
        check(*words, **more)
    return str(caught.value)


def test_a_good_bot_passes() -> None:
    assert_legal(Careful, deals=40)
    assert_repeats(Careful, deals=40)
    assert_fast(Careful, ms=1000)


def test_every_preset_is_played_at_tables_of_several_sizes() -> None:
    planned = list(make_trials(10, 7, None))
    assert {trial.seed for trial in planned} == {7}
    for preset in PRESETS:
        sizes = [trial.seats for trial in planned if trial.preset == preset]
        assert sizes == [min(size, PRESET_SEATS.get(preset, 8)) for size in SIZES]
        assert sum(trial.deals for trial in planned if trial.preset == preset) == 10
        assert [trial.place for trial in planned if trial.preset == preset] == [0, 1, 2, 3]
    assert [trial.deals for trial in make_trials(2, 7, ["limit"])] == [1, 1]


def test_an_illegal_card_is_told_so_that_it_can_be_repeated() -> None:
    class Highest(Careful):
        def play(self, view: View) -> Card:  # type: ignore[override]
            return view.hand[-1]

    said = failure(assert_legal, Highest, deals=60, presets=["limit"])
    found = SAID.search(said)
    assert found is not None
    seen = view(found[1])
    assert Highest().play(seen) not in seen.legal
    heading, where, cards, cost, _, again = said.splitlines()
    assert re.match(
        rf"Highest: play returned {seen.hand[-1]}, which breaks R[56]\.\d, .+ \(deal \d+, preset limit,", heading
    )
    assert re.match(r"  where: test_testing\.py, line \d+, where play returns$", where)
    assert f"legal {' '.join(map(str, seen.legal))}" in cards
    assert f"costs this pot of {seen.pot}" in cost
    assert again == "  again: assert_legal(Highest, deals=60, seed=7, presets=['limit'])"


def test_an_exception_is_told_with_its_line() -> None:
    class Broken(Careful):
        def draw(self, view: View) -> list[Card]:
            return [view.hand[7]]

    said = failure(assert_legal, Broken)
    assert re.match(r"Broken: draw \(line \d+\) raised IndexError: tuple index out of range", said)
    found = SAID.search(said)
    assert found is not None
    assert found[1].startswith("draw hand=")


def test_a_mistake_in_one_preset_alone_is_found() -> None:
    class NoFour(Careful):
        def draw(self, view: View) -> list[Card]:
            return list(view.hand)

    assert_legal(NoFour, presets=["pagat"])
    assert "at most 4 may be discarded (R4.3)" in failure(assert_legal, NoFour, presets=["bicycle"])


def test_the_slowest_decision_is_told_with_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = [0.0]

    class Slow(Careful):
        def declare(self, view: View) -> bool:
            spent[0] += 0.002 if view.deal == 3 else 0.0005
            return True

    monkeypatch.setattr(assertions, "process_time", lambda: spent[0])
    said = failure(assert_fast, Slow, ms=1)
    assert said.startswith("Slow: declare took 2.0 ms of processor time, more than 1 ms\n")
    found = SAID.search(said)
    assert found is not None
    seen = view(found[1])
    assert (seen.decision, seen.deal) == ("declare", 3)
    assert_fast(Slow, ms=2.5)


def test_only_processor_time_is_counted() -> None:
    assert vars(assertions)["process_time"] is time.process_time


def test_a_bot_with_a_mind_of_its_own_does_not_repeat() -> None:
    moods: Iterator[bool] = iter([True, False, False] * 10_000)

    class Moody(Careful):
        def declare(self, view: View) -> bool:
            return next(moods)

    said = failure(assert_repeats, Moody, presets=["limit"])
    assert re.match(r"Moody: declare returned .+, and .+ in the repeated match \(deal \d+, preset limit", said)
    assert "use view.rng or random for chance" in said


def test_a_preset_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match=r"Unknown preset 'limti'\. Did you mean 'limit'"):
        assert_legal(Careful, presets=["limti"])


def test_a_seed_gives_the_matches_of_today() -> None:
    """So an author's test that passes goes on to pass, with the same cards and the same opponents."""
    heard = sha256()

    class Listening(Careful):
        def on_event(self, event: Event) -> None:
            heard.update(str(event).encode())

        def on_match_end(self, balances: tuple[int, ...]) -> None:
            heard.update(str(balances).encode())

    assert_legal(Listening, deals=8, seed=3)
    assert heard.hexdigest()[:12] == "d73b43004923"
