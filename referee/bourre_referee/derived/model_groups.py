"""The rows of the board of models in a run."""

from __future__ import annotations

from bourre_referee.statistics.model_board import Groups
from bourre_referee.storage.run.run import Run


def model_groups(run: Run) -> Groups:
    """Returns the bots of each row. The repeats of a model are one, unless a bot has its name."""
    models = {bot.name: bot.model.name for bot in run.manifest.terms.bots if bot.model}
    groups: dict[str, tuple[str, ...]] = {}
    for bot in run.bots:
        name = models.get(bot, bot)
        row = bot if name in run.bots else name
        groups[row] = (*groups.get(row, ()), bot)
    return groups
