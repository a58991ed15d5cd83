"""Finds the target of an address in a state of a run, and refuses unknown ones with a hint."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.exceptions import HTTPException

from bourre.record import Record
from bourre_referee.contest.stages import match_number
from bourre_referee.web.cached_run import RunState
from bourre_referee.web.data.growing_run import MatchSummary
from bourre_referee.web.data.match_highlights import MatchHighlights, match_highlights
from bourre_referee.web.data.match_page import PER_PAGE, MatchData, MatchList, match_data, select_matches
from bourre_referee.web.data.moments import moments_of
from bourre_referee.web.data.versus_page import VersusData, versus_data
from bourre_referee.web.page_links import MatchChoice, Only


class RefusedRequest(HTTPException):
    """The request cannot be answered. `detail` is the reason, and `hint` a possible request."""

    def __init__(self, status: int, detail: str, hint: str) -> None:
        super().__init__(status, detail)
        self.hint = hint


MatchId = Annotated[str, Path(pattern="^m[0-9]{4,9}$", description="a match, such as m0001")]
DealId = Annotated[
    str,
    Path(
        pattern="^[1-9][0-9]{0,8}(-[1-9][0-9]{0,2})?$",
        description="a deal, such as 12, in duplicate with its seating, such as 12-2",
    ),
]
BotNumber = Annotated[int, Path(ge=1, le=10**9, description="the number of a bot, starting at 1, as in /api/bots")]


class MatchQuery(BaseModel):
    """The query for a list of matches. A match must pass all filters."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    bot: int | None = Field(
        default=None, ge=1, le=10**9, description="only matches in which the bot with this number played"
    )
    only: Only | None = Field(default=None, alias="with", description="only matches in which this happened")
    page: int = Field(default=1, ge=1, le=10**9, description=f"the page of the list, {PER_PAGE} matches to a page")

    @property
    def choice(self) -> MatchChoice:
        """The query as a MatchChoice."""
        return MatchChoice(self.bot, self.only, self.page)


class MatchForm(MatchQuery):
    """The query as the form on the page sends it, with empty values for unused filters."""

    @field_validator("bot", "only", mode="before")
    @classmethod
    def _drop_empty(cls, value: object) -> object:
        return None if value == "" else value


class VersusForm(BaseModel):
    """The query for two bots. Without it, the page asks for them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    one: int | None = Field(default=None, ge=1, le=10**9, description="the number of a bot")
    other: int | None = Field(default=None, ge=1, le=10**9, description="the number of the other")


def check_whole(state: RunState) -> None:
    """Raises RefusedRequest while the matches are still being read, just after the server started."""
    if not state.data.whole:
        raise RefusedRequest(503, "the matches are still being read", "reload the page in a few seconds")


def find_match(state: RunState, match: str) -> MatchSummary:
    """Returns the finished match with this id. Raises RefusedRequest if there is none."""
    check_whole(state)
    matches = state.data.matches
    for line in matches:
        if line.match == match:
            return line
    finished = f"{matches[0].match} to {matches[-1].match}, {len(matches)} in all" if matches else "none so far"
    raise RefusedRequest(404, f"unknown match {match}", f"finished: {finished}")


def check_bot(state: RunState, number: int) -> None:
    """Raises RefusedRequest if no bot has this number, or if its matches are still being read."""
    check_whole(state)
    if number > len(state.data.bots):
        raise RefusedRequest(404, f"unknown bot {number}", f"bots are numbered 1 to {len(state.data.bots)}")


def find_deals(state: RunState, match: str, record: str) -> MatchData:
    """Returns the data of a match's pages, from its record. `find_match` must have accepted the id."""
    played = match_data(state.data, match, record)
    assert played is not None, "find_match accepted the id"
    return played


def find_story(state: RunState, match: str, text: str, record: Record) -> tuple[MatchData, MatchHighlights]:
    """Returns the data of a match with its story, from its record and the text of it."""
    played, moments = find_deals(state, match, text), moments_of(match_number(match), record)
    return played, match_highlights(played, moments, state.data.duplicate)


def find_two(state: RunState, query: VersusForm) -> VersusData | None:
    """Returns the data of two bots. None if none are chosen. Raises RefusedRequest if there are no such two."""
    if query.one is None and query.other is None:
        return None
    found = versus_data(state.data, query.one or 0, query.other or 0)
    if found is None:
        raise RefusedRequest(
            404, "unknown pair of bots", f"choose two different bots, numbered 1 to {len(state.data.bots)}"
        )
    return found


def find_matches(state: RunState, choice: MatchChoice) -> MatchList:
    """Returns the requested page of a list of matches. Raises RefusedRequest if there is none."""
    check_whole(state)
    if choice.bot is not None:
        check_bot(state, choice.bot)
    found = select_matches(state.data, choice)
    if found is None:
        raise RefusedRequest(
            404, f"the list has no page {choice.page}", f"its pages are numbered from 1, with {PER_PAGE} matches each"
        )
    return found


def parse_deal_id(deal: str) -> tuple[int, int | None]:
    """Returns the number of a deal and, in `duplicate`, of its seating, from `12` or `12-2`."""
    number, _, seating = deal.partition("-")
    return int(number), int(seating) if seating else None


def describe_deals(state: RunState) -> str:
    """Describes the deals of a match in this contest."""
    last = state.data.deals
    if state.data.duplicate:
        return f"its deals are 1 to {last}, each with its seating: 1-1 to {last}-{state.run.manifest.terms.seats}"
    return f"its deals are 1 to {last}"
