"""The lines of an exported run: one JSON object each, of these keys."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import BaseModel, ConfigDict

from bourre_referee.model.results import DealResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import DiscardedMatch, StoredMatch, StoredSeat


class Line(BaseModel):
    """A line: no key that is not known, each value of its own type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SeatLine(Line):
    """What one seat made of a match."""

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
        """The line of a seat."""
        counts = {"reneges_by_rule": dict(seat.reneges_by_rule), "faults_by_kind": dict(seat.faults_by_kind)}
        return cls(**asdict(seat) | counts)

    def seat(self) -> StoredSeat:
        """The seat of this line."""
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
    """Of its record, in hexadecimal."""
    seats: tuple[SeatLine, ...]
    unit: int
    """How many parts a chip has, in which chips are counted."""
    blocks: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """In format `duplicate`: chips and luck of each deal, by seat."""

    @classmethod
    def of(cls, kept: StoredMatch) -> MatchLine:
        """The line of a match."""
        return cls(
            number=kept.number,
            match=kept.match,
            deals=kept.deals,
            attempt=kept.attempt,
            isolation=kept.isolation,
            sha256=kept.sha256.hex(),
            seats=tuple(map(SeatLine.of, kept.seats)),
            unit=kept.unit,
            blocks=tuple((block.chips, block.luck) for block in kept.blocks),
        )

    def kept(self, record: str | None) -> StoredMatch:
        """The match of this line; ValueError when its hash is not written in small hexadecimal digits alone."""
        record_hash = bytes.fromhex(self.sha256)
        if record_hash.hex() != self.sha256:
            raise ValueError(f"{self.sha256!r} should be written {record_hash.hex()}")
        return StoredMatch(
            number=self.number,
            match=self.match,
            deals=self.deals,
            attempt=self.attempt,
            isolation=self.isolation,
            seats=tuple(seat.seat() for seat in self.seats),
            record=record,
            sha256=record_hash,
            unit=self.unit,
            blocks=tuple(DealResult(chips, luck) for chips, luck in self.blocks),
        )


class VoidLine(Line):
    """A line of `voids.jsonl`: a playing that does not count."""

    match: str
    attempt: int
    by: str
    reason: str
    at: str
    revealed: bool

    @classmethod
    def of(cls, void: DiscardedMatch) -> VoidLine:
        """The line of a void playing."""
        return cls(
            match=void.match,
            attempt=void.attempt,
            by=void.by,
            reason=void.reason,
            at=void.at,
            revealed=void.revealed,
        )

    def void(self, record: str | None) -> DiscardedMatch:
        """The void playing of this line."""
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
        """The times of a bot."""
        return cls(bot=bot, **asdict(timing))


class TimesLine(Line):
    """A line of `timings.jsonl`: one finished match."""

    match: str
    attempt: int
    seats: tuple[SeatTimes, ...]

    @classmethod
    def of(cls, kept: StoredMatch) -> TimesLine:
        """The times of a match."""
        seats = (SeatTimes.of(seat.bot, timing) for seat, timing in zip(kept.seats, kept.timings, strict=True))
        return cls(match=kept.match, attempt=kept.attempt, seats=tuple(seats))
