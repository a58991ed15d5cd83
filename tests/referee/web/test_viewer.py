"""The replay viewer in a browser: every step shows the cards and chips of the record; keys, buttons and links work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bourre.record import Record, read
from bourre.rules.events import Reneged
from bourre.rules.sentences import sentence
from bourre.words.table_words import glyph, show_glyphs
from tests.referee.web.browser import watch_page
from tests.referee.web.serving import Served
from tests.referee.web.viewing import (
    HOUSES,
    Shown,
    Table,
    as_shown,
    mischievous_match,
    opening_of,
    read_steps,
    read_viewer,
    tables,
    write_replay,
)
from tests.sdk.test_record_duplicate import text_of

LINES = (
    """[...document.querySelectorAll("article:not([hidden]) li")].map(line => line.querySelectorAll("span").length)"""
)
"""Counts the events in each line of the log of the shown deal."""
MARKED = """(mark) => [...document.querySelectorAll(`.viewer-table .held.${mark}`)].map(card => card.dataset.card)"""
RENEGES = [name for name in HOUSES if name != "dealer takes the turned card"]


def open_deal(page: Page, title: str) -> list[int]:
    """Selects this deal; returns the number of events in each of its steps."""
    page.get_by_role("combobox", name="Deal").select_option(label=title)
    page.locator(".viewer").focus()
    page.keyboard.press("Home")
    lines: list[int] = page.evaluate(LINES)
    return lines


def steps_of(lines: list[int], truth: Iterator[Table]) -> Iterator[Table]:
    """Yields the table after each step of a deal."""
    for events in lines:
        *_, table = islice(truth, events)
        yield table


def assert_shows(seen: Shown, table: Table, counter: str) -> None:
    """Asserts that the picture shows this table."""
    assert seen.counter == counter
    assert seen.line.endswith(f"step-{counter.split()[0]}")
    if isinstance(table.event, Reneged):  # a refused card is lifted out of its hand
        assert [sorted(hand) for hand in seen.hands] == [sorted(hand) for hand in table.hands], table.event
    else:
        assert seen.hands == table.hands, table.event
    assert sum(seen.backs) == 0
    assert (seen.balances, seen.pot) == (table.balances, table.pot), table.event
    assert (seen.trump, seen.trick) == (table.trump, table.trick), table.event
    assert seen.statuses == table.statuses, table.event


def assert_deals_shown(page: Page, record: Record, titles: list[str]) -> None:
    """Goes through every step of these deals by keyboard; they must be all deals of the match."""
    truth = tables(record)
    for title in titles:
        lines = open_deal(page, title)
        for step, (seen, table) in enumerate(zip(read_steps(page, len(lines)), steps_of(lines, truth), strict=True), 1):
            assert_shows(seen, table, f"{step} / {len(lines)}")
    assert next(truth, None) is None


@pytest.mark.parametrize(
    ("name", "deals"),
    [(name, 2) for name in [*HOUSES][:2]] + [pytest.param(name, 8, marks=pytest.mark.long) for name in HOUSES],
)
def test_every_step_shows_the_cards_and_chips_of_the_match(
    browser: Browser, tmp_path: Path, name: str, deals: int
) -> None:
    record = mischievous_match(name, deals=deals)
    with watch_page(browser, tmp_path.as_uri()) as page:
        page.goto(write_replay(record, tmp_path))
        assert_deals_shown(page, record, [f"Deal {deal}" for deal in range(1, deals + 1)])


def test_every_seating_of_a_duplicate_match_is_shown_with_its_own_line_up(browser: Browser, tmp_path: Path) -> None:
    record = read(text_of(deals=2))
    with watch_page(browser, tmp_path.as_uri()) as page:
        page.goto(write_replay(record, tmp_path))
        assert_deals_shown(page, record, [f"Deal {deal}, seating {one}" for deal in (1, 2) for one in (1, 2, 3)])
        for deal in record.deals:
            open_deal(page, f"Deal {deal.deal}, seating {deal.seating}")
            assert deal.line_up is not None
            assert read_viewer(page).names == [record.header.bots[bot] for bot in deal.line_up]
            log = page.locator("article:not([hidden]) ol").inner_text()
            assert log.count("pays a stake of 2") == (3 if deal.deal == 1 else 0)
            assert "the match ends" not in log


def test_steps_go_back_and_to_both_ends(page: Page) -> None:
    truth = list(steps_of(open_deal(page, "Deal 1"), tables(mischievous_match())))
    ways = ("End", "ArrowLeft", "ArrowLeft", "Home", "ArrowLeft", "ArrowRight", "End", "ArrowRight")
    last = len(truth)
    for key, step in zip(ways, (last, last - 1, last - 2, 1, 1, 2, last, last), strict=True):
        page.keyboard.press(key)
        assert_shows(read_viewer(page), truth[step - 1], f"{step} / {last}")


def test_buttons_and_slider_do_what_the_keys_do(page: Page) -> None:
    last = len(open_deal(page, "Deal 1"))
    ways = (("Forward", 2), ("Last step", last), ("Back", last - 1), ("First step", 1))
    for name, step in ways:
        page.get_by_role("button", name=name, exact=True).click()
        assert read_viewer(page).counter == f"{step} / {last}"
    page.get_by_role("slider", name="Step").fill("6")
    assert read_viewer(page).counter == f"7 / {last}"
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", f"step 7 of {last}")


def test_keys_with_ctrl_or_in_a_select_do_not_move_the_replay(page: Page) -> None:
    open_deal(page, "Deal 1")
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Control+End")
    assert read_viewer(page).counter.startswith("1 /")
    page.keyboard.press("ArrowRight")
    page.get_by_role("combobox", name="View as").focus()
    page.keyboard.press("Home")
    assert read_viewer(page).counter.startswith("2 /")


@pytest.mark.parametrize("name", RENEGES)
def test_each_renege_is_found_by_key_and_explained(browser: Browser, tmp_path: Path, name: str) -> None:
    record = mischievous_match(name)
    truth = tables(record)
    explained = 0
    with watch_page(browser, tmp_path.as_uri()) as page:
        page.goto(write_replay(record, tmp_path))
        for deal in range(1, 5):
            lines = open_deal(page, f"Deal {deal}")
            steps = enumerate(steps_of(lines, truth), 1)
            reneges = [(step, table.event) for step, table in steps if isinstance(table.event, Reneged)]
            expect(page.get_by_role("button", name="Next renege")).to_be_visible(visible=bool(reneges))
            for step, renege in reneges:
                page.keyboard.press("r")
                assert read_viewer(page).counter == f"{step} / {len(lines)}"
                assert_explained(page, renege)
            explained += len(reneges)
            if reneges:
                page.keyboard.press("r")
                assert read_viewer(page).counter == f"{reneges[0][0]} / {len(lines)}"
    assert explained


def assert_explained(page: Page, renege: Reneged) -> None:
    """Asserts that words and marks explain the renege: seat, card, rule, legal cards and cost."""
    assert renege.legal
    seen = read_viewer(page)
    assert as_shown(f"bot {renege.seat} reneges with {glyph(renege.card)}: {sentence(renege.rule)}") in seen.caption
    assert renege.rule in seen.caption
    assert f"legal: {as_shown(show_glyphs(renege.legal))}; costs {renege.match} to match the pot" in seen.caption
    assert str(renege.card) in page.evaluate(MARKED, "wrong")
    assert sorted(page.evaluate(MARKED, "legal")) == sorted(map(str, renege.legal))
    expect(page.locator(f".held[data-seat='{renege.seat}'] .sign", has_text="✓")).to_have_count(len(renege.legal))
    assert seen.noticed == ["renege!" * (seat == renege.seat) for seat in range(len(seen.names))]
    expect(page.locator(".viewer-caption")).to_have_class("box viewer-caption renege")


def test_every_step_has_a_link_that_its_line_in_the_log_sets(page: Page) -> None:
    open_deal(page, "Deal 2")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#deal-2-step-2$"))
    page.locator("#deal-2-step-9").click()
    expect(page.locator("#deal-2-step-9")).to_have_attribute("aria-current", "step")
    expect(page).to_have_url(re.compile("#deal-2-step-9$"))
    assert (seen := read_viewer(page)).counter.startswith("9 /")
    page.goto("about:blank#")
    page.go_back()
    assert read_viewer(page) == seen
    page.evaluate("location.hash = '#deal-3-step-4'")
    expect(page.locator("#deal-3-step-4")).to_have_attribute("aria-current", "step")
    expect(page.get_by_role("heading", name="Deal 3")).to_be_visible()
    expect(page.get_by_role("heading", name="Deal 2")).to_be_hidden()


def test_a_link_that_leads_nowhere_does_no_harm(page: Page) -> None:
    address = page.url
    for anchor in ("deal-2-step-999", "deal-2-step-0", "deal-99", "%", "step-x", "'\"<b>"):
        page.goto("about:blank")
        page.goto(f"{address}#{anchor}")
        at, last = read_viewer(page).counter.split(" / ")
        nowhere = {"deal-2-step-999": last, "deal-2-step-0": "1"}
        assert at == nowhere.get(anchor, str(opening_of(page))), anchor


def test_a_served_deal_opens_at_the_step_of_its_link(browser: Browser, served: Served) -> None:
    with watch_page(browser, served.url) as page:
        page.goto(f"{served.url}matches/m0001/deals/2#step-17")
        seen = read_viewer(page)
        assert (seen.counter.split(" / ")[0], seen.line) == ("17", "step-17")
        expect(page.locator("#step-17")).to_be_visible()
        page.get_by_role("link", name="Skip to content").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/deals/2#main")
        assert read_viewer(page) == seen
