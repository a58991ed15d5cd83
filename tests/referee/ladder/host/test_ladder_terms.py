"""The terms of a ladder: its log has them, and an edit is another set of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bourre_referee.ladder.host.ladder_file import BoardSettings, load_ladder
from bourre_referee.ladder.host.ladder_terms import epoch_terms, logged_settings, terms_set
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, write_file


def test_every_term_is_told(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path))
    told = terms_set(settings)
    assert told.tables == epoch_terms(settings).hash
    assert dict(told.others) == {
        "epoch.rooms": "1000",
        "epoch.hours": "24.0",
        "quotas.bots": "1000",
        "quotas.bots_per_owner": "3",
        "quotas.versions_per_day": "10",
        "quotas.connections": "2000",
        "quotas.challenges_per_day": "10",
        "board.tau": "0.008",
        "board.unseen_days": "14.0",
        "benching.fault_share": "0.2",
        "benching.games": "20",
        "pairing": "2",
        "rating of tight": "25.0 1.5",
    }


def test_the_terms_of_a_board_are_read_back_unless_some_are_missing(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path, f"{FILE}[board]\ntau = 0.1\n[benching]\nfault_share = 0.5\n{STAFF}"))
    told = terms_set(settings)
    assert logged_settings(told) == BoardSettings(settings.board, settings.benching, settings.anchors)
    assert logged_settings(None) is None
    for key in ("board.tau", "benching.games", "rating of tight"):
        damaged = (*((name, text) for name, text in told.others if name != key), (key, "much"))
        assert logged_settings(replace(told, others=damaged)) is None
    assert logged_settings(replace(told, others=told.others[:-3])) is None


def test_other_tables_have_another_hash(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path))
    slower = replace(settings.contest.clock, decision_ms=9_999)
    other = replace(settings, contest=replace(settings.contest, clock=slower))
    assert terms_set(other).tables != terms_set(settings).tables
    assert terms_set(other).others == terms_set(settings).others
