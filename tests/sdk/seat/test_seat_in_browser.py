"""The page of a seat in a real browser: a game by keyboard, a renege, hints, two tabs, and what goes wrong."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bourre.record import read
from tests.referee.half_run import half_run
from tests.referee.web.browser import LOOKS, MOVING, PATIENCE_MS, SOME_LOOKS, assert_fit_for_all, chromium, watch_page
from tests.sdk.seat.playing import hasten, leave, next_state, play_on, playing, record_in, solve_on, solving

MINUS = "\u2212"
WHOLE = """() => [...document.querySelectorAll("#table :is(.name, .did)")]
  .every((one) => one.scrollWidth <= one.clientWidth)"""
"""Whether nothing that a seat says is cut."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as it:
        yield it


def test_three_deals_by_keyboard_end_with_the_chips_of_the_record(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 3) as game, watch_page(browser, game.origin, MOVING) as page:
        page.goto(game.address)
        hasten(page)
        leave(page, play_on(page))
        out, _ = game.process.communicate(timeout=60)
        final = read(record_in(tmp_path).read_text()).final
        expect(page.locator("#log p").last).to_have_text(f"The game is over: you end with {final[0]:+d}.")
        shown = page.locator("#table .seat").all_inner_texts()
        assert [int(re.findall(r"(\S+)\s+chip", text)[0].replace(MINUS, "-")) for text in shown] == list(final)
        assert [int(line.split()[1]) for line in out.splitlines()] == list(final)


@pytest.mark.long
@pytest.mark.parametrize("house", ["nba", "indiana", "separate_dealer_option", "simultaneous"])
def test_every_kind_of_question_has_its_keys(browser: Browser, tmp_path: Path, house: str) -> None:
    with playing(tmp_path, "--deals", 2, "--rules", house) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        leave(page, play_on(page))
        assert game.process.wait(timeout=60) == 0


@pytest.mark.long
def test_ctrl_c_ends_the_game_politely(tmp_path: Path) -> None:
    with playing(tmp_path) as game:
        game.process.send_signal(signal.SIGINT)
        _, told = game.process.communicate(timeout=60)
        assert game.process.returncode == 130
        assert told.splitlines()[-1] == "bourre: You have left the table. Nothing is kept."
        assert not record_in(tmp_path).exists()


def test_a_renege_is_made_explained_and_corrected(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 1) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        asked = next_state(page)
        page.get_by_role("button", name="Play with these cards").click()
        asked = next_state(page, asked)
        page.get_by_role("button", name="Play the five of hearts").click()
        asked = next_state(page, asked)
        warning = page.get_by_role("alert").filter(has_text="broke")
        expect(warning).to_contain_text("R5.4, without the suit led, play a trump, one that wins if you can")
        expect(warning).to_contain_text("Corrected, it still costs you this pot and your next turn to deal.")
        page.get_by_role("button", name="Play the jack of clubs").click()
        next_state(page, asked)
        log = page.get_by_role("log")
        expect(log).to_contain_text("You take the five of hearts back: cannot win this pot")
        expect(log).to_contain_text("You play the jack of clubs.")


@pytest.mark.long
def test_a_hint_marks_the_legal_cards_and_estimates_each(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 1) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        asked = next_state(page)
        page.keyboard.press("h")
        expect(page.locator("#hint")).to_contain_text("Pass: +0.0 chips on average.")
        page.keyboard.press("i")
        next_state(page, asked)
        expect(page.locator("#hand .legal")).to_have_count(0)
        page.keyboard.press("h")
        expect(page.locator("#hand .legal")).to_have_count(2)
        expect(page.locator("#hint")).to_contain_text("Averages over 200 sampled deals.")


@pytest.mark.parametrize("look", SOME_LOOKS)
def test_axe_finds_nothing_before_amid_and_after_the_play(browser: Browser, tmp_path: Path, look: str) -> None:
    with playing(tmp_path, "--deals", 1, "--guide") as game, watch_page(browser, game.origin, LOOKS[look]) as page:
        page.goto(game.address)
        hasten(page)
        asked = next_state(page)
        expect(page.get_by_label("Rules as they bind")).to_contain_text("R2.1")
        expect(page.get_by_label("Rules as they bind")).to_contain_text("R4.1")
        page.keyboard.press("2")
        expect(page.locator("#hand [aria-pressed=true]")).to_have_count(1)
        assert_fit_for_all(page)
        page.keyboard.press("2")
        page.keyboard.press("i")
        asked = next_state(page, asked)
        page.keyboard.press("5")
        asked = next_state(page, asked)
        expect(page.locator("#warning")).not_to_be_empty()
        assert_fit_for_all(page)
        ended = play_on(page, "waiting")
        expect(page.get_by_role("heading", name=re.compile("^You (finish|share) "))).to_be_focused()
        expect(page.locator(".ranks .you")).to_contain_text("You")
        expect(page.locator(".lost-where :is(h3, p:not([role=status]))").first).to_be_visible()
        assert_fit_for_all(page)
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Replay the game").click()
        expect(opened.value.locator(".viewer-table .seat")).to_have_count(3)
        opened.value.close()
        page.keyboard.press("s")
        next_state(page, ended)
        expect(page.get_by_role("log")).to_contain_text("Deal 1: Tight deals.")
        expect(page.locator("#table .seat").nth(1)).to_contain_text("You")
        expect(page.locator("#ending")).to_be_empty()


@pytest.mark.long
def test_the_arrows_move_within_the_hand_and_letters_can_be_turned_off(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 1) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        next_state(page)
        cards = page.locator("#hand button")
        cards.first.focus()
        page.keyboard.press("ArrowRight")
        expect(cards.nth(1)).to_be_focused()
        page.keyboard.press("Enter")
        expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        expect(cards.last).to_be_focused()
        page.get_by_label("Letter keys").uncheck()
        cards.last.focus()
        page.keyboard.press("1")
        expect(cards.first).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_an_answer_is_taken_back_by_key(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 1) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        asked = next_state(page)
        expect(page.get_by_role("button", name="Take back")).to_have_count(0)
        page.keyboard.press("i")
        asked = next_state(page, asked)
        page.keyboard.press("5")
        asked = next_state(page, asked)
        expect(page.locator("#warning")).to_contain_text("R5.4")
        page.keyboard.press("b")
        next_state(page, asked)
        expect(page.locator("#ask")).to_have_text("Your turn: choose a card.")
        expect(page.locator("#warning")).to_be_empty()
        expect(page.get_by_role("log")).to_contain_text("You take your last answer back.")
        leave(page, play_on(page))
        assert game.process.wait(timeout=60) == 0


@pytest.mark.long
@pytest.mark.parametrize("look", LOOKS)
def test_a_recorded_deal_is_a_row_of_puzzles(browser: Browser, tmp_path: Path, look: str) -> None:
    with solving(half_run(tmp_path)) as game, watch_page(browser, game.origin, LOOKS[look]) as page:
        page.goto(game.address)
        hasten(page)
        asked = next_state(page)
        assert_fit_for_all(page)
        page.keyboard.press("i")
        answered = next_state(page, asked)
        assert answered.startswith("answer")
        expect(page.get_by_role("heading", name=re.compile("chips|the same"))).to_be_focused()
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("'s seat, match m0001, deal 1$"))
        expect(page).to_have_title(re.compile("'s seat, match m0001, deal 1 · Bourré$"))
        expect(page.locator(".marks i:not(.open)")).to_have_count(1)
        assert_fit_for_all(page)
        page.reload()
        expect(page.locator(".marks i:not(.open)")).to_have_count(1)
        hasten(page)
        page.keyboard.press("n")
        answered = solve_on(page, answered)
        assert_fit_for_all(page)
        page.keyboard.press("n")
        next_state(page, answered)
        expect(page.get_by_text("Puzzle of the day")).to_be_visible()
        assert page.evaluate("JSON.parse(localStorage.getItem('bourre-streak')).marks.length") > 1


@pytest.mark.long
def test_two_tabs_show_the_same_question_and_one_answer_is_enough(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 1) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        other = page.context.new_page()
        other.goto(game.address)
        hasten(other)
        asked = next_state(page)
        assert next_state(other) == asked
        page.keyboard.press("i")
        assert next_state(page, asked) == next_state(other, asked)
        other.close()


@pytest.mark.long
def test_a_page_that_is_loaded_again_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--deals", 2) as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        asked = next_state(page)
        page.keyboard.press("i")
        asked = next_state(page, asked)
        hand = page.locator("#hand button").evaluate_all("cards => cards.map(card => card.dataset.card)")
        page.reload()
        assert next_state(page) == asked
        assert page.locator("#hand button").evaluate_all("cards => cards.map(card => card.dataset.card)") == hand
        expect(page.get_by_role("log")).to_contain_text("Deal 1:")
        hasten(page)
        play_on(page)


@pytest.mark.long
def test_a_page_says_that_the_program_is_gone(browser: Browser, tmp_path: Path) -> None:
    gone = "Failed to load resource"
    with playing(tmp_path) as game, watch_page(browser, game.origin, expected=gone) as page:
        page.goto(game.address)
        hasten(page)
        next_state(page)
        page.route("**/news*", lambda route: route.abort())
        page.keyboard.press("i")  # the poll under way is answered; the next ones fail
        lost = page.locator("#lost")
        expect(lost).to_have_text(re.compile("does not answer"))
        with page.expect_request("**/news?version=-1&*", timeout=PATIENCE_MS):  # answered whether or not it has news
            page.unroute("**/news*")
        expect(lost).to_be_empty()
        game.process.send_signal(signal.SIGKILL)
        expect(lost).to_have_text(re.compile("does not answer"))


@pytest.mark.long
def test_the_name_of_no_example_is_cut(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path, "--against", "monte_carlo,counter,tight") as game, watch_page(browser, game.origin) as page:
        page.goto(game.address)
        hasten(page)
        next_state(page)
        for width in (1280, 720, 360):
            page.set_viewport_size({"width": width, "height": 800})
            expect(page.locator("#table .name").filter(has_text="Monte Carlo")).to_be_visible()
            page.wait_for_function(WHOLE)


@pytest.mark.long
def test_a_wrong_key_opens_nothing(browser: Browser, tmp_path: Path) -> None:
    with playing(tmp_path) as game, watch_page(browser, game.origin, expected="403") as page:
        reply = page.goto(f"{game.origin}/{'x' * 32}/")
        assert reply is not None
        assert reply.status == 403
        expect(page.locator("body")).to_contain_text("open the one that the program printed")
