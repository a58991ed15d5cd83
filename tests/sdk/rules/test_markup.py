"""The exact HTML of cards and tables, and the sentences of the rules."""

from __future__ import annotations

import re
from html import unescape

import pytest

from bourre.rules.cards import Suit, parse_cards
from bourre.rules.markup import Markup, cards_html, suit_html, table_html
from bourre.rules.sentences import SENTENCES, sentence
from tests.sdk.rules.table import Table, stacked


def test_cards_stand_in_their_order_and_red_is_told_by_a_colour_too() -> None:
    assert cards_html(parse_cards("TH 2S")) == (
        '<span style="color:#c62828;white-space:nowrap" title="TH">10♥</span> '
        '<span style="white-space:nowrap" title="2S">2♠</span>'
    )
    assert cards_html([]) == "-"


@pytest.mark.parametrize(
    ("suit", "html"),
    [
        (Suit.C, '<span title="C">♣</span>'),
        (Suit.D, '<span style="color:#c62828" title="D">♦</span>'),
        (Suit.H, '<span style="color:#c62828" title="H">♥</span>'),
        (Suit.S, '<span title="S">♠</span>'),
    ],
)
def test_a_suit_is_its_symbol(suit: Suit, html: str) -> None:
    assert suit_html(suit) == html


def test_a_table_has_its_caption_its_headings_and_nothing_unescaped() -> None:
    rows = [("<a>", 1, Markup("<b>x</b>")), ("c", "d&e", "")]
    assert table_html("of <two>", ("name", "<n>", ""), rows) == (
        "<table><caption>of &lt;two&gt;</caption>"
        '<thead><tr><th scope="col">name</th><th scope="col">&lt;n&gt;</th><th scope="col"></th></tr></thead>'
        '<tbody><tr><th scope="row">&lt;a&gt;</th><td>1</td><td><b>x</b></td></tr>'
        '<tr><th scope="row">c</th><td>d&amp;e</td><td></td></tr></tbody></table>'
    )


def test_a_table_without_headings_has_none() -> None:
    assert table_html("facts", (), []) == "<table><caption>facts</caption><tbody></tbody></table>"


def test_a_rule_is_told_with_its_sentence_and_an_unknown_one_by_its_id() -> None:
    assert sentence("R5.2") == "R5.2, follow suit if you can"
    assert all(sentence(rule) == f"{rule}, {words}" for rule, words in SENTENCES.items())
    assert sentence("R1.4") == "R1.4"


def words_of(table: Table) -> str:
    """What the page of the view says, cell by cell."""
    page = getattr(table.view, "_repr_html_")()  # noqa: B009  (for notebooks, which call it by this name)
    return " | ".join(unescape(cell) for cell in re.sub("(<[^>]*>)+", "\n", page).split("\n") if cell.strip())


def test_a_view_tells_its_cards_and_every_seat() -> None:
    table = Table(stacked("2H 3H 8D TC 4S", "AS KS QS 6C 5D", "KH 2C 3C 4D 6S"), seats=3, deals=4)
    table.say("1 in KS")
    assert words_of(table) == (
        "declare · deal 1 of 4 · seat 2 | hand | 2♣ | 3♣ | 4♦ | 6♠ | K♥ | trump | ♠ | turned | 4♠ | pot | 3 | "
        "seats | seat | state | drew | tricks | chips | "
        "0 (dealer) | ? | - | 0 | -1 | 1 | in | 1 | 0 | -1 | 2 (you) | ? | - | 0 | -1"
    )
    table.say("2 in", "0 pass", "1 AS")
    assert words_of(table) == (
        "play · deal 1 of 4 · seat 2 | hand | 2♣ | 3♣ | 4♦ | 6♠ | K♥ | trump | ♠ | turned | 4♠ | "
        "trick | A♠ |  (led by seat 1) | legal | 6♠ | pot | 3 | "
        "seats | seat | state | drew | tricks | chips | "
        "0 (dealer) | passed | - | 0 | -1 | 1 | in | 1 | 0 | -1 | 2 (you) | in | 0 | 0 | -1"
    )
