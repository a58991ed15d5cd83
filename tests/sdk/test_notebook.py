"""What notebooks show: escaped, and no suit told by its colour alone; and bots made of functions."""

from __future__ import annotations

from html.parser import HTMLParser

from bourre import Bot, bot_from
from bourre.notes import Usage
from bourre.practice import practice
from bourre.record import read
from bourre.rules.actions import Decision
from bourre.rules.cards import Card, Suit
from bourre.rules.visibility import View
from bourre.testing import assert_legal, view

HOSTILE = "<script>alert('x')</script>&\""


class Page(HTMLParser):
    """Tags and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page_of(shown: object) -> Page:
    html = getattr(shown, "_repr_html_")()  # noqa: B009
    page = Page(html)
    assert page.open == []
    assert "script" not in page.tags
    return page


def test_a_view_shows_its_cards_with_their_symbols() -> None:
    page = page_of(view("play hand='TS KH 2C 3D' trick=QH trump=S seats=3"))
    assert {"10♠", "K♥", "2♣", "3♦", "Q♥"} <= set(page.texts)
    assert "0 (you)" in page.texts
    own = page_of(view("play hand='TS KH 2C 3D' trump=S seats=3 dealer=0"))
    assert "0 (you, dealer)" in own.texts


def test_a_view_before_trumps_are_named_can_be_shown() -> None:
    page = page_of(view("name_trump hand='TS KH 2C 3D 5H' preset=nba"))
    assert "not named" in page.texts


def test_hostile_names_are_escaped() -> None:
    result = practice({HOSTILE: bot_from(), "other": bot_from()}, deals=3)
    assert HOSTILE in page_of(result).texts
    assert HOSTILE in page_of(read(result.matches[0].record)).texts


def test_a_record_has_a_row_for_each_deal() -> None:
    result = practice([bot_from(), bot_from()], deals=7)
    page = page_of(read(result.matches[0].record))
    assert {str(number) for number in range(1, 8)} <= set(page.texts)


def test_functions_make_a_bot() -> None:
    asked: list[Decision] = []

    def declare(view: View) -> bool:
        asked.append(view.decision)
        return True

    def draw(view: View) -> list[Card]:
        return [view.hand[0]]

    async def play(view: View) -> Card:
        return view.legal[-1]

    def name_trump(view: View) -> Suit:
        return Suit.D

    made = bot_from(declare=declare, draw=draw, play=play, name_trump=name_trump, name="Mine")
    assert (made.__name__, made.__module__) == ("Mine", __name__)
    assert_legal(made, deals=8)
    assert Decision.DECLARE in asked
    seen = view("name_trump hand='TS KH 2C 3D 5H' preset=nba")
    assert made().name_trump(seen) == Suit.D


def test_a_function_may_take_its_bot_for_notes_and_usage() -> None:
    def declare(view: View, bot: Bot) -> bool:
        bot.note(f"{view.hand[-1]} is my best")
        bot.add_usage(tokens_in=10)
        return True

    def draw(view: View, most: int = 1) -> list[Card]:
        return list(view.hand[:most])

    played = practice([bot_from(declare=declare, draw=draw, name="Talker"), bot_from()], deals=4)
    assert played.notes
    assert {(note.bot, note.text.partition(" ")[2]) for note in played.notes} == {("Talker", "is my best")}
    asked = len(played.notes)
    assert played.bots[0].usage == Usage(tokens_in=10 * asked, calls=asked)


def test_what_is_left_out_is_decided_by_default() -> None:
    seen = view("play hand='AS KH 2C' trump=S")
    assert bot_from()().play(seen) == seen.legal[0]
