"""The files of an exported run, and their lines, which are JSON objects with these keys."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bourre_referee.model.results import DealResult
from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import DiscardedMatch, StoredMatch, StoredSeat
from bourre_referee.storage.files.sound_values import (
    BotName,
    Count,
    FaultKind,
    LevelName,
    MatchId,
    Milliseconds,
    Ordinal,
    Reason,
    RuleId,
    Sha256,
    Voider,
    Words,
)


@dataclass(frozen=True, slots=True)
class ExportLayout:
    """The paths in a folder of format `jsonl`."""

    folder: Path

    @property
    def manifest(self) -> Path:
        """The manifest, as in the run folder."""
        return self.folder / "manifest.json"

    @property
    def standings(self) -> Path:
        """The standings, as in the run folder."""
        return self.folder / "standings.json"

    @property
    def matches(self) -> Path:
        """The results: a line for each finished match."""
        return self.folder / "matches.jsonl"

    @property
    def timings(self) -> Path:
        """The times: a line for each finished match."""
        return self.folder / "timings.jsonl"

    @property
    def voids(self) -> Path:
        """The discarded attempts: a line for each."""
        return self.folder / "voids.jsonl"

    @property
    def readme(self) -> Path:
        """The note that explains the files."""
        return self.folder / "README.txt"

    @property
    def records(self) -> Path:
        """The folder of the records."""
        return self.folder / "records"

    @property
    def tables(self) -> Path:
        """The folder of the tables for other programs. It is never read back."""
        return self.folder / "tables"

    def record(self, match: str, void_attempt: int | None = None) -> Path:
        """Returns the path of a match's record, or of a discarded attempt at it."""
        return self.records / f"{match}{f'.void{void_attempt}' if void_attempt else ''}.jsonl"


class ExportedLine(BaseModel):
    """The base of all lines. It refuses unknown keys and values of a wrong type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SeatLine(ExportedLine):
    """The result of one seat in a match."""

    bot: BotName
    chips: int
    rank: Ordinal
    wins: Count
    bourres: Count
    reneges: Count
    faults: Count
    house_deals: Count
    reneges_by_rule: dict[RuleId, Ordinal]
    faults_by_kind: dict[FaultKind, Ordinal]

    @classmethod
    def of(cls, seat: StoredSeat) -> SeatLine:
        """Returns the line of a seat."""
        counts = {"reneges_by_rule": dict(seat.reneges_by_rule), "faults_by_kind": dict(seat.faults_by_kind)}
        return cls(**asdict(seat) | counts)

    def to_seat(self) -> StoredSeat:
        """Returns the seat of this line."""
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


class ExportedMatch(ExportedLine):
    """A line of `matches.jsonl`: one finished match."""

    number: Ordinal
    match: MatchId
    deals: Ordinal
    attempt: Ordinal
    isolation: LevelName
    sha256: Sha256
    """The hash of its record, in hexadecimal."""
    seats: tuple[SeatLine, ...]
    unit: int
    """How many parts a chip has. Chips are counted in these parts."""
    blocks: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """In format `duplicate`, chips and luck of each deal, by seat."""

    @classmethod
    def of(cls, stored: StoredMatch) -> ExportedMatch:
        """Returns the line of a match."""
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
        """Returns the match of this line."""
        return StoredMatch(
            number=self.number,
            match=self.match,
            deals=self.deals,
            attempt=self.attempt,
            isolation=self.isolation,
            seats=tuple(seat.to_seat() for seat in self.seats),
            record=record,
            sha256=bytes.fromhex(self.sha256),
            unit=self.unit,
            blocks=tuple(DealResult(chips, luck) for chips, luck in self.blocks),
        )


class VoidLine(ExportedLine):
    """A line of `voids.jsonl`: a discarded match."""

    match: MatchId
    attempt: Ordinal
    by: Voider
    reason: Reason
    at: Words
    revealed: bool

    @classmethod
    def of(cls, void: DiscardedMatch) -> VoidLine:
        """Returns the line of a discarded match."""
        return cls(
            match=void.match,
            attempt=void.attempt,
            by=void.by,
            reason=void.reason,
            at=void.at,
            revealed=void.revealed,
        )

    def to_void(self, record: str | None) -> DiscardedMatch:
        """Returns the discarded match of this line."""
        return DiscardedMatch(self.match, self.attempt, self.by, self.reason, self.at, self.revealed, record)


class SeatTimes(ExportedLine):
    """The times of one bot in a match."""

    bot: BotName
    decisions: Count
    total_ms: Milliseconds
    longest_ms: Milliseconds
    queue_ms: Milliseconds
    bot_ms: Milliseconds
    cpu_ms: Milliseconds

    @classmethod
    def of(cls, bot: str, timing: SeatTiming) -> SeatTimes:
        """Returns the times of a bot."""
        return cls(bot=bot, **timing._asdict())


class TimesLine(ExportedLine):
    """A line of `timings.jsonl`: one finished match."""

    match: MatchId
    attempt: Ordinal
    seats: tuple[SeatTimes, ...]

    @classmethod
    def of(cls, stored: StoredMatch) -> TimesLine:
        """Returns the line of a match."""
        seats = (SeatTimes.of(seat.bot, timing) for seat, timing in zip(stored.seats, stored.timings, strict=True))
        return cls(match=stored.match, attempt=stored.attempt, seats=tuple(seats))
