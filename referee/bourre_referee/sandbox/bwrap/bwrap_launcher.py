"""The launcher of level `bwrap`: bots in boxes that bubblewrap makes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.model.spec import Entry, Limits
from bourre_referee.sandbox.bwrap.bwrap_command import box_command, dropping_command
from bourre_referee.sandbox.bwrap.bwrap_tools import Tools
from bourre_referee.sandbox.bwrap.visible_files import inside_of
from bourre_referee.sandbox.cgroup.bot_cgroup import Group, sweep
from bourre_referee.sandbox.cgroup.cgroup_mounts import GroupParent, find_group_parents
from bourre_referee.sandbox.launch import Credentials, InheritedFiles, Launch


@dataclass(frozen=True, slots=True)
class BoxLauncher:
    """Starts each bot in its own box."""

    limits: Limits
    tools: Tools
    is_root: bool
    parents: tuple[GroupParent, ...]
    """Where each bot gets a control group; without any, its processes are limited only one by one."""

    @classmethod
    def here(cls, limits: Limits) -> BoxLauncher:
        """Makes the launcher for this machine and user, and removes the groups of dead referees.

        Raises BoxMissing if a program is missing.
        """
        found = tuple(find_group_parents(limits))
        sweep(found)
        return cls(limits, Tools.here(), os.geteuid() == 0, found)

    def launch(self, entry: Entry, credentials: Credentials, inherited: InheritedFiles) -> Launch:
        """Returns how to start the bot in its box, under a supervisor."""
        # The folder above is closed to everybody else; in the box another user connects.
        credentials.socket.chmod(0o666)
        if credentials.proxy:
            credentials.proxy.chmod(0o666)
        inside = inside_of(entry, credentials, self.limits, inherited.add_sign())
        make_command = dropping_command if self.is_root else box_command
        command = make_command(inside, self.limits, self.tools, inherited)
        if not self.parents:
            return Launch(command, environment={}, folder=Path("/"))
        group = Group.make(self.parents)
        return Launch(group.enter_command(command), environment={}, folder=Path("/"), hold=group)
