"""The rows of an export's tables. Their fields are the columns, which docs/data.md explains."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchTableRow:
    """A finished match."""

    number: int
    match: str
    format: str
    seats: int
    deals: int
    playings: int
    attempt: int
    isolation: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SeatTableRow:
    """The result of a bot in a match."""

    match: str
    seat: int
    bot: str
    chips: float
    chips_840: int
    rank: int
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    reneges_r5_2: int
    reneges_r5_3: int
    reneges_r5_4: int
    reneges_r5_6: int
    reneges_r6_2: int
    faults_late: int
    faults_undecodable: int
    faults_not_held: int
    faults_illegal_discard: int
    faults_premature: int
    faults_unasked: int
    faults_error: int
    faults_crashed: int
    faults_disconnected: int
    faults_stalled: int
    faults_over_limit: int
    faults_start_failure: int
    faults_refused: int
    faults_provider: int


@dataclass(frozen=True, slots=True)
class BlockRow:
    """The result of a bot in a block, the unit of intervals: a match, in `duplicate` a deal in all seatings."""

    match: str
    deal: int | None
    bot: str
    playings: int
    chips: float
    chips_840: int
    luck: float | None
    luck_26880: int | None


@dataclass(frozen=True, slots=True)
class DealRow:
    """The result of a seat in a deal, in format `duplicate` in one seating of it."""

    match: str
    deal: int
    seating: int | None
    seat: int
    bot: str
    dealer: bool
    dealt: str
    turned: str | None
    trump: str | None
    plays: bool
    obliged: bool
    left: bool
    discarded: str
    received: str
    took_turned: bool
    tricks: int
    won: bool
    bourred: bool
    reneges: int
    faults: int
    by_house: bool
    pot: int
    paid: int
    pot_after: int
    chips: float
    chips_840: int


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """An action of a seat, or an action that the referee took for it."""

    match: str
    deal: int
    seating: int | None
    number: int
    seat: int
    bot: str
    kind: str
    trick: int | None
    action: str
    legal: int | None
    forced: bool | None
    renege: str | None
    fault: str | None
    by_house: bool


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note that a bot sent with one of its answers."""

    match: str
    deal: int
    seating: int | None
    number: int
    bot: str
    text: str


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call of a bot's language model. The first four fields are empty without a note of the answer."""

    match: str | None
    deal: int | None
    seating: int | None
    number: int | None
    bot: str
    call: int
    at: str
    status: int | None
    tokens_in: int
    tokens_out: int
    cost_millionths: int
    server_model: str
    fingerprint: str
    prompt: str
    reply: str


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The usage that a bot reported in a match."""

    match: str
    seat: int
    bot: str
    tokens_in: int
    tokens_out: int
    calls: int
    cost_millionths: int
    notes: int
    notes_dropped: int


@dataclass(frozen=True, slots=True)
class RatingTableRow:
    """A bot's rating: from all matches at once, or after one match."""

    way: str
    number: int
    match: str | None
    bot: str
    mu: float
    sigma: float
    score: float


Row = MatchTableRow | SeatTableRow | BlockRow | DealRow | DecisionRow | NoteRow | CallRow | UsageRow | RatingTableRow
