"""The manifest of a run folder: the terms and the progress of the contest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import LevelAsked
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in, names_in
from bourre_referee.contest.stages import Closed, Stage, stages_of
from bourre_referee.luck import Baseline
from bourre_referee.model.spec import Clock, Level, OwnIsolation
from bourre_referee.ratings import Rating
from bourre_referee.ratings.batch import ANCHORED_METHOD, COMPUTED_VERSIONS, METHOD, VERSION
from bourre_referee.ratings.belief import Anchors
from bourre_referee.storage.files.sound_values import BotName, Count, FormatName, Ordinal, Sha256, Words
from bourre_referee.storage.run.log_entry import LogEntry, hash_of_json
from bourre_referee.storage.run.model_terms import ModelTerms, ReachedCap
from bourre_referee.storage.run.versions import ManifestPart, Versions


class RatingMethod(ManifestPart):
    """The method of the ratings in the standings (`bourre_referee.ratings.batch`)."""

    method: Words
    version: int


class File(ManifestPart):
    """A file of a bot, by its path from the contest file's folder."""

    path: str
    sha256: Sha256


class BotTerms(ManifestPart):
    """A bot of the contest file."""

    name: BotName
    command: tuple[str, ...] | None
    files: tuple[File, ...]
    venv: str | None = None
    trusted: bool | None = None
    """Whether its author may see every hand of a duplicate deal; None in folders older than the key."""
    isolation: OwnIsolation | None = None
    """The bot's own isolation, which replaces the contest's."""
    network: bool | tuple[Words, ...] = False
    """The destinations that it may reach in a sandbox. True means any public one, false only its referee."""
    environment: tuple[Words, ...] = ()
    """The names of the organiser's variables that only this bot gets."""
    rating: tuple[float, float] | None = None
    """Mu and sigma of an anchor, which keeps them; None if the matches rate the bot."""
    model: ModelTerms | None = None
    """The language model that decides for it; None for any other bot, and in older folders."""


class IsolationTerms(ManifestPart):
    """The requested isolation of the contest. Each match stores its actual level."""

    level: LevelAsked
    memory_mib: int
    processes: int
    disk_mib: int
    image: Words | None


class Terms(ManifestPart):
    """All settings of the contest, without the seed's bytes. A resumed run must have the same.

    A new key must be null in older folders, so that the commitment to their terms stays the same.
    """

    seed: int | None
    format: FormatName
    seats: int
    deals: int
    tables: Ordinal
    fresh: bool = True
    """True in folders older than the key."""
    stakes: tuple[int, ...]
    schedule: ScheduleChoice
    rules: HouseRules
    clock: Clock
    max_faults: Ordinal
    isolation: IsolationTerms
    bots: tuple[BotTerms, ...]
    archive: bool | None = None
    """Whether the run folder keeps the bots' files; None if not."""
    baseline: Baseline | None = None
    """The method of measuring luck (`model.luck`); None in format `session` and in older folders."""

    @property
    def hash(self) -> str:
        """The SHA-256 of the terms as JSON."""
        return hash_of_json(self.model_dump(mode="json"))


class ClosedStage(ManifestPart):
    """A stage that ended because bots joined or left."""

    bots: tuple[BotTerms, ...]
    schedule: ScheduleChoice
    places: Count
    """The number of its matches that count in the contest."""
    missing: tuple[int, ...]
    """The numbers, in the contest, of those matches that were never finished."""


class Replaced(ManifestPart):
    """The former terms of bots whose files or commands were replaced before they played."""

    bots: tuple[BotTerms, ...]
    closed: Count
    """The number of stages that were closed at that time."""


class Seed(ManifestPart):
    """The master seed, as far as it is public."""

    note: Literal["practice seed, not secret", "secret until all matches are done", "was secret, revealed at the end"]
    commitment: Sha256
    """SHA-256 of the 32 bytes, in hexadecimal, published before the first card."""
    revealed: Sha256 | None
    """The 32 bytes in hexadecimal."""


class Manifest(ManifestPart):
    """The content of `manifest.json`."""

    manifest: Literal[1] = 1
    """The version of this format."""
    contest: Words
    versions: Versions
    ratings: RatingMethod | None = None
    """None if the run is older than this key."""
    seed: Seed
    terms: Terms
    """The current terms, with the current bots."""
    closed: tuple[ClosedStage, ...] = ()
    replaced: tuple[Replaced, ...] | None = None
    """The former terms of replaced bots, oldest first; None if no bot was replaced."""
    added: tuple[ScheduleChoice, ...] = ()
    """The adaptive rounds of the current bots (`runner.adaptive_rounds`); in a ladder's epoch, its rooms so far."""
    given_up: tuple[int, ...] = ()
    """In a ladder's epoch: the numbers of the rooms that were given up."""
    caps: tuple[ReachedCap, ...] | None = None
    """The caps that stopped language models, in this order; None if none did."""
    matches: Count
    """The number of matches of all stages, played or not."""
    finished: Count
    digest: Sha256 | None
    """SHA-256 over all records in schedule order; null until the last match is finished."""
    chain: Sha256
    """The hash chain over the finished matches up to the first gap (`storage.digest.Chain`)."""
    log: tuple[LogEntry, ...] = ()
    """The events of the run, oldest first. It is append-only, and empty in folders older than the key."""

    @property
    def chain_start(self) -> str:
        """The start of the chain: the commitment to the first terms or, in a run without a log, to the seed."""
        return self.log[0].terms if self.log else self.seed.commitment

    @property
    def log_head(self) -> str | None:
        """The hash of the log's last entry, which commits to all before it; None in a run without a log."""
        return self.log[-1].hash() if self.log else None

    @property
    def terms_hash(self) -> str:
        """The commitment to the current terms: the hash of the contest's name, the seed's commitment and the terms."""
        terms = self.terms.model_dump(mode="json")
        return hash_of_json({"contest": self.contest, "seed": self.seed.commitment, "terms": terms})

    @property
    def complete(self) -> bool:
        """Whether every match is finished and the standings are written."""
        return self.digest is not None

    @property
    def rated_as_now(self) -> bool:
        """Whether its standings and adaptive rounds come from a rating method that is computed here."""
        return self.ratings == self.computed_method

    @property
    def computed_method(self) -> RatingMethod:
        """The method that computes its ratings here."""
        return rating_method(self.anchors, self.rating_version)

    @property
    def rating_version(self) -> int:
        """The version of its rating method, or the current one if its own is no longer computed."""
        known = self.ratings.version if self.ratings else VERSION
        return known if known in COMPUTED_VERSIONS else VERSION

    @property
    def is_epoch(self) -> bool:
        """Whether this is an epoch of a ladder."""
        return self.terms.schedule.kind == "ladder"

    @property
    def rooms_called(self) -> int | None:
        """The number of rooms of a ladder's epoch so far; None for a contest."""
        return sum(len(pairing.line_ups or ()) for pairing in self.added) if self.is_epoch else None

    @property
    def bots_now(self) -> tuple[str, ...]:
        """The names of the current bots. In a ladder's epoch, these are all bots in its rooms."""
        if self.is_epoch:
            return tuple(dict.fromkeys(name for pairing in self.added for name in names_in(pairing)))
        return tuple(bot.name for bot in self.terms.bots)

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots that ever took part, in the order of the contest file. Bots that left come last."""
        return tuple(dict.fromkeys([*self.bots_now, *(bot.name for stage in self.closed for bot in stage.bots)]))

    @property
    def anchors(self) -> Anchors:
        """The anchors, in the order of the contest file, including bots that left."""
        given = {bot.name: bot.rating for bot in self._ever}
        return {bot: Rating(*rating) for bot, rating in given.items() if rating}

    @property
    def bot_files(self) -> tuple[File, ...]:
        """The files of all bots that ever took part."""
        return tuple(file for bot in self._ever for file in bot.files)

    @property
    def trusted(self) -> tuple[str, ...]:
        """The bots whose authors could see every hand of a deal, seating by seating."""
        if self.terms.format != "duplicate":
            return ()
        return tuple(dict.fromkeys(bot.name for bot in self._ever if bot.command is None or bot.network))

    @property
    def networks(self) -> dict[str, bool | tuple[str, ...]]:
        """The allowed destinations of each bot with a network."""
        return {bot.name: bot.network for bot in self._ever if bot.network}

    @property
    def own_levels(self) -> dict[str, Level]:
        """The isolation level of each bot that differs from the contest's."""
        own = {bot.name: bot.isolation.level for bot in self._ever if bot.isolation}
        return {bot: level for bot, level in own.items() if level and level != self.terms.isolation.level}

    @property
    def models(self) -> dict[str, ModelTerms]:
        """The language model of each bot that has one."""
        return {bot.name: bot.model for bot in self._ever if bot.model}

    @property
    def capped(self) -> dict[str, str]:
        """The cap that stopped each bot whose language model may make no more calls."""
        caps = {reached.model: reached.cap for reached in self.caps or ()}
        return {bot: caps[model.name] for bot, model in self.models.items() if model.name in caps}

    @property
    def _ever(self) -> list[BotTerms]:
        closed = (bot for stage in self.closed for bot in stage.bots)
        return [*self.terms.bots, *closed, *(bot for earlier in self.replaced or () for bot in earlier.bots)]

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages in the order of play; the last is the current one."""
        closed = [
            Closed(tuple(bot.name for bot in stage.bots), stage.schedule, stage.places, stage.missing)
            for stage in self.closed
        ]
        now, seats = self.bots_now, self.terms.seats
        if self.is_epoch:
            called = [
                Closed(now, pairing, matches_in(pairing, len(now), seats), self.given_up) for pairing in self.added
            ]
            return stages_of(called, (), (), seats)
        return stages_of(closed, now, (self.terms.schedule, *self.added), seats)

    @property
    def missing(self) -> frozenset[int]:
        """The numbers of matches that will never be played."""
        return frozenset(self.given_up).union(*(stage.missing for stage in self.closed))


def rating_method(anchors: Anchors, version: int = VERSION) -> RatingMethod:
    """Returns a version of the rating method, whose name says whether there are anchors."""
    return RatingMethod(method=ANCHORED_METHOD if anchors else METHOD, version=version)


def with_bots(bots: Iterable[BotTerms], others: Iterable[BotTerms]) -> tuple[BotTerms, ...]:
    """Returns these bots in order, with the `others` in place of bots with the same names."""
    by_name = {bot.name: bot for bot in others}
    return tuple(by_name.get(bot.name, bot) for bot in bots)
