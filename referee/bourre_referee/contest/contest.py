"""A contest as its file describes it, after all checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from shlex import join

from bourre.rules.house import HouseRules
from bourre_referee.contest.isolation_choice import IsolationAsked
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.model.listener_spec import Listen
from bourre_referee.model.network import Network
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotEntry, BotSpec, Clock, OwnIsolation


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as the contest file enters it; paths are relative to the file's folder, as written."""

    name: str
    command: tuple[str, ...] | None
    """None if its author starts it and it connects."""
    files: tuple[str, ...]
    """Its files and folders, which are hashed so that a change is noticed."""
    venv: str | None = None
    """The environment of its `python`; None means that of this program."""
    trusted: bool = False
    """Whether its author, whom it can tell, may see every hand of a deal in format `duplicate`."""
    isolation: OwnIsolation = field(default_factory=OwnIsolation)
    network: Network | None = None
    environment: tuple[str, ...] = ()
    """The variables of the organiser's environment that it alone gets, by name."""
    rating: tuple[float, float] | None = None
    """The mu and sigma that it keeps, as an anchor of the scale; None if its matches decide."""
    files_by_default: bool = False
    """Whether nobody listed its files."""

    @property
    def check_command(self) -> tuple[str, ...]:
        """The words of `bourre check` that start it as the contest does, in the folder of the contest file."""
        words = self.command or ()
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
        """Returns the bot as rooms name it; `folder` is that of its files within the contest's or ladder's."""
        return BotSpec(
            name=self.name,
            command=self.command,
            folder=folder,
            files=self.files,
            venv=self.venv,
            isolation=self.isolation,
            network=self.network,
            environment=self.environment,
        )

    def entry(self, folder: Path) -> BotEntry:
        """Returns how to start it on this machine; `python` is its environment's, or else this program's."""
        return Site(folder, folder).entry(self.spec())


@dataclass(frozen=True, slots=True)
class Contest:
    """Everything that decides how a contest is played, apart from a secret seed."""

    name: str
    seed: int | None
    """A public practice seed; None means that a secret one is drawn."""
    seats: int
    deals: int
    """The deals of each match."""
    format: str
    tables: int
    """The number of tables a room plays at once; it affects no result."""
    stakes: tuple[int, ...]
    """The stakes from which the seed draws what every seat pays before a deal; only in format `duplicate`."""
    house: HouseRules
    schedule: ScheduleChoice
    clock: Clock
    max_faults: int
    entrants: tuple[Entrant, ...]
    folder: Path
    """The absolute folder of the contest file."""
    isolation: IsolationAsked = field(default_factory=IsolationAsked)
    listen: Listen = field(default_factory=Listen)
    """Where the bots connect that their authors start; it affects no result."""
    fresh: bool = True
    """Whether a match at a single table has processes of its own; False keeps them for matches of the same bots."""
    archive: bool = False
    """Whether the run folder keeps a copy of the bots' files."""
    doubts: tuple[str, ...] = ()
    """Combinations of its house rules that are playable but hardly intended."""

    @property
    def entries(self) -> tuple[BotEntry, ...]:
        """The bots as this machine starts them."""
        return tuple(entrant.entry(self.folder) for entrant in self.entrants)

    @property
    def remote_bots(self) -> tuple[str, ...]:
        """The names of the bots that their authors start."""
        return tuple(entrant.name for entrant in self.entrants if entrant.command is None)

    @property
    def names(self) -> tuple[str, ...]:
        """The bots' names in the order of the file."""
        return tuple(entrant.name for entrant in self.entrants)
