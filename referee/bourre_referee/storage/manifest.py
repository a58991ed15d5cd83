"""What a run folder says about itself: the terms of the contest, and how far it is."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.isolation_choice import IsolationAsked, LevelAsked
from bourre_referee.contest.pairing import Pairing
from bourre_referee.contest.stages import Closed, Stage, stages_of
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Clock
from bourre_referee.ratings.batch import METHOD, VERSION


class Part(BaseModel):
    """A part of a manifest: no key that is not known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Versions(Part):
    """What played."""

    bourre: str
    python: str
    grpcio: str
    protobuf: str
    trueskill: str
    """The package that rates one match after another; the ratings in the standings are `RatingMethod`'s."""


class RatingMethod(Part):
    """How the ratings in the standings are computed (`bourre_referee.ratings.batch`)."""

    method: str
    version: int


class File(Part):
    """A file of a bot, by its path from the contest file's folder."""

    path: str
    sha256: str


class BotTerms(Part):
    """A bot as it was entered."""

    name: str
    command: tuple[str, ...] | None
    files: tuple[File, ...]
    venv: str | None = None
    trusted: bool | None = None
    """Its author starts it, and may see every hand of a duplicate deal; None in a folder that is older than the key."""


class IsolationTerms(Part):
    """How the bots are kept apart, as it was asked for; each match keeps the level that it got."""

    level: LevelAsked
    memory_mib: int
    processes: int
    disk_mib: int
    image: str | None


class Terms(Part):
    """All that decides how the contest goes, apart from the seed's bytes: a run that resumes must have the same."""

    seed: int | None
    format: str
    seats: int
    deals: int
    tables: int
    stakes: tuple[int, ...]
    schedule: Pairing
    rules: HouseRules
    clock: Clock
    max_faults: int
    isolation: IsolationTerms
    bots: tuple[BotTerms, ...]


class ClosedStage(Part):
    """What was played before bots came or went."""

    bots: tuple[BotTerms, ...]
    schedule: Pairing
    places: int
    """As many matches of its schedule have a place in the contest."""
    missing: tuple[int, ...]
    """Of these places, by their number in the contest, those that were never played to an end."""


class Seed(Part):
    """The master seed, as far as it is public."""

    note: Literal["practice seed, not secret", "secret until all matches are done", "was secret, revealed at the end"]
    commitment: str
    """SHA-256 of the 32 bytes, in hexadecimal; told before the first card."""
    revealed: str | None
    """The 32 bytes in hexadecimal."""


class Manifest(Part):
    """The whole of `manifest.json`."""

    manifest: Literal[1] = 1
    """The version of this format."""
    contest: str
    versions: Versions
    ratings: RatingMethod | None = None
    """None: the run is older than this key."""
    seed: Seed
    terms: Terms
    """Those that hold now, with the bots that are there now."""
    closed: tuple[ClosedStage, ...] = ()
    added: tuple[Pairing, ...] = ()
    """Further rounds of the bots that are there now, for neighbours who were not told apart (`running.further`)."""
    matches: int
    """That are to be played, or were, in all stages."""
    finished: int
    digest: str | None
    """SHA-256 over all records in schedule order; null until the last match is finished."""
    chain: str
    """The hash chain over the finished matches from the first to the first gap (`run_folder.digest.Chain`)."""

    @property
    def complete(self) -> bool:
        """Whether every match is finished, and everything is said."""
        return self.digest is not None

    @property
    def rated_as_now(self) -> bool:
        """Whether its standings, and the further rounds that follow from them, come from today's method of rating."""
        return self.ratings == rating_method()

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots that were ever there, in the order of the contest file; those that left come last."""
        now = [bot.name for bot in self.terms.bots]
        return tuple(dict.fromkeys(now + [bot.name for stage in self.closed for bot in stage.bots]))

    @property
    def trusted(self) -> tuple[str, ...]:
        """The bots whose authors could see every hand of a deal, one seating after another."""
        if self.terms.format != "duplicate":
            return ()
        ever = [*self.terms.bots, *(bot for stage in self.closed for bot in stage.bots)]
        return tuple(dict.fromkeys(bot.name for bot in ever if bot.command is None))

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The schedules that were played one after another; the last is the one that is played now."""
        closed = [
            Closed(tuple(bot.name for bot in stage.bots), stage.schedule, stage.places, stage.missing)
            for stage in self.closed
        ]
        now = tuple(bot.name for bot in self.terms.bots)
        return stages_of(closed, now, (self.terms.schedule, *self.added), self.terms.seats)

    @property
    def missing(self) -> frozenset[int]:
        """The places in the contest that will never be played."""
        return frozenset(number for stage in self.closed for number in stage.missing)


def revealed(seed: Seed, master: bytes) -> Seed:
    """What is said of a seed once all matches are done."""
    if seed.revealed:
        return seed
    return Seed(note="was secret, revealed at the end", commitment=seed.commitment, revealed=master.hex())


def rating_method() -> RatingMethod:
    """How ratings are computed now."""
    return RatingMethod(method=METHOD, version=VERSION)


def versions() -> Versions:
    """What plays now."""
    return Versions(
        bourre=version("bourre"),
        python=platform.python_version(),
        grpcio=version("grpcio"),
        protobuf=version("protobuf"),
        trueskill=version("trueskill"),
    )


def terms_of(contest: Contest) -> Terms:
    """The terms of a contest, its bots' files hashed as they are now; ContestError when one cannot be read."""
    return Terms(
        seed=contest.seed,
        format=contest.format,
        seats=contest.seats,
        deals=contest.deals,
        tables=contest.tables,
        stakes=contest.stakes,
        schedule=contest.schedule,
        rules=contest.house,
        clock=contest.clock,
        max_faults=contest.max_faults,
        isolation=_isolation_terms(contest.isolation),
        bots=tuple(_bot_terms(entrant, contest.folder) for entrant in contest.entrants),
    )


def _isolation_terms(asked: IsolationAsked) -> IsolationTerms:
    return IsolationTerms(level=asked.level, image=asked.image, **asdict(asked.limits))


def _bot_terms(entrant: Entrant, folder: Path) -> BotTerms:
    try:
        files = tuple(_hashed(entrant.files, folder))
        return BotTerms(
            name=entrant.name, command=entrant.command, files=files, venv=entrant.venv, trusted=entrant.trusted
        )
    except OSError as error:
        raise ContestError(f"[[bots]] {entrant.name}: {error.filename}: {error.strerror}; mend its files") from error


def _hashed(files: tuple[str, ...], folder: Path) -> Iterator[File]:
    for path in files:
        place = folder / path
        for file in sorted(_inside(place)) if place.is_dir() else [place]:
            name = path if file == place else f"{path.rstrip('/')}/{file.relative_to(place).as_posix()}"
            yield File(path=name, sha256=hashlib.sha256(file.read_bytes()).hexdigest())


def _inside(folder: Path) -> Iterator[Path]:
    """The files of a folder; not what Python leaves behind when it runs them."""
    return (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
