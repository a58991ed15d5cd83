"""Records under house rules: deals that end before any seat is asked, and reopened tricks."""

from __future__ import annotations

import pytest

from bourre.record import Recorder, RecordError, read, replay
from bourre.rules.actions import Recall
from bourre.rules.deck import SeededChance
from bourre.rules.events import PotCarried, TrickReopened
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from tests.sdk.random_answers import RandomStep
from tests.sdk.recorded import changed, header, recorded

SPADES_OR_CLUBS = HouseRules.preset("indiana", ante=2)


def with_deals_that_nobody_plays() -> tuple[str, list[RandomStep]]:
    """Two seats, and hands of four that mostly may not play: often no seat is asked (R4.6)."""
    return recorded(header(2, 300, 3, SPADES_OR_CLUBS), mischief=0.0)


def test_deals_that_nobody_may_play_are_recorded_without_an_action() -> None:
    text, noted = with_deals_that_nobody_plays()
    record = read(text)
    assert [tuple(step) for step in replay(record)] == noted
    unplayed = [deal for deal in record.deals if not deal.actions and deal.turned]
    nobody = [event for _, _, events in noted for event in events if isinstance(event, PotCarried) and not event.played]
    assert len(unplayed) >= len(nobody) > 0
    assert any(sum(isinstance(event, PotCarried) for event in events) > 1 for _, _, events in noted)


def test_a_match_of_deals_that_nobody_may_play_has_a_record() -> None:
    """All deals are settled at the start; the record is complete and true."""
    for seed in range(2000):
        spec = header(2, 2, seed, SPADES_OR_CLUBS)
        match = Match(2, 2, SPADES_OR_CLUBS, SeededChance(spec.seed))
        recorder = Recorder(spec)
        recorder.note(None, None, match.start())
        if match.over:
            break
    record = read(recorder.text())
    assert [deal.actions for deal in record.deals] == [(), ()]
    assert [step.action for step in replay(record)] == [None]
    assert [deal.deal for deal in recorder.finished] == [1, 2]


@pytest.mark.parametrize("key", ["pot", "dealer", "turned"])
def test_a_lie_about_a_deal_that_nobody_played_is_found(key: str) -> None:
    text, _ = with_deals_that_nobody_plays()
    number = next(deal.deal for deal in read(text).deals if not deal.actions)
    lies = {"pot": -1, "dealer": 5, "turned": None}
    with pytest.raises(RecordError, match=rf"deal {number}: {key} is .+ by seed and rules, but recorded as"):
        list(replay(read(changed(text, number, lambda deal: deal.update({key: lies[key]})))))


def test_an_action_in_a_deal_that_nobody_played_cannot_be() -> None:
    text, _ = with_deals_that_nobody_plays()
    number = next(deal.deal for deal in read(text).deals if not deal.actions)
    with pytest.raises(RecordError, match=rf"deal {number}: the deal ends before action 1, 0 in"):
        list(replay(read(changed(text, number, lambda deal: deal["actions"].append("0 in")))))


def test_a_trick_opened_again_counts_once() -> None:
    spec = header(3, 60, 5, HouseRules(renege_policy="silent"))
    text, noted = recorded(spec, mischief=0.3)
    record = read(text)
    assert any(isinstance(event, TrickReopened) for _, _, events in noted for event in events)
    assert any(isinstance(action, Recall) for _, action, _ in noted)
    assert {sum(deal.taken) for deal in record.deals} <= {0, 5}
    assert [tuple(step) for step in replay(record)] == noted
