"""What bots said, on pages: to everyone once the seed is public, before that only to the bot's owner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bourre_referee.storage.run_folder import RunFolder
from bourre_referee.web.owner_logs import OwnerKeys
from bourre_referee.web.render import signed
from tests.referee import contests, talking_rooms
from tests.referee.talking_rooms import PLAIN
from tests.referee.web.reading import PageRead
from tests.referee.web.serving import serving

OWNERS = OwnerKeys(b"k" * 32)
PAGES = ("/matches/m0002/deals/1", "/matches/m0002/deals/2", "/matches/m0002/replay.html")
OTHERS = (
    "/",
    "/conduct",
    "/matches/m0002",
    "/bots/1",
    "/api/standings",
    "/api/matches",
    "/api/matches/m0002",
    "/api/stats",
)


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose seed is still secret."""
    return talking_rooms.run_half(tmp_path_factory.mktemp("half"))


@pytest.fixture(scope="module", params=[contests.FILE, talking_rooms.SECRET], ids=["public", "revealed"])
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
            assert "calc" not in answer.text
            assert "<details" not in answer.text


def test_usage_is_shown_once_the_seed_is_public(half: Path, whole: Path) -> None:
    with serving(whole) as it:
        page, replay, stats = map(it.text, ("/conduct", PAGES[-1], "/api/stats"))
        bots = RunFolder.open(whole).bots
    rows = {row[0]: row[1:] for row in PageRead(page).rows if row[0] in bots and len(row) == 9}
    told = {used["bot"]: used for used in json.loads(stats)["usage"]}
    assert {*rows} == {*told} != set()
    for bot, (calls, tokens_in, tokens_out, cost, chips, *ratios) in rows.items():
        used = told[bot]
        assert [calls, tokens_in, tokens_out] == [f"{used[key]:,}" for key in ("calls", "tokens_in", "tokens_out")]
        assert (cost, chips) == (f"{used['cost']:,.2f}", signed(used["chips"]))
        per = ("per_100_calls", "per_1000_tokens", "per_unit_of_money")
        assert ratios == [signed(used[key], 2) for key in per]
    assert "used 2 calls, 1,000 tokens in, 50 out, cost 2.50 in this match" in replay
    with serving(half) as it:
        assert "Usage" not in it.text("/conduct")
        assert "usage" not in json.loads(it.text("/api/stats"))


def bots_of(folder: Path, match: str) -> dict[int, str]:
    """The keys of the bots of a match, by their numbers, in the order of its seats."""
    run = RunFolder.open(folder)
    (names,) = [[seat.bot for seat in result.seats] for result in run.results() if result.match == match]
    return {run.bots.index(name) + 1: OWNERS.key(name) for name in names}


def test_only_the_owner_reads_notes_while_the_seed_is_secret(half: Path) -> None:
    keys = bots_of(half, "m0002")
    polite, hostile, silent = keys
    with serving(half, owners=OWNERS) as it:
        place = f"/bots/{polite}/notes/m0002"
        for wrong in ("", f"?key={keys[hostile]}", "?key="):
            assert it.client.get(f"{place}{wrong}").status_code == 403
        answer = it.client.get(f"{place}?key={keys[polite]}")
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.text.count(PLAIN) == 2
        assert "calc" not in answer.text
        assert "used 2 calls, 1,000 tokens in, 50 out, cost 2.50 in this match\n" in answer.text
        assert f"{place}?key={keys[polite]}" in it.text(f"/bots/{polite}/logs?key={keys[polite]}")
        told = it.text(f"/bots/{hostile}/notes/m0002?key={keys[hostile]}")
        assert not {"\x1b", "\u202e", "\r"} & set(told)
        assert PLAIN not in told
        for number, match in ((silent, "m0002"), (polite, "m0009")):
            assert it.client.get(f"/bots/{number}/notes/{match}?key={keys[number]}").status_code == 404
