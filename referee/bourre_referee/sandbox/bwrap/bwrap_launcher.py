"""Level `bwrap`: bots in boxes that bubblewrap makes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import Entry, Limits
from bourre_referee.sandbox.bwrap.bwrap_command import box_command, dropping_command
from bourre_referee.sandbox.bwrap.bwrap_content import inside_of
from bourre_referee.sandbox.bwrap.bwrap_tools import Tools
from bourre_referee.sandbox.cgroup.bot_cgroup import Group, sweep
from bourre_referee.sandbox.cgroup.cgroup_mounts import Place, places
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch


@dataclass(frozen=True, slots=True)
class BoxLauncher:
    """Starts each bot in a box of its own."""

    limits: Limits
    tools: Tools
    is_root: bool
    places: tuple[Place, ...]
    """Where each bot gets a control group; without any, its processes are limited one by one only."""

    @classmethod
    def here(cls, limits: Limits) -> BoxLauncher:
        """For this machine and user, groups of dead referees swept away; BoxMissing where a program is missing."""
        found = tuple(places(limits))
        sweep(found)
        return cls(limits, Tools.here(), os.geteuid() == 0, found)

    def launch(self, entry: Entry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """The bot in its box, on a lifeline."""
        # The folder above is closed to everybody else; in the box another user dials.
        credentials.socket.chmod(0o666)
        inside = inside_of(entry, credentials, self.limits, inherited.add_sign())
        walls = dropping_command if self.is_root else box_command
        command = walls(inside, self.limits, self.tools, inherited)
        if not self.places:
            return Launch(command, environment={}, folder=Path("/"))
        group = Group.make(self.places)
        return Launch(group.entering(command), environment={}, folder=Path("/"), hold=group)
