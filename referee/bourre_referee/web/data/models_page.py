"""The data of the board of models, with how it was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre_referee.derived.model_groups import model_groups
from bourre_referee.statistics.model_board import ModelRow, model_board, model_plays
from bourre_referee.statistics.rule_following import ALL, FAULTS, RuleFollowing
from bourre_referee.storage.run.manifest import BotTerms, Manifest
from bourre_referee.storage.run.model_terms import ModelTerms
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.run_page import RunData


@dataclass(frozen=True, slots=True)
class ModelsData:
    """The board, best first."""

    rows: tuple[ModelRow, ...]
    """Empty if no bot reported usage, or while the seed is secret."""
    counted: bool
    """Whether the decisions have been counted."""
    manifest: Manifest

    @property
    def kinds(self) -> tuple[str, str]:
        """The columns of rule-following."""
        return ALL, FAULTS

    @property
    def seconds(self) -> tuple[float, float]:
        """The time for a decision and the reserve time of a match."""
        clock = self.manifest.terms.clock
        return clock.decision_ms / 1000, clock.bank_ms / 1000

    @property
    def terms(self) -> tuple[tuple[ModelTerms, tuple[str, ...]], ...]:
        """The models of the contest file, once each, with what else was special about them."""
        found = {bot.model.name: bot for bot in self.manifest.terms.bots if bot.model}
        return tuple((bot.model, tuple(self._conditions(bot))) for bot in found.values() if bot.model)

    def _conditions(self, bot: BotTerms) -> Iterator[str]:
        words = bot.command or ()
        if "--no-legal" in words:
            yield "no list of legal cards"
        if "--no-structured" in words:
            yield "no JSON schema"
        if bot.model and bot.model.on_trouble:
            yield "replayed if its server failed"
        if cap := self.manifest.capped.get(bot.name):
            yield f"stopped at {cap}"


def models_data(run: Run, data: RunData, following: Sequence[RuleFollowing] | None) -> ModelsData:
    """Returns the data of the page. `following` is that of its rows, None during the count."""
    usage = run.published_usage()
    plays = model_plays(data.standings.rows, data.results, model_groups(run), following or ()) if usage else ()
    return ModelsData(model_board(plays, usage), following is not None, run.manifest)
