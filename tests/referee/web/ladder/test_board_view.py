"""What a ladder's board says: who leads, who climbed, and what would tell bots apart."""

from __future__ import annotations

import pytest

from bourre_referee.ladder.board.board_rows import BoardPlace, BoardRow, BoardRows, Presence
from bourre_referee.ladder.board.live_ratings import CurvePoint
from bourre_referee.ladder.host.board_file import ClassBoard
from bourre_referee.ratings import Rating
from bourre_referee.web.ladder.board_view import ClassView, class_view


def viewed(*bots: tuple[str, float, float | None, str], too_few: tuple[str, ...] = ()) -> ClassView:
    """Returns the view of these bots: name, score, change, and the letters of their ties."""
    ranked = tuple(
        BoardRow(
            entrant=f"{name}.1",
            bot=name,
            version="1",
            owner="Ann",
            is_staff=False,
            place=BoardPlace(rank, tied, 1200 if tied else 0),
            rating=Rating(score + 3, 1.0),
            change=change,
            games=10,
            chips_per_deal=0.5,
            fault_share=0.0,
            presence=Presence.WAITING,
            room=None,
            last_seen=None,
        )
        for rank, (name, score, change, tied) in enumerate(bots, start=1)
    )
    curves = {f"{bots[0][0]}.1": (CurvePoint(1, 25.0, 8.0), CurvePoint(2, 26.0, 7.0))} if bots else {}
    return class_view(ClassBoard("default", 30, 30, False, BoardRows(ranked, (), (), too_few=too_few), (), curves))


@pytest.mark.parametrize(
    ("bots", "headline"),
    [
        ((), "No bot has a rated game yet"),
        ((("ada", 30.0, None, ""),), "ada is the only ranked bot"),
        ((("ada", 30.0, None, ""), ("bob", 25.3, None, "a"), ("cy", 25.0, None, "a")), "ada leads by 4.7"),
        (
            (("ada", 30.0, None, "a"), ("bob", 29.0, None, "a"), ("cy", 25.0, None, "")),
            "ada leads, but bob could be as good",
        ),
        (
            (("ada", 30.0, None, "a"), ("bob", 29.0, None, "a"), ("cy", 28.0, None, "a")),
            "ada is ahead, but no bot is sure to be better than another",
        ),
    ],
)
def test_the_headline_tells_who_leads_and_how_surely(
    bots: tuple[tuple[str, float, float | None, str], ...], headline: str
) -> None:
    assert viewed(*bots).headline == headline


def test_a_lead_after_too_few_games_is_no_result() -> None:
    bots = ("ada", 30.0, None, ""), ("bob", 25.3, None, "")
    assert viewed(*bots, too_few=("ada.1", "bob.1")).headline == "Too few games to tell the bots apart"
    assert viewed(*bots, too_few=("ada.1",)).headline == "ada is ahead, after too few games to be sure"


def test_an_arrow_counts_places_since_the_epoch_began() -> None:
    view = viewed(("ada", 30.0, 5.0, ""), ("new", 29.0, None, ""), ("bob", 28.0, 0.0, "a"), ("cy", 27.0, 0.0, "a"))
    assert [row.climbed for row in view.ranked] == [2, 0, -1, -1]
    assert [bool(row.spark) for row in view.ranked] == [True, False, False, False]
    assert view.explanation == "bob and cy are not told apart yet. About 1,200 more games of both would do it."
