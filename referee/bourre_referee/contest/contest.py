"""A contest as its file describes it, after all checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from shlex import join

from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.language_model import Caps, LanguageModel
from bourre_referee.model.listener_spec import Listen
from bourre_referee.model.network import Network
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotEntry, BotSpec, Clock, OwnIsolation


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the contest file. Its paths are relative to the file's folder, as written."""

    name: str
    command: tuple[str, ...] | None
    """None for a remote bot, which its author starts."""
    files: tuple[str, ...]
    """Its files and folders. The run stores their hashes to detect changes."""
    venv: str | None = None
    """The environment of its `python`; None means this program's environment."""
    trusted: bool = False
    """Whether it may play a duplicate although it can show its author every hand of a deal."""
    isolation: OwnIsolation = field(default_factory=OwnIsolation)
    network: Network | None = None
    environment: tuple[str, ...] = ()
    """The names of the organiser's variables that only this bot gets."""
    rating: tuple[float, float] | None = None
    """Mu and sigma of an anchor, which keeps them; None if the matches rate the bot."""
    files_by_default: bool = False
    """Whether the contest file lists no files for it."""
    model: LanguageModel | None = None
    """The language model that decides for it; None for any other bot."""

    @property
    def check_command(self) -> tuple[str, ...]:
        """The `bourre check` command that starts it as the contest does, in the folder of the contest file."""
        words = (self.command or ()) + (self.model.server_words if self.model else ())
        if words == ("python", *self.files) and len(words) == 2 and "/" not in words[1]:
            return ("bourre", "check", *self.files)
        return (
            "bourre",
            "check",
            "--command",
            join(words),
            *(word for file in self.files for word in ("--files", file)),
        )

    def spec(self, folder: str = "") -> BotSpec:
        """Returns its description for rooms. `folder` has its files, and is relative to the contest or ladder."""
        return BotSpec(
            name=self.name,
            command=self.command,
            folder=folder,
            files=self.files,
            venv=self.venv,
            isolation=self.isolation,
            network=self.network,
            environment=self.environment,
            is_model=self.model is not None,
            voids_trouble=self.model is not None and self.model.voids_trouble,
        )

    def entry(self, folder: Path) -> BotEntry:
        """Returns how to start it on this machine, with the `python` of its environment or of this program."""
        return Site(folder, folder).entry(self.spec())


@dataclass(frozen=True, slots=True)
class Contest:
    """All settings of a contest, without a secret seed."""

    name: str
    seed: int | None
    """The public practice seed; None means that the referee draws a secret one."""
    seats: int
    deals: int
    """The deals of each match."""
    format: str
    tables: int
    """The number of tables that a room plays at once. It affects no result."""
    stakes: tuple[int, ...]
    """Only for duplicates: the seed draws one of these stakes for each deal, and every seat pays it."""
    house: HouseRules
    schedule: ScheduleChoice
    clock: Clock
    max_faults: int
    entrants: tuple[Entrant, ...]
    folder: Path
    """The absolute folder of the contest file."""
    isolation: IsolationAsked = field(default_factory=IsolationAsked)
    listen: Listen = field(default_factory=Listen)
    """Where remote bots connect. It affects no result."""
    fresh: bool = True
    """Whether each single-table match starts new bot processes; otherwise the same line-up reuses them."""
    archive: bool = False
    """Whether the run folder keeps a copy of the bots' files."""
    model_caps: Caps = field(default_factory=Caps)
    """What all language models together may use."""
    doubts: tuple[str, ...] = ()
    """Warnings about combinations of house rules that are playable but probably not intended."""

    @property
    def entries(self) -> tuple[BotEntry, ...]:
        """The bots as this machine starts them."""
        return tuple(entrant.entry(self.folder) for entrant in self.entrants)

    @property
    def has_models(self) -> bool:
        """Whether language models play."""
        return any(entrant.model for entrant in self.entrants)

    @property
    def remote_bots(self) -> tuple[str, ...]:
        """The names of the remote bots."""
        return tuple(entrant.name for entrant in self.entrants if entrant.command is None)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' names in the order of the file."""
        return tuple(entrant.name for entrant in self.entrants)
