"""The replay viewer for everyone: views of one seat, hostile names, no script, accessibility."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bourre.rules.events import Drew, HandDealt, Reneged
from bourre.rules.markup import SYMBOLS
from bourre.words.table_words import show_glyphs
from bourre_referee.text.names import printable
from tests.referee.web.browser import LOOKS, MOVES, SOME_LOOKS, Look, assert_fit_for_all, watch_page
from tests.referee.web.viewing import as_shown, mischievous_match, read_viewer, tables, write_replay

HOSTILE = (
    "</script><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>]]>-->",
    "\u202egnp.exe\u2066&lt;b&gt;",
    "<!--<script>{{ 7 * 7 }}" + "W" * 3000,
)
STILL: Look = {"reduced_motion": "reduce"}
"""Places can be measured only while nothing moves."""
OUTSIDE = """async () => {
  const look = () => [...document.querySelectorAll(".viewer-table, .viewer-table .seat")].map((one) =>
    Object.values(one.getBoundingClientRect().toJSON()).join()).join();
  for (let [seen, still, frame] = ["", 0, 0]; still < 3 && frame < 300; frame += 1) {
    await new Promise(requestAnimationFrame);
    still = seen === (seen = look()) ? still + 1 : 0;
  }
  const whole = document.querySelector(".viewer-table").getBoundingClientRect();
  const rim = document.querySelector(".viewer-table").clientLeft;
  const table = { left: whole.left + rim, right: whole.right - rim, top: whole.top + rim, bottom: whole.bottom - rim };
  const box = (one) => one.getBoundingClientRect();
  const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  const all = (name) => [...document.querySelectorAll(`.viewer-table ${name}`)];
  const drawn = all(":is(.seat, .held, .pot, .trump, .sign)").filter((one) => box(one).width);
  const wrong = drawn.filter((one) => box(one).left < table.left - 1 || box(one).right > table.right + 1
    || box(one).top < table.top - 1 || box(one).bottom > table.bottom + 1).map((one) => `outside: ${one.outerHTML}`);
  const fixed = all(":is(.seat, .pot, .trump, .held.trick)").filter((one) => box(one).width);
  const hands = all(".held.hand");
  fixed.forEach((one, index) => {
    const isOther = (hand) => !one.matches(".seat") || hand.dataset.seat !== one.dataset.seat;
    for (const other of [...fixed.slice(index + 1), ...hands.filter(isOther)]) {
      if (!apart(box(one), box(other))) wrong.push(`${one.outerHTML} overlaps ${other.outerHTML}`);
    }
  });
  for (const seat of all(".seat")) {
    for (const part of seat.querySelectorAll(".chips, .did, .say")) {
      if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth) wrong.push(`cut off: ${part.outerHTML}`);
    }
  }
  return wrong;
}"""
"""Lists what lies outside the table, what overlaps a seat, the pot, trump or the trick, and words that are cut off.

The table is arranged anew in the frame after its size changed: therefore it must have been still for three first."""
HANDS_BELOW = """() => [...document.querySelectorAll("article:not([hidden]) .tricks [data-seat]")]
  .filter((row) => [...row.querySelectorAll(".hand .glyph")].some((card) => card.checkVisibility({
    visibilityProperty: true }))).map((row) => row.dataset.seat)"""
"""Lists the seats whose hands the table of tricks shows."""
PLAYED_BELOW = """() => [...document.querySelectorAll("article:not([hidden]) .tricks .trick .glyph")]
  .filter((card) => card.checkVisibility({ visibilityProperty: true })).length"""
"""Counts the cards that the table of tricks shows as played."""
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const badges = [...document.querySelectorAll(".viewer-table :is(.sign, .tag)")].map(box);
  const ranks = [...document.querySelectorAll(".viewer-table .card .rank.index")].filter((one) => box(one).width);
  const isOver = (badge, rank) => badge.left < rank.right - 1 && badge.right > rank.left + 1
    && badge.top < rank.bottom - 3 && badge.bottom > rank.top + 3;
  return ranks.filter((rank) => badges.some((badge) => isOver(badge, box(rank)))).map((rank) => rank.outerHTML);
}"""
"""Lists the ranks of cards that a badge covers."""
FAINT = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (...paints) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const [paint, alpha] of paints) {
      canvas.globalAlpha = alpha;
      canvas.fillStyle = paint;
      canvas.fillRect(0, 0, 1, 1);
    }
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (one) => {
    const paint = getComputedStyle(one).backgroundColor;
    if (one.matches(".viewer-table")) return getComputedStyle(one).getPropertyValue("--cloth");
    return paint.startsWith("rgba(0, 0, 0, 0") ? ground(one.parentElement) : paint;
  };
  const parts = ".name, .chips, .gain, .did, .say, .barred, .dealer, .pot, .trump span, .tag, .sign, .rank";
  return [...document.querySelector(".viewer-table").querySelectorAll(parts)].map((text) => {
    const style = getComputedStyle(text);
    const card = text.closest(".card");
    const below = card ? getComputedStyle(card.querySelector(".paper")).fill : ground(text);
    const paint = card ? style.fill : style.color;
    const both = [light([below, 1]), light([below, 1], [paint, style.opacity])].sort((one, two) => two - one);
    return [(both[0] + 0.05) / (both[1] + 0.05), text.outerHTML];
  }).filter(([contrast]) => contrast < 4.5);
}"""
"""Lists text of the picture with less contrast than WCAG AA requires, which axe does not check."""


def view_as(page: Page, name: str) -> None:
    """Selects whose cards are shown."""
    page.get_by_role("combobox", name="View as").select_option(label=name)
    page.locator(".viewer").focus()


def log(page: Page) -> str:
    """Returns the text of the log of the shown deal."""
    return page.locator("article:not([hidden]) ol").inner_text()


def test_a_seat_sees_its_own_hand_and_the_backs_of_the_others(page: Page) -> None:
    view_as(page, "bot 2")
    assert page.evaluate(HANDS_BELOW) == ["2"]
    assert page.evaluate(PLAYED_BELOW) == 0
    page.keyboard.press("Home")
    for table in list(tables(mischievous_match()))[:1] + [None] * 12:
        seen = read_viewer(page)
        assert table is None or seen.balances == table.balances
        assert [seen.hands[seat] for seat in (0, 1, 3)] == [""] * 3
        assert seen.backs[2] == 0
        step = seen.counter
        view_as(page, "everyone")
        whole = read_viewer(page)
        assert whole.counter == step
        assert whole.hands[2] == seen.hands[2]
        counts = [len(hand.split()) for hand in whole.hands]
        assert seen.backs == [*counts[:2], 0, counts[3]]
        view_as(page, "bot 2")
        page.keyboard.press("ArrowRight")


def test_no_word_reveals_the_cards_of_others_to_a_seat(page: Page) -> None:
    whole = log(page)
    view_as(page, "bot 2")
    seen = log(page)
    secrets = 0
    for table in tables(mischievous_match(deals=1)):
        match table.event:
            case HandDealt(seat, cards) if cards:
                secret = f"bot {seat} is dealt {show_glyphs(cards)}"
            case Drew(seat, _, discarded, received) if discarded and received:
                secret = f"discards {show_glyphs(discarded)}, draws {show_glyphs(received)}"
            case Reneged(seat, _, _, legal) if legal:
                secret = f"legal: {show_glyphs(legal)}"
            case _:
                continue
        secrets += 1
        assert as_shown(secret) in whole
        assert (as_shown(secret) in seen) == (seat == 2), secret
    assert secrets > 6
    view_as(page, "everyone")
    assert log(page) == whole


def test_the_viewpoint_stays_the_same_in_another_deal(page: Page) -> None:
    view_as(page, "bot 1")
    page.get_by_role("combobox", name="Deal").select_option(label="Deal 3")
    line = page.locator("article:not([hidden]) li", has_text="bot 1 is dealt")
    line.click()
    expect(line).to_have_attribute("aria-current", "step")
    seen = read_viewer(page)
    assert [bool(hand) for hand in seen.hands] == [False, True, False, False]
    expect(page.get_by_role("combobox", name="View as")).to_have_value("1")


def test_without_a_script_the_whole_log_is_there(browser: Browser, tmp_path: Path) -> None:
    events = list(tables(mischievous_match()))
    with watch_page(browser, tmp_path.as_uri(), {"java_script_enabled": False}) as page:
        page.goto(write_replay(mischievous_match(), tmp_path))
        expect(page.locator("li span:visible")).to_have_count(len(events))
        expect(page.locator(".viewer-stage")).to_be_hidden()
        for deal in range(1, 5):
            expect(page.get_by_role("heading", name=f"Deal {deal}")).to_be_visible()
        reneges = [table.event for table in events if isinstance(table.event, Reneged)]
        lines = page.locator("li.renege").all_inner_texts()
        assert len(reneges) == len(lines) > 1
        for renege, line in zip(reneges, lines, strict=True):
            assert renege.legal
            assert f"legal: {as_shown(show_glyphs(renege.legal))}" in line


@pytest.mark.parametrize("look", SOME_LOOKS)
def test_hostile_names_are_only_text(browser: Browser, tmp_path: Path, look: str) -> None:
    record = mischievous_match(bots=HOSTILE, deals=2)
    with watch_page(browser, tmp_path.as_uri(), LOOKS[look] | STILL) as page:
        page.goto(write_replay(record, tmp_path))
        elements = "[...document.querySelectorAll('img, iframe, b, script')].map(one => one.type || one.tagName)"
        assert page.evaluate(elements) == [*["application/json"] * 2, "SCRIPT"]
        names = [printable(name) for name in HOSTILE]
        assert read_viewer(page).names == names
        assert "\u202e" not in page.content()
        options = page.get_by_role("combobox", name="View as").locator("option").all_text_contents()
        assert options == ["everyone", *names]
        page.keyboard.press("End")
        page.keyboard.press("r")
        assert_fit_for_all(page)
        assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("look", SOME_LOOKS)
def test_nothing_is_wrong_with_the_page_at_a_renege(browser: Browser, tmp_path: Path, look: str) -> None:
    with watch_page(browser, tmp_path.as_uri(), LOOKS[look] | STILL) as page:
        page.goto(write_replay(mischievous_match(), tmp_path))
        page.get_by_role("button", name="Next renege").click()
        expect(page.locator(".viewer-caption")).to_contain_text("reneges with")
        assert page.evaluate(COVERED) == []
        assert_fit_for_all(page)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(FAINT) == []
        page.keyboard.press("End")
        assert page.evaluate(FAINT) == []


@pytest.mark.parametrize("seats", [2, *(pytest.param(seats, marks=pytest.mark.long) for seats in range(3, 8)), 8])
def test_nothing_overlaps_with_any_number_of_seats(browser: Browser, tmp_path: Path, seats: int) -> None:
    with watch_page(browser, tmp_path.as_uri(), STILL) as page:
        page.goto(write_replay(mischievous_match(seats=seats, deals=1), tmp_path))
        last = int(read_viewer(page).counter.split()[-1])
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            for step in range(0, last, 4):
                page.get_by_role("slider", name="Step").fill(str(step))
                assert page.evaluate(OUTSIDE) == [], read_viewer(page).counter


def test_nothing_is_animated_with_reduced_motion(browser: Browser, tmp_path: Path) -> None:
    with watch_page(browser, tmp_path.as_uri(), STILL) as page:
        page.goto(write_replay(mischievous_match(), tmp_path))
        page.keyboard.press("r")
        page.keyboard.press("ArrowRight")
        assert page.evaluate(MOVES) == []
        assert page.evaluate("document.getAnimations().filter((one) => one.timeline === document.timeline).length") == 0


def test_focus_is_visible_on_everything_focusable(page: Page) -> None:
    seen = set()
    for _ in range(16):
        page.keyboard.press("Tab")
        name, outline = page.evaluate(
            "[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]"
        )
        assert outline != "none", name
        seen.add(name)
    assert {"BUTTON", "INPUT", "SELECT", "A"} <= seen


def test_a_deal_opens_on_its_hands_without_a_ring_of_focus_and_the_log_is_one_tab_stop(page: Page) -> None:
    opened = read_viewer(page)
    assert all(len(hand.split()) == 5 for hand in opened.hands)
    assert opened.pot > 0
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    page.keyboard.press("ArrowRight")
    assert read_viewer(page).counter != opened.counter
    stops = page.locator("article:not([hidden]) ol a").evaluate_all(
        "all => all.filter(one => one.tabIndex === 0).map(one => one.parentElement.id)"
    )
    assert stops == [read_viewer(page).line]


def test_trumps_are_marked_and_the_dealer_is_named_in_full(page: Page) -> None:
    trump = read_viewer(page).trump
    marked = page.locator(".held.trump-card").evaluate_all("all => all.map(one => one.dataset.card)")
    held = [card for hand in read_viewer(page).hands for card in hand.split()]
    assert sorted(marked) == sorted(card for card in held if card[1] == trump) != []
    page.evaluate("getSelection().selectAllChildren(document.querySelector('article:not([hidden])'))")
    selected = page.evaluate("getSelection().toString()")
    assert "is dealt" in selected
    assert not any(sign in selected for sign in SYMBOLS.values()), "a text that is copied would have cards in pieces"
    named = page.locator(".viewer-table .seat:has(.dealer)").aria_snapshot()
    assert re.search(r"Dealer: ?bot \d", named), named
    assert "ealer" not in named.replace("Dealer", "")
