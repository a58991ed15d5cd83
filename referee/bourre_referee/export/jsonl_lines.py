"""The lines of an exported run: JSON objects with these keys."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import BaseModel, ConfigDict

from bourre_referee.model.results import DealResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import DiscardedMatch, StoredMatch, StoredSeat


class Line(BaseModel):
    """The base of all lines: unknown keys and values of a wrong type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SeatLine(Line):
    """The result of one seat in a match."""

    bot: str
    chips: int
    rank: int
    wins: int
    bourres: int
    reneges: int
    faults: int
    house_deals: int
    reneges_by_rule: dict[str, int]
    faults_by_kind: dict[str, int]

    @classmethod
    def of(cls, seat: StoredSeat) -> SeatLine:
        """Make the line of a seat."""
        counts = {"reneges_by_rule": dict(seat.reneges_by_rule), "faults_by_kind": dict(seat.faults_by_kind)}
        return cls(**asdict(seat) | counts)

    def to_seat(self) -> StoredSeat:
        """Return the seat of this line."""
        return StoredSeat(
            bot=self.bot,
            chips=self.chips,
            rank=self.rank,
            wins=self.wins,
            bourres=self.bourres,
            reneges=self.reneges,
            faults=self.faults,
            house_deals=self.house_deals,
            reneges_by_rule=tuple(sorted(self.reneges_by_rule.items())),
            faults_by_kind=tuple(sorted(self.faults_by_kind.items())),
        )


class MatchLine(Line):
    """A line of `matches.jsonl`: one finished match."""

    number: int
    match: str
    deals: int
    attempt: int
    isolation: str
    sha256: str
    """The hash of its record, in hexadecimal."""
    seats: tuple[SeatLine, ...]
    unit: int
    """How many parts a chip has: chips are counted in these parts."""
    blocks: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """In format `duplicate`, chips and luck of each deal, by seat."""

    @classmethod
    def of(cls, stored: StoredMatch) -> MatchLine:
        """Make the line of a match."""
        return cls(
            number=stored.number,
            match=stored.match,
            deals=stored.deals,
            attempt=stored.attempt,
            isolation=stored.isolation,
            sha256=stored.sha256.hex(),
            seats=tuple(map(SeatLine.of, stored.seats)),
            unit=stored.unit,
            blocks=tuple((block.chips, block.luck) for block in stored.blocks),
        )

    def to_match(self, record: str | None) -> StoredMatch:
        """Return the match of this line; raises ValueError if its hash is not lower-case hexadecimal."""
        record_hash = bytes.fromhex(self.sha256)
        if record_hash.hex() != self.sha256:
            raise ValueError(f"{self.sha256!r} should be written {record_hash.hex()}")
        return StoredMatch(
            number=self.number,
            match=self.match,
            deals=self.deals,
            attempt=self.attempt,
            isolation=self.isolation,
            seats=tuple(seat.to_seat() for seat in self.seats),
            record=record,
            sha256=record_hash,
            unit=self.unit,
            blocks=tuple(DealResult(chips, luck) for chips, luck in self.blocks),
        )


class VoidLine(Line):
    """A line of `voids.jsonl`: a discarded match."""

    match: str
    attempt: int
    by: str
    reason: str
    at: str
    revealed: bool

    @classmethod
    def of(cls, void: DiscardedMatch) -> VoidLine:
        """Make the line of a discarded match."""
        return cls(
            match=void.match,
            attempt=void.attempt,
            by=void.by,
            reason=void.reason,
            at=void.at,
            revealed=void.revealed,
        )

    def to_void(self, record: str | None) -> DiscardedMatch:
        """Return the discarded match of this line."""
        return DiscardedMatch(self.match, self.attempt, self.by, self.reason, self.at, self.revealed, record)


class SeatTimes(Line):
    """How one bot used its time in a match."""

    bot: str
    decisions: int
    total_ms: float
    longest_ms: float
    queue_ms: float
    bot_ms: float
    cpu_ms: float

    @classmethod
    def of(cls, bot: str, timing: SeatTiming) -> SeatTimes:
        """Make the times of a bot."""
        return cls(bot=bot, **asdict(timing))


class TimesLine(Line):
    """A line of `timings.jsonl`: one finished match."""

    match: str
    attempt: int
    seats: tuple[SeatTimes, ...]

    @classmethod
    def of(cls, stored: StoredMatch) -> TimesLine:
        """Make the line of a match."""
        seats = (SeatTimes.of(seat.bot, timing) for seat, timing in zip(stored.seats, stored.timings, strict=True))
        return cls(match=stored.match, attempt=stored.attempt, seats=tuple(seats))
