"""A replay as an onlooker saw it holds no card that was not on the table, also while the seed is secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bourre.record import Record, read
from bourre.rules.events import CardDrawn, CardPlayed, Event, Reneged, TrumpTurned, TurnedReturned, TurnedTaken
from bourre.words.table_words import as_codes
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.viewer import render_deal, render_onlooker
from tests.referee import contests
from tests.referee.in_process import finished_run
from tests.referee.web.reading import PageRead
from tests.referee.web.serving import SECRET, serving
from tests.referee.web.viewing import HOUSES, mischievous_match

CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
STEP = re.compile(r'<li[^>]* id="step-\d+">.*?</li>', re.DOTALL)


def shown_by(event: Event) -> Iterator[str]:
    """Yields the cards that an event puts on the table for all to see."""
    match event:
        case CardPlayed(card=card) | TrumpTurned(card=card) | TurnedTaken(card=card) | CardDrawn(card=card):
            yield str(card)
        case TurnedReturned(card=card) | Reneged(card=card):
            yield str(card)


def public_page(record: Record, deal: int) -> str:
    """Returns the viewer as an onlooker saw this deal."""
    view = render_onlooker(record, deal)
    assert view is not None
    return str(view.viewer)


@pytest.mark.parametrize("house", HOUSES)
def test_no_step_tells_of_a_card_before_it_was_on_the_table(house: str) -> None:
    record = mischievous_match(house)
    for deal in deals_of(record):
        page = public_page(record, deal.number)
        data = json.loads(re.search(r'class="viewer-data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
        lines = STEP.findall(page)
        rows = list(rows_of(deal.events))
        assert len(lines) == len(data["steps"]) == len(rows)
        seen = set[str]()
        for row, line, table in zip(rows, lines, data["steps"], strict=True):
            seen |= {card for event in row for card in shown_by(event)}
            told = {*CARD.findall(as_codes(line).replace("10", "T"))} | {*CARD.findall(json.dumps(table))}
            assert told <= seen


def test_the_whole_replay_tells_more() -> None:
    record = mischievous_match()
    view = render_deal(record, 1)
    assert view is not None
    whole, public = (set(CARD.findall(as_codes(page))) for page in (str(view.viewer), public_page(record, 1)))
    assert len(whole) > len(public) > 0


def test_there_is_no_other_deal() -> None:
    assert render_onlooker(mischievous_match(), 99) is None


def test_while_the_seed_is_secret_moments_lead_to_what_an_onlooker_saw(tmp_path: Path) -> None:
    folder = finished_run(tmp_path, SECRET, contests.played)
    manifest = folder / "manifest.json"
    known = json.loads(manifest.read_text())
    known["seed"] |= {"revealed": None}
    manifest.write_text(json.dumps(known))
    assert not CachedRun(folder).current().run.shows_remarks
    with serving(folder) as it:
        links = [link for link in PageRead(it.text("/")).links if "#step-" in link]
        assert links
        assert all("/onlooker#step-" in link for link in links)
        address, _, step = links[0].partition("#")
        page = it.text(address)
        assert f'id="{step}"' in page
        match, deal = re.fullmatch(r"/matches/(m\d+)/deals/(\d+)/onlooker", address).groups()  # type: ignore[union-attr]
        assert public_page(read(CachedRun(folder).current().run.record(match)), int(deal)) in page
        assert it.client.get("/matches/m0001/deals/99/onlooker").status_code == 404
        assert [n for n in (1, 2, 3) if "Costliest decision" in it.text(f"/matches/m000{n}")] == []
