"""The rows of the board of models in a run."""

from __future__ import annotations

from bourre_referee.statistics.model_board import Groups
from bourre_referee.storage.run.run import Run


def model_groups(run: Run) -> Groups:
    """Returns the bots of each row."""
    return {bot: (bot,) for bot in run.bots}
