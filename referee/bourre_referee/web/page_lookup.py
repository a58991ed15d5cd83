"""Look up what an address means in a state of a run; refusals say what there is instead."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.exceptions import HTTPException

from bourre_referee.web.cached_run import RunState
from bourre_referee.web.data.match_page import PER_PAGE, MatchList, chosen
from bourre_referee.web.data.run_page import MatchLine
from bourre_referee.web.page_links import Choice, Only


class Refused(HTTPException):
    """The request cannot be answered; says why, and what can be asked."""

    def __init__(self, status: int, detail: str, mend: str) -> None:
        super().__init__(status, detail)
        self.mend = mend


MatchId = Annotated[str, Path(pattern="^m[0-9]{4,9}$", description="as m0001")]
DealId = Annotated[
    str,
    Path(
        pattern="^[1-9][0-9]{0,8}(-[1-9][0-9]{0,2})?$", description="a deal as 12, in duplicate its seating too: 12-2"
    ),
]
BotNumber = Annotated[int, Path(ge=1, le=10**9, description="from 1, in the order of /api/bots")]


class Wanted(BaseModel):
    """Which matches are wanted; the filters hold together."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    bot: int | None = Field(default=None, ge=1, le=10**9, description="those in which the bot of this number sat")
    only: Only | None = Field(default=None, alias="with", description="those in which this happened")
    page: int = Field(default=1, ge=1, le=10**9, description=f"of {PER_PAGE} matches each")

    @property
    def choice(self) -> Choice:
        """The same, as a list takes it."""
        return Choice(self.bot, self.only, self.page)


class Filled(Wanted):
    """The same, as the form of the page sends it."""

    @field_validator("bot", "only", mode="before")
    @classmethod
    def _left_open(cls, sent: object) -> object:
        return None if sent == "" else sent


def finished_match(state: RunState, match: str) -> MatchLine:
    """The finished match of this id."""
    matches = state.data.matches
    for line in matches:
        if line.match == match:
            return line
    there = f"{matches[0].match} to {matches[-1].match}, {len(matches)} in all" if matches else "none so far"
    raise Refused(404, f"there is no finished match {match}", f"finished: {there}")


def check_bot(state: RunState, number: int) -> None:
    """Refuse a number that no bot has."""
    if number > len(state.data.bots):
        raise Refused(404, f"there is no bot {number}", f"bots have the numbers 1 to {len(state.data.bots)}")


def matches_found(state: RunState, choice: Choice) -> MatchList:
    """The page of a list of matches that was asked for."""
    if choice.bot is not None:
        check_bot(state, choice.bot)
    found = chosen(state.data, choice)
    if found is None:
        raise Refused(
            404, f"the list has no page {choice.page}", f"its pages are numbered from 1, with {PER_PAGE} matches each"
        )
    return found


def playing(deal: str) -> tuple[int, int | None]:
    """The number of a deal, and in `duplicate` of its seating, as an address has them: `12`, `12-2`."""
    number, _, seating = deal.partition("-")
    return int(number), int(seating) if seating else None


def deals_there(state: RunState) -> str:
    """Which deals a match of this contest has, in words."""
    last = state.data.deals
    if state.data.duplicate:
        return f"its deals are 1 to {last}, each with its seating: 1-1 to {last}-{state.run.manifest.terms.seats}"
    return f"its deals are 1 to {last}"
