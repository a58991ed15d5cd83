"""The documents of the API."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class ApiPart(BaseModel):
    """A part of a document."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(ApiPart):
    """An error, in the format of RFC 9457."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: int
    detail: str
    mend: str
    """A hint on how to fix it."""


class ApiSeed(ApiPart):
    """The master seed, as far as it is public."""

    note: str
    commitment: str = Field(description="SHA-256 of its 32 bytes in hexadecimal, published before the first card")
    revealed: str | None = Field(description="the seed itself, once it no longer reveals cards in advance")


class ApiRun(ApiPart):
    """A contest and its progress."""

    contest: str
    format: str
    seats: int
    deals: int = Field(description="in each match")
    matches: int = Field(description="matches of the whole contest")
    finished: int
    complete: bool
    digest: str | None = Field(description="SHA-256 over all records in schedule order, or null until the end")
    seed: ApiSeed
    rules: dict[str, JsonValue] = Field(description="every house rule")
    clock: dict[str, int] = Field(description="time limits in milliseconds")
    versions: dict[str, str] = Field(description="versions of the software that played")


class ApiEstimate(ApiPart):
    """An estimate of chips won per 100 deals."""

    chips_per_100: float
    ci95: tuple[float, float] | None
    deals: int


class ApiStanding(ApiPart):
    """One bot's row in the standings."""

    rank: int | None = Field(description="null, like its figures, for a bot with most deals played by the referee")
    bot: str
    mu: float | None
    sigma: float | None
    score: float | None = Field(description="mu - 3 sigma")
    deals: int
    chips: float | None
    chips_per_100: float | None
    ci95: tuple[float, float] | None
    wins: int | None
    bourres: int | None
    reneges: int
    faults: int
    house_deals: int = Field(description="deals in which the referee played its seat")
    tied: str = Field(description="bots that share a letter are tied, at 95 % for the whole table")
    adjusted_per_100: float | None = Field(
        description="in duplicate: chips_per_100 with most of the luck of the draw removed"
    )
    adjusted_ci95: tuple[float, float] | None
    reneges_by_rule: dict[str, int]
    effect: float | None = Field(
        default=None, description="chips per 100 deals above the mean of this field, from all matches together"
    )
    effect95: tuple[float, float] | None = Field(
        default=None, description="its comparison interval: two overlap exactly if their bots are tied"
    )
    matches_to_part: int | None = Field(
        default=None, description="prediction of how many more matches part it from the next bot, 0 if they are apart"
    )


class ApiTakenBack(ApiPart):
    """A match that the organiser voided."""

    match: str
    attempt: int
    reason: str


class ApiStandings(ApiPart):
    """The document of `bourre standings --json`."""

    contest: str
    format: str
    matches: int
    digest: str
    standings: list[ApiStanding]
    cross: dict[str, dict[str, ApiEstimate]] = Field(
        description="difference of two bots over the matches of both, with a ci95 for that pair alone"
    )
    adjusted_cross: dict[str, dict[str, ApiEstimate]] | None = Field(
        default=None, description="the same less luck, only in format duplicate"
    )
    ties: list[list[str]] = Field(default=[], description="neighbours that are not told apart, best first")
    too_few: list[str] = Field(default=[], description="bots with too few matches to tell them apart from others")
    no_shows: dict[str, str] = Field(default={}, description="reason for each bot without a rank")
    commitment: str = Field(default="", description="SHA-256 of a secret seed")
    voids: list[ApiTakenBack] = Field(default=[], description="present only if there are any")
    trusted: list[str] = Field(default=[], description="bots whose authors could see every hand of a duplicate deal")
    network: dict[str, bool | list[str]] = Field(default={}, description="hosts that bots could reach, or true for all")
    isolation: dict[str, str] = Field(default={}, description="levels of bots with their own level")


class Stats(ApiPart):
    """The document of `bourre stats --json`."""

    contest: str
    format: str
    matches: int
    digest: str
    tied_groups: list[list[str]] = Field(description="the bots that are tied in the standings")
    ranking: dict[str, JsonValue] | None
    adjusted_ranking: dict[str, JsonValue] | None
    pairs: list[dict[str, JsonValue]] = Field(description="every two bots that met, raw and less luck")
    seats: list[dict[str, JsonValue]]
    conduct: list[dict[str, JsonValue]]
    rules: dict[str, dict[str, JsonValue]]
    style: dict[str, list[dict[str, JsonValue]]]
    flow: list[dict[str, JsonValue]]


class ApiBotName(ApiPart):
    """A bot. Addresses use its number, from 1."""

    number: int
    name: str
    present: bool = Field(description="false if it has left the contest")


class Bots(ApiPart):
    """All bots that ever played, in the order of the contest file."""

    bots: list[ApiBotName]


class ApiBot(ApiBotName):
    """A bot and its results."""

    standing: ApiStanding
    matches: int
    faults_by_kind: dict[str, int]


class ApiSeat(ApiPart):
    """The result of one seat in a match."""

    bot: str
    number: int = Field(description="number of the bot")
    rank: int
    chips: float
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    reneges_by_rule: dict[str, int]
    faults_by_kind: dict[str, int]


class Void(ApiPart):
    """A discarded match."""

    match: str
    attempt: int
    by: str = Field(
        description="`host` if the host or a model's server failed, `organiser` if the organiser annulled it"
    )
    reason: str
    at: str = Field(description="time in ISO 8601, UTC")
    revealed: bool = Field(description="whether the secret seed was already public")


class Voids(ApiPart):
    """All discarded matches."""

    voids: list[Void]


class ApiMatch(ApiPart):
    """A finished match."""

    match: str
    deals: int
    attempt: int
    isolation: str
    sha256: str = Field(description="SHA-256 of its record, in hexadecimal")
    seats: list[ApiSeat]
    voids: list[Void] = Field(description="its discarded attempts")


class Matches(ApiPart):
    """A page of a list of matches."""

    page: int
    pages: int
    total: int
    matches: list[ApiMatch]


class ApiDeal(ApiPart):
    """One deal of a match, as in its record."""

    match: str
    deal: int
    seating: int | None = Field(description="the seating, in format duplicate")
    bots: list[str] = Field(description="the bots of the match: by seat, in duplicate by number from 0")
    record: dict[str, JsonValue] = Field(description="the line of the record, see docs/data.md")
