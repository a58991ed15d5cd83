"""The page of a review in a browser: the worst mistakes on the card table, what was better, and how far to trust it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre import Bot, Card, View
from bourre.practice import practice
from bourre.practice.session import BotSource
from bourre.record import Record, read
from bourre.rules.cards import show
from bourre.words.table_words import choice_words, show_glyphs, sort_hand
from bourre_lab.review import LIMITS
from bourre_referee.evaluation.review.habits import habits_of
from bourre_referee.evaluation.review.review_text import (
    DOUBT,
    cost_words,
    habit_words,
    lost_per_100,
    position_lines,
    summary_line,
)
from bourre_referee.evaluation.review.reviewed_play import Review, review_records, summarize, worst
from bourre_referee.web.viewer.review_html import render_review
from tests.long_tests import mostly_long
from tests.referee.command import called
from tests.referee.web.browser import Look, assert_fit_for_all, watch_page
from tests.referee.web.viewing import as_shown, read_viewer

LOOKS: dict[str, Look] = {
    "light and wide": {"color_scheme": "light", "viewport": {"width": 1280, "height": 800}},
    "dark and narrow": {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}},
}


class Reckless(Bot):
    """Comes in with every hand, and throws its trumps away."""

    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if card.suit == view.trump][: view.max_discards]


@pytest.fixture(scope="module")
def record() -> Record:
    """A match with many mistakes of the same bot."""
    bots: dict[str, BotSource] = {"tight": "tight", "reckless": Reckless, "drawer": "drawer"}
    return read(practice(bots, deals=20, seed=3).matches[0].record)


@pytest.fixture(scope="module")
def review(record: Record) -> Review:
    """A review of it, with mistakes in several deals; the champion, without samples, would have made the worst one."""
    found = review_records([record], "reckless", 20)
    mistakes = worst(found.decisions, 10)
    assert len({one.ask.view.deal for one in mistakes}) > 1
    return replace(found, decisions=tuple(replace(one, defended=one == mistakes[0]) for one in found.decisions))


@pytest.fixture(scope="module")
def page_file(review: Review, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("review") / "review.html"
    path.write_text(render_review(review, "runs/my run"), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("look", mostly_long({name: name for name in LOOKS}, {"dark and narrow"}))
def test_everyone_can_read_the_page_and_it_requests_nothing(browser: Browser, page_file: str, look: str) -> None:
    with watch_page(browser, page_file, LOOKS[look]) as page:
        page.goto(page_file)
        expect(page.locator(".viewer.running")).to_have_count(1)
        assert_fit_for_all(page)
        for limit in LIMITS:
            expect(page.get_by_text(limit)).to_be_visible()


def test_each_mistake_has_its_moment_on_the_table(browser: Browser, page_file: str, review: Review) -> None:
    found = worst(review.decisions, 10)
    with watch_page(browser, page_file) as page:
        page.goto(page_file)
        expect(page.get_by_role("heading", name=f"Its {len(found)} worst mistakes", exact=True)).to_be_visible()
        items = page.locator(".mistakes li")
        expect(items).to_have_count(len(found))
        for number, one in enumerate(found):
            better = f"To {choice_words(one.better, show_glyphs)} brings {cost_words(one)} chips more."
            told = (
                f"Match 1, deal {one.ask.view.deal}, {cost_words(one)} chips",
                "; ".join(position_lines(one.ask.view, show_glyphs)),
                f"It chose to {choice_words(one.chosen, show_glyphs)}. {better}",
                *([f"{DOUBT.capitalize()}."] if number == 0 else []),
                f"bourre replay 'runs/my run' {one.match} --deal {one.ask.view.deal}",
            )
            expect(items.nth(number)).to_have_text(as_shown(" ".join(told)))
            link = items.nth(number).get_by_role("link")
            moment = (link.get_attribute("href") or "").partition("-as-")[0]
            link.click()
            page.locator(f"{moment}[aria-current=step]").wait_for()  # the viewer hears of it after the click
            seat = one.ask.view.seat
            expect(page.locator(".viewer-viewpoint")).to_have_value(str(seat))
            before = read_viewer(page)
            assert before.hands[seat] == show(sort_hand(one.ask.view.hand, one.ask.view.trump))
            assert [hand for place, hand in enumerate(before.hands) if place != seat] == ["", ""]
            assert before.pot == one.ask.view.pot
            assert "The review" not in before.caption
            page.locator("[data-go=forward]").click()
            caption = page.locator(".viewer-caption")
            expect(caption).to_contain_text(
                as_shown(f"The review: to {choice_words(one.better, show_glyphs)} brings {cost_words(one)} chips")
            )
            assert page.locator(f"[id='{read_viewer(page).line}']").is_visible()


def test_the_page_opens_at_the_worst_mistake_and_stays_at_its_top(
    browser: Browser, page_file: str, review: Review
) -> None:
    first = min(
        (one for one in review.decisions if one.is_mistake and one.ask.view.deal == _worst_deal(review)),
        key=lambda one: one.ask.place,
    )
    with watch_page(browser, page_file) as page:
        page.goto(page_file)
        expect(page.locator(".viewer-viewpoint")).to_have_value(str(first.ask.view.seat))
        assert read_viewer(page).hands[first.ask.view.seat] == show(
            sort_hand(first.ask.view.hand, first.ask.view.trump)
        )
        assert page.evaluate("window.scrollY") == 0
        page.locator("[data-go=forward]").click()
        expect(page.locator(".viewer-caption")).to_contain_text("The review: to ")


def _worst_deal(review: Review) -> int:
    return worst(review.decisions, 1)[0].ask.view.deal


def test_the_line_of_a_step_is_in_sight_wherever_the_log_lies_on_the_page(browser: Browser, page_file: str) -> None:
    with watch_page(browser, page_file) as page:
        page.goto(page_file)
        page.locator("[data-go=last]").click()
        inside = """() => {
          const line = document.querySelector("[aria-current=step]").getBoundingClientRect();
          const box = document.querySelector("[aria-current=step]").closest("ol").getBoundingClientRect();
          return line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
        }"""
        assert page.evaluate(inside)


def test_other_seats_do_not_read_what_the_review_says(browser: Browser, page_file: str, review: Review) -> None:
    seat = worst(review.decisions, 1)[0].ask.view.seat
    with watch_page(browser, page_file) as page:
        page.goto(page_file)
        verdicts = page.locator(".viewer-deal:not([hidden]) .viewer-verdict")
        expect(verdicts.first).to_contain_text("The review: to ")
        page.locator(".viewer-viewpoint").select_option(str((seat + 1) % 3))
        expect(verdicts.first).to_have_text("")


def test_the_table_of_tricks_does_not_tell_a_seat_what_is_to_come(browser: Browser, page_file: str) -> None:
    with watch_page(browser, page_file) as page:
        page.goto(page_file)
        table = page.locator(".viewer-deal:not([hidden]) table.tricks")
        told = table.locator("tr:not(.own) td.hand, .led").filter(visible=True)  # what two others drew, and five leads
        page.locator("[data-go=first]").click()
        expect(told).to_have_count(0)
        page.locator("[data-go=last]").click()
        expect(told).to_have_count(2 * 2 + 5)


def test_the_page_tells_habits_and_the_cost_of_each_kind(page_file: str, review: Review, browser: Browser) -> None:
    habits = [habit_words(habit) for habit in habits_of(review.decisions)]
    assert any(habit.startswith("threw its highest trump ") for habit in habits)
    with watch_page(browser, page_file) as page:
        page.goto(page_file)
        expect(page.get_by_role("heading", name="Its habits")).to_be_visible()
        assert page.locator("h2:text('Its habits') + ul > li").all_inner_texts() == habits
        expect(page.get_by_text(summary_line(review))).to_be_visible()
        kinds = [
            f"{one.kind}\t{one.decisions}\t{one.mistakes}\t{lost_per_100(one, 20)}".replace("-", "\N{MINUS SIGN}")
            for one in summarize(review.decisions)
        ]
        assert page.get_by_role("region", name="Loss by kind").locator("tbody tr").all_inner_texts() == kinds


def test_without_mistakes_the_page_says_so(record: Record) -> None:
    page = render_review(Review("reckless", 1, (), (record,), LIMITS, ("Not judged: 1 of 1 decisions <3>.",)))
    assert "<p>Not judged: 1 of 1 decisions &lt;3&gt;.</p>" in page
    assert "No decision was a mistake." in page
    assert "<script>" not in page
    assert all(limit in page.replace("&#39;", "'") for limit in LIMITS)


def test_the_command_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    done = called("review", "loose", "--deals", "4", "--against", "tight,random", "--html", file)
    assert (done.code, done.out) == (0, "")
    assert f"Written to {file}. Open it in a browser." in done.err
    assert "<title>Review of loose" in file.read_text()
    both = called("review", "loose", "--html", file, "--json")
    assert (both.code, "--json and --html exclude each other" in both.err) == (2, True)
