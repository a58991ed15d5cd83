"""Level `none`: a plain process of the same user, for bots that are trusted."""

from __future__ import annotations

import os
import sys

from bourre_referee.model.spec import Entry
from bourre_referee.sandbox import supervisor as lifeline
from bourre_referee.sandbox.launch import Launch, Papers, Ticket, told

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""Of the referee's environment a bot is told where programs and the home are, and nothing else."""


class PlainLauncher:
    """Starts bots with nothing around them."""

    def launch(self, entry: Entry, ticket: Ticket, papers: Papers) -> Launch:
        """The bot on a lifeline, in its folder."""
        assert entry.command is not None
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return Launch(
            command=(sys.executable, "-IS", lifeline.__file__, *entry.command),
            environment={**passed_on, **told(f"unix:{ticket.socket}", ticket.token)},
            folder=entry.folder,
        )
