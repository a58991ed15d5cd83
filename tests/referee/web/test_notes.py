"""What bots said, on pages: to everyone once the seed is public, before that only to the bot's owner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bourre_referee.statistics.rule_following import ALL, FAULTS
from bourre_referee.storage.run.run import Run
from bourre_referee.web.template_filters import signed
from tests.long_tests import mostly_long
from tests.referee import contests, talking_rooms
from tests.referee.talking_rooms import PLAIN
from tests.referee.web.reading import PageRead
from tests.referee.web.serving import OWNERS, cookie, key_of, serving

PAGES = ("/matches/m0002/deals/1", "/matches/m0002/deals/2", "/matches/m0002/replay.html")
PARTS = ("standings", "matches", "matches/m0002", "stats")
OTHERS = ("/", "/conduct", "/matches/m0002", "/bots/1", *(f"/api/{part}" for part in PARTS))


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose seed is still secret."""
    return talking_rooms.run_half(tmp_path_factory.mktemp("half"))


RUNS = {"public": contests.FILE, "revealed": talking_rooms.SECRET}


@pytest.fixture(scope="module", params=mostly_long(RUNS, {"revealed"}))
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, whose seed everyone knows by now."""
    return talking_rooms.run_to_the_end(tmp_path_factory.mktemp("whole"), request.param)


def test_pages_have_notes_beside_the_answers_once_the_seed_is_public(whole: Path) -> None:
    with serving(whole) as it:
        deal, second, replay = map(it.text, PAGES)
    assert f"<bdi>{PLAIN}</bdi>" in deal
    assert f"<bdi>{PLAIN}</bdi>" in second
    for page in (deal, replay):
        assert page.count("<details data-note-of=") == (3 if page is deal else 4)
        assert "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;" in page
        assert "\\x1b[2J" in page
        assert "\\u202edlrow" in page
        assert not {"\x1b", "\u202e"} & set(page)
        assert "<script>alert" not in page


def test_no_page_has_notes_while_the_seed_is_secret(half: Path) -> None:
    with serving(half, owners=OWNERS) as it:
        for path in (*PAGES, *OTHERS):
            answer = it.client.get(path)
            assert answer.status_code in (200, 404)
            assert PLAIN not in answer.text
            assert "/C calc" not in answer.text
            assert 'data-note-of="' not in answer.text


def test_usage_is_shown_once_the_seed_is_public(half: Path, whole: Path) -> None:
    with serving(whole) as it:
        page, replay, stats = map(it.text, ("/conduct", PAGES[-1], "/api/stats"))
        bots = Run.open(whole).bots
    rows = {row[0]: row[1:] for row in PageRead(page).rows if row[0] in bots and len(row) == 9}
    told = {used["bot"]: used for used in json.loads(stats)["usage"]}
    assert {*rows} == {*told} != set()
    for bot, (chips, cost, calls, tokens_in, tokens_out, *ratios) in rows.items():
        used = told[bot]
        assert [calls, tokens_in, tokens_out] == [f"{used[key]:,}" for key in ("calls", "tokens_in", "tokens_out")]
        assert (cost, chips) == (f"{used['cost']:,.2f}", signed(used["chips"]))
        per = ("per_100_calls", "per_1000_tokens", "per_unit_of_money")
        assert ratios == [signed(used[key], 2) for key in per]
    assert "used 2 calls, 1,000 tokens in, 50 out, cost 2.50 in this match" in replay
    with serving(half) as it:
        assert "No bot reported usage, or the seed is still secret." in it.text("/models")
        assert "Usage" not in it.text("/conduct")
        assert "usage" not in json.loads(it.text("/api/stats"))


def test_the_board_of_models_has_the_figures_of_the_command(whole: Path) -> None:
    with serving(whole) as it:
        page, stats = it.text("/models"), json.loads(it.text("/api/stats"))
        assert 'href="/models"' in it.text("/conduct")
    told = {row["name"]: row for row in stats["models"]}
    rows = {row[0]: row[1:] for row in PageRead(page).rows[1:]}
    assert [*rows] == [*told]
    for bot, cells in rows.items():
        row = told[bot]
        rates = row["following"]["rates"]
        assert cells[0].startswith(signed(row["skill"]["chips_per_100"], 1))
        for kind, cell in zip((ALL, FAULTS), cells[1:3], strict=True):
            assert cell.startswith(f"{rates[kind]['per_100']:.2f}")
        costs = {"calls_per_100": 1, "tokens_per_100": 0, "cost_per_100": 4, "cost_per_100_chips": 4}
        for (key, decimals), cell in zip(costs.items(), cells[3:7], strict=True):
            assert cell == ("\N{EN DASH}" if row[key] is None else f"{row[key]:,.{decimals}f}")
    assert None in {row["cost_per_100_chips"] for row in told.values()}
    assert "How it was measured" in page


def test_only_the_owner_reads_notes_while_the_seed_is_secret(half: Path) -> None:
    (bots,) = [[seat.bot for seat in result.seats] for result in Run.open(half).results() if result.match == "m0002"]
    polite, hostile, silent = map(key_of, bots)
    place = "/owner/notes/m0002"
    with serving(half, owners=OWNERS) as it:
        assert it.client.get(place).status_code == 403
        answer = it.client.get(place, headers=cookie(polite))
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.text.count(PLAIN) == 2
        assert "/C calc" not in answer.text
        assert "used 2 calls, 1,000 tokens in, 50 out, cost 2.50 in this match\n" in answer.text
        assert place in it.text("/owner", key=polite)
        told = it.text(place, key=hostile)
        assert not {"\x1b", "\u202e", "\r"} & set(told)
        assert PLAIN not in told
        for key, match in ((silent, "m0002"), (polite, "m0009")):
            assert it.client.get(f"/owner/notes/{match}", headers=cookie(key)).status_code == 404
