"""Each decision of a deal has its choices as bars, which only readers of its cards see."""

from __future__ import annotations

import pytest

from bourre.record import asks_of_all
from bourre_lab.champion import judge
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.viewer import dearest_move, render_deal, render_onlooker, weighed_moves
from bourre_referee.web.viewer.replay_steps import steps_of
from bourre_referee.web.viewer.weighed_moves import MOST_BARS, weigh_moves
from tests.referee.web.viewing import mischievous_match


def test_the_bars_of_a_decision_are_the_best_choices_and_the_one_that_was_made() -> None:
    record = mischievous_match()
    asks = {ask.place: ask for _, ask in asks_of_all(record) if ask.view.deal == 2}
    moves = weigh_moves(record, 2, None)
    assert len(moves) > 3
    for move in moves:
        ask = asks[move.number]
        judged = {one.choice: one.chips for one in judge(ask.view)}
        best = sorted(judged.values(), reverse=True)[:MOST_BARS]
        assert move.seat == ask.view.seat
        assert len(move.bars) == len(best)
        assert move.bars[0].chips == pytest.approx(best[0], abs=0.01)
        assert [bar.is_best for bar in move.bars] == [True] + [False] * (len(best) - 1)
        chosen = [bar for bar in move.bars if bar.is_chosen]
        assert [bar.words for bar in chosen] == [move.chosen] * (ask.action in judged)
        if chosen:
            assert move.cost == pytest.approx(best[0] - judged[ask.action], abs=0.02)  # type: ignore[index]
        for bar in move.bars:
            assert 0 <= bar.start <= bar.start + bar.length <= 100.01


def test_the_dearest_decision_of_some_deals_is_found_with_its_step() -> None:
    record = mischievous_match()
    deals = [deal for deal in deals_of(record) if deal.number in (1, 2)]
    weighed = {deal.number: weigh_moves(record, deal.number, None) for deal in deals}
    found = dearest_move(record, deals)
    assert found is not None
    assert found.move.cost == max(move.cost for moves in weighed.values() for move in moves)
    step = list(steps_of(found.played, weighed=weighed[found.played.number]))[found.step - 1]
    assert step.weighed == found.move
    assert dearest_move(record, ()) is None


def test_a_page_shows_them_and_names_the_dearest_but_not_to_an_onlooker(monkeypatch: pytest.MonkeyPatch) -> None:
    record = mischievous_match()
    dearest = max(weigh_moves(record, 2, None), key=lambda move: move.cost)
    view, public = render_deal(record, 2), render_onlooker(record, 2)
    assert view is not None
    assert public is not None
    assert view.viewer.count('<table class="weighed"') == len(weigh_moves(record, 2, None))
    assert f"\N{MINUS SIGN}{dearest.cost:.1f} chips</b> for <bdi>bot {dearest.seat}</bdi>" in view.viewer
    assert "champion" not in public.viewer

    def missing() -> None:
        raise ModuleNotFoundError("no lab")

    monkeypatch.setattr(weighed_moves, "open_lab", missing)
    plain = render_deal(record, 2)
    assert plain is not None
    assert "champion" not in plain.viewer
