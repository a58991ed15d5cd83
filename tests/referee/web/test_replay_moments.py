"""The replay's moments in a browser: every preset, autoplay, one seat's view, links, notes, and cinches explained."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bourre.record import Record, chance_of, read, replay
from bourre.rules.cards import card_set, cards_in
from bourre.rules.events import CardPlayed
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.tricks import broken_rule
from bourre.rules.view import View
from bourre.words.table_words import as_codes
from bourre_referee.model.model_call import ModelCall, ModelReply, Spent
from bourre_referee.model.seat_remarks import Note, SeatRemarks
from bourre_referee.text.narration.events_by_deal import deals_of
from bourre_referee.web.viewer import render_standalone
from bourre_referee.web.viewer.replay_steps import steps_of
from tests.referee.web.browser import MOVING, Look, watch_page
from tests.referee.web.viewing import mischievous_match, read_steps, read_viewer, write_replay
from tests.sdk.recorded import header, recorded

MINUS = "\N{MINUS SIGN}"
STEP_THROUGH = """() => {
  const forward = document.querySelector("[data-go=forward]");
  const shown = [];
  for (const option of document.querySelector(".viewer-deals").options) {
    document.querySelector(".viewer-deals").value = option.value;
    document.querySelector(".viewer-deals").dispatchEvent(new Event("change"));
    const steps = document.querySelectorAll("article:not([hidden]) li").length;
    for (let step = 1; step < steps; step++) forward.click();
    shown.push(document.querySelector(".viewer-controls output").textContent === `${steps} / ${steps}`);
  }
  return shown;
}"""
"""Steps through every deal; tells of each whether its last step was reached."""


def random_match(house: HouseRules, seed: int = 3) -> Record:
    """Returns a deal of four bots that answer at random."""
    return read(recorded(header(4, 1, house=house), seed, 0.2)[0])


@pytest.mark.parametrize(
    ("presets", "look"),
    [
        (("limit", "separate_rounds", "simultaneous", "separate_dealer_option", "indiana"), {}),
        (("nba", "separate_rounds"), MOVING),
        pytest.param(PRESETS, {}, marks=pytest.mark.long),
    ],
    ids=["still", "moving", "all"],
)
def test_a_match_of_every_preset_is_stepped_through_to_its_final_chips(
    browser: Browser, tmp_path: Path, presets: Iterable[str], look: Look
) -> None:
    for preset in presets:
        record = random_match(HouseRules.preset(preset))
        with watch_page(browser, tmp_path.as_uri(), look) as page:
            page.goto(write_replay(record, tmp_path))
            assert page.evaluate(STEP_THROUGH) == [True], preset
            assert read_viewer(page).balances == list(record.final), preset


def test_autoplay_reaches_the_next_deal_and_can_be_stopped(page: Page) -> None:
    page.get_by_role("combobox", name="Speed").select_option("4")
    page.get_by_role("button", name="Last step").click()
    page.locator(".viewer").focus()
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="Deal 2")).to_be_visible()
    expect(page.locator(".viewer-controls output")).not_to_have_text(re.compile("^1 /"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page).to_have_url(re.compile(r"#deal-2-step-\d+$"))


def test_a_link_plays_at_its_speed_and_stops_at_the_end_of_the_match(page: Page) -> None:
    page.evaluate("location.hash = '#deal-4-step-999-play-4'")
    expect(page.get_by_role("heading", name="Deal 4")).to_be_visible()
    expect(page.get_by_role("combobox", name="Speed")).to_have_value("4")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    at, last = read_viewer(page).counter.split(" / ")
    assert at == last


def test_a_link_shows_what_one_seat_saw(page: Page) -> None:
    page.evaluate("location.hash = '#deal-1-step-12-as-2'")
    expect(page.get_by_role("combobox", name="View as")).to_have_value("2")
    seen = read_viewer(page)
    assert [bool(hand) for hand in seen.hands] == [False, False, True, False]
    assert all(seen.backs[seat] for seat in (0, 1, 3))
    named = page.locator(".held.hand").evaluate_all(
        "held => held.map(one => `${one.dataset.seat} ${one.dataset.card}`)"
    )
    assert {name.split()[0] for name in named if name.split()[1:]} == {"2"}
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#deal-1-step-13-as-2$"))


def test_a_link_to_this_moment_is_copied_or_shown(page: Page) -> None:
    page.evaluate("location.hash = '#deal-1-step-7'")
    page.locator("#deal-1-step-7[aria-current]").wait_for()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".viewer-copied")).to_have_text(re.compile(r"^Link copied\.$|match\.html#deal-1-step-7$"))


def test_a_note_stands_beside_its_move_and_only_where_its_seat_is_seen(browser: Browser, tmp_path: Path) -> None:
    record = mischievous_match()
    seat, _ = record.deals[0].actions[2]
    reply = ModelReply(200, "{}", "m-1", "fp_9")
    call = ModelCall(7, f"bot {seat}", "2026-01-02", '{"messages": [{"content": "Which card?"}]}', reply, Spent())
    said = SeatRemarks((Note(1, None, 3, "I <b>count</b> trumps", (call,)),))
    remarks = [said if bot == seat else SeatRemarks() for bot in range(4)]
    path = tmp_path / "match.html"
    path.write_text(render_standalone(record, remarks=remarks), encoding="utf-8")
    with watch_page(browser, tmp_path.as_uri()) as page:
        page.goto(path.as_uri())
        step = page.locator("li:has([data-note-of])").get_attribute("id")
        page.evaluate(f"location.hash = '#{step}'")
        note = page.locator(".viewer-caption .viewer-note")
        expect(note).to_have_text(f"bot {seat}: I <b>count</b> trumps")
        asked = page.locator(".viewer-caption .viewer-call")
        expect(asked.locator("pre").last).to_be_hidden()
        asked.locator("summary").click()
        expect(asked.locator("summary")).to_have_text(f"Call 7 by bot {seat}: m-1, fingerprint fp_9")
        expect(asked.locator("pre").last).to_have_text("Which card?")
        expect(asked.locator("pre").last).to_be_visible()
        page.get_by_role("combobox", name="View as").select_option(str((seat + 1) % 4))
        expect(note).to_have_count(0)
        expect(asked).to_have_count(0)
        page.get_by_role("combobox", name="View as").select_option(str(seat))
        expect(note).to_have_count(1)


def test_what_should_be_noticed_is_said_at_the_seat(page: Page) -> None:
    said = set()
    page.get_by_role("combobox", name="Deal").select_option(label="Deal 1")
    page.locator(".viewer").focus()
    for before, seen in pairwise(read_steps(page, int(read_viewer(page).counter.split()[-1]))):
        for seat, words in enumerate(seen.noticed):
            if words:
                won = seen.balances[seat] - before.balances[seat]
                signed = f"+{won}" if won > 0 else str(won).replace("-", MINUS)
                assert words in {"renege!", f"bourré! {signed}", f"wins {signed}"}
                said.add(words.split()[0])
        if seen.trick:
            assert seen.tags.count("won") + seen.tags.count("led") + seen.tags.count("best") >= 1
    assert {"renege!", "bourré!"} <= said


def bound(view: View) -> bool:
    """Tells whether a cinch forbids this seat a card that R5 allows."""
    barred = cards_in(card_set(view.hand) & ~card_set(view.legal))
    return view.cinch and any(broken_rule(card, view.position) == "R6.2" for card in barred)


def cinches(record: Record) -> Iterator[tuple[int, str]]:
    """Yields the seat and its legal cards for every card played while a cinch bound, from the match played again."""
    match = Match(len(record.header.bots), record.header.deals, record.header.house, chance_of(record.header))
    match.start()
    for step in replay(record):
        if step.seat is None or step.action is None:
            continue
        view = match.view(step.seat)
        plays = any(isinstance(event, CardPlayed) and event.seat == step.seat for event in step.events)
        if plays and view.correcting is None and bound(view):
            yield step.seat, " ".join(map(str, view.legal))
        match.apply(step.seat, step.action)


def test_a_cinch_is_explained_whenever_it_binds() -> None:
    explained = 0
    for dice in range(12):
        record = read(recorded(header(3, 12, seed=dice), dice, 0)[0])
        told = [rule for deal in deals_of(record) for step in steps_of(deal) for rule in step.rules]
        expected = list(cinches(record))
        assert [rule.seat for rule in told] == [seat for seat, _ in expected]
        for rule, (_, legal) in zip(told, expected, strict=True):
            assert as_codes(rule.text).endswith(f": {legal}")
            assert "R6.1" in rule.text
            assert rule.public == ""
        explained += len(told)
    assert explained >= 10


def test_a_reader_may_answer_before_the_bot_does(page: Page) -> None:
    """Before each answer of the chosen seat comes its question, and nothing below it tells the answer."""
    guess = page.get_by_role("checkbox", name="Let me guess first")
    expect(guess).to_be_hidden()
    page.get_by_role("combobox", name="View as").select_option("2")
    guess.check()
    page.get_by_role("button", name="First step").click()
    forward, caption = page.get_by_role("button", name="Forward"), page.locator(".viewer-caption")
    lines = page.locator("article:not([hidden]) li")
    counter = page.locator(".viewer-controls output")
    at, last = map(int, counter.inner_text().split(" / "))
    asked = 0
    while at < last:
        assert lines.evaluate_all("all => all.filter(line => line.checkVisibility()).length") == at
        forward.click()
        now = int(counter.inner_text().split(" / ")[0])
        if now == at:
            assert re.match(r"You are bot 2\. (Would|Which) .*\? Then one step on\.", caption.inner_text())
            asked += 1
            forward.click()
            now = int(counter.inner_text().split(" / ")[0])
            expect(caption).to_contain_text("bot 2")
        assert now == at + 1
        at = now
    steps = steps_of(next(iter(deals_of(mischievous_match()))))
    assert asked == sum(step.asked is not None and step.asked.seat == 2 for step in steps) > 3
