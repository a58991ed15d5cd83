"""The pictures that links to a contest, a match or a deal show in a message. They tell what an onlooker may know."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.rules.cards import Card
from bourre_referee.text.narration.events_by_deal import DealEvents
from bourre_referee.web.data.deal_headline import deal_headline
from bourre_referee.web.data.event_page import EventData
from bourre_referee.web.data.front_page import front_page
from bourre_referee.web.data.match_headline import match_headline
from bourre_referee.web.data.match_highlights import MatchHighlights
from bourre_referee.web.data.match_page import MatchData
from bourre_referee.web.data.run_page import RunData
from bourre_referee.web.data.trick_table import TrickTable, trick_table
from bourre_referee.web.template_filters import amount, count, short


def draw_contest(run: RunData, event: EventData) -> bytes:
    """Draws the picture for links to this run, as a PNG."""
    front = front_page(run, event.stories.featured)
    told = front.headline
    played = count(run.finished, "match", "matches")
    when = f"{played} of {run.deals} deals" if run.complete else f"{played} of {run.total:,}"
    return draw_words(when, told.title, f"{told.figure}{told.rest}", run.contest, _best_hand(front.featured))


def draw_match(run: RunData, match: MatchData, told: MatchHighlights) -> bytes:
    """Draws the picture for links to this match, as a PNG."""
    headline = match_headline(match, told, 1 if run.duplicate else 0)
    deal = trick_table(told.featured.played) if told.featured else None
    return draw_words(
        f"{match.line.match} · {run.deals} deals", headline.title, headline.result, run.contest, _best_hand(deal)
    )


def draw_deal(run: RunData, match: str, deal: DealEvents) -> bytes:
    """Draws the picture for links to this deal, as a PNG."""
    headline, table = deal_headline(deal), trick_table(deal)
    kicker = f"{match} · {deal.place} · pot {amount(table.pot)}"
    return draw_words(kicker, headline.title, f"{headline.result}.", run.contest, _best_hand(table))


def _best_hand(table: TrickTable | None) -> tuple[Card, ...]:
    """Returns the cards with which a seat took the pot alone."""
    return table.hand(table.winner) if table and table.winner else ()


def draw_words(kicker: str, title: str, text: str, contest: str, hand: Sequence[Card] = ()) -> bytes:
    """Draws the picture with these words, and with this hand if there is one."""
    from bourre_referee.export.plots.share_picture import ShareWords, draw_share  # matplotlib is an extra

    return draw_share(ShareWords(kicker, title, text, short(contest)), hand)
