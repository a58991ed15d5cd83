"""What a run's language models were asked and replied, beside their cards, and the link to their board."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from bourre.notes import Usage
from bourre_referee.model.model_call import ModelReply, Spent
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.model_calls import ModelCalls
from bourre_referee.storage.run.run import Run
from bourre_referee.web.site_writer import write_site
from tests.referee import realistic_rooms
from tests.referee.contests import small_contest
from tests.referee.in_process import leave_at, run_in_process
from tests.referee.talking_rooms import HOSTILE, PLAIN, SECRET
from tests.referee.web.serving import serving

CONTEST = f"""{SECRET}
[[models]]
name = "mini"
model = "m-1"
base_url = "http://127.0.0.1:1/v1"
legal = false
on_trouble = "void"

"""
ASKED = json.dumps({"messages": [{"role": "system", "content": "the rules"}, {"role": "user", "content": HOSTILE}]})
MESSAGE = {"content": f"<b>{HOSTILE}", "reasoning_content": "Trumps first,\nthen hearts."}
REPLY = json.dumps({"choices": [{"message": MESSAGE}]}, ensure_ascii=False)
LONG = "<i>" * 40_000
NAV = '<li><a href="{}">Models</a></li>'


def played(spec: MatchSpec) -> MatchOutcome:
    """A match in which each bot names both calls after the trial beside its first answer, be they its own or not."""
    note = Note(1, None, 1, f"call 2\ncall 3\n{PLAIN}")
    remarks = SeatRemarks((note,), Usage(1000, 50, 2, 2_500_000))
    return replace(realistic_rooms.played(spec), remarks=(remarks,) * len(spec.line_up))


def keep_calls(run: Path) -> None:
    """Keeps a call of mini with hostile texts, and one whose texts are long."""
    replies = (ModelReply(200, REPLY, f"m-1{HOSTILE}", "fp_9"), ModelReply(200, LONG, "", ""))
    with ModelCalls(FolderLocation(run).model_calls, create=True) as calls:
        for reply, prompt in zip(replies, (ASKED, f"no JSON{LONG}"), strict=True):
            calls.end(calls.begin("mini", "mini", "2026-01-02", prompt, Spent()), reply, Spent(1, 5, 7, 19))


def test_calls_and_the_link_to_the_board_wait_for_the_seed(tmp_path: Path) -> None:
    contest, run, site = small_contest(tmp_path / "contest", CONTEST), tmp_path / "run", tmp_path / "site"
    leave_at(6, contest, run, played)
    keep_calls(run)
    [match, *_] = (result.match for result in Run.open(run).results() if "mini" in [seat.bot for seat in result.seats])
    pages = (f"/matches/{match}/deals/1", f"/matches/{match}/replay.html")
    assert not list(Run.open(run).other_calls(()))
    with serving(run) as it:
        for page in map(it.text, ("/", *pages)):
            assert "fp_9" not in page
            assert 'class="viewer-call"' not in page
            assert NAV.format("/models") not in page
    run_in_process(contest, run, played)
    assert [call.number for call in Run.open(run).other_calls({1, 2})] == [3, 4]
    write_site(Run.open(run), site)
    with serving(run) as it:
        assert NAV.format("/models") in it.text("/")
        shown = [*map(it.text, pages), (site / "replays" / f"{match}.html").read_text("utf-8")]
    assert NAV.format("../models.html") in shown[-1]
    board = (site / "models.html").read_text("utf-8")
    assert "<bdi>m-1</bdi>, no list of legal cards, replayed if its server failed (prompts: SHA-256 " in board
    for page in shown:
        assert page.count('class="viewer-call"') == 2, "only the calls of mini are its own"
        assert f"<bdi>mini</bdi>: <bdi>{PLAIN}</bdi></summary>" in page
        assert ", fingerprint <bdi>fp_9</bdi></summary>" in page
        assert page.count("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;") == 4
        assert "<pre><bdi>Trumps first,</bdi>\n<bdi>then hearts.</bdi>\n<bdi>&lt;b&gt;" in page
        assert "the rules" not in page
        assert page.count("the first 4,000 of 120,000 characters; the rest is in the table calls") == 1
        assert page.count("the first 4,000 of 120,007 characters; the rest is in the table calls") == 1
        assert not {"\x1b", "\u202e"} & set(page)
        assert "<script>alert" not in page
        assert "<i><i>" not in page
        assert len(page) < 500_000
