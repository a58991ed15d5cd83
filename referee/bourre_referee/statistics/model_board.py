"""The board of models: skill, rule-following and costs side by side. Repeats of one model are one row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bourre.notes import MILLIONTHS, Usage
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Block,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.statistics.rule_following import RuleFollowing
from bourre_referee.statistics.standing import Standing

Groups = Mapping[str, tuple[str, ...]]
"""The bots of each row, by the row's name: the repeats of a model, or one bot."""


@dataclass(frozen=True, slots=True)
class ModelPlay:
    """How well one model played, with all its repeats."""

    name: str
    bots: tuple[str, ...]
    deals: int
    """The deals of all its repeats together."""
    skill: Estimate | None
    """Its chips per 100 deals, in format `duplicate` less the luck of the draw. None for a no-show."""
    spread: tuple[float, float] | None
    """The lowest and the highest of its repeats' chips per 100 deals. None without repeats."""
    following: RuleFollowing | None


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One row of the board. None stands for what is unknown: a bot without usage, or without chips won."""

    play: ModelPlay
    calls_per_100: float | None
    """The calls for 100 deals."""
    tokens_per_100: float | None
    """The tokens sent and received for 100 deals."""
    cost_per_100: float | None
    """The units of money for 100 deals."""
    cost_per_100_chips: float | None
    """The units of money for 100 chips won. None if it is not sure that it wins chips."""


def model_plays(
    rows: Sequence[Standing], results: Sequence[MatchResult], groups: Groups, following: Sequence[RuleFollowing]
) -> tuple[ModelPlay, ...]:
    """Returns the play of each group, best first, no-shows last. `following` has the groups' names."""
    standings, rules = {row.bot: row for row in rows}, {one.bot: one for one in following}
    plays = [
        _play(name, [standings[bot] for bot in bots], results, rules.get(name))
        for name, bots in groups.items()
        if bots and standings.keys() >= {*bots}
    ]
    return tuple(sorted(plays, key=lambda play: -play.skill.chips_per_100 if play.skill else float("inf")))


def model_board(plays: Sequence[ModelPlay], usage: Mapping[str, Usage]) -> tuple[ModelRow, ...]:
    """Returns a row for each play, with its costs; none if no bot reported usage."""
    return tuple(_row(play, usage) for play in plays) if usage else ()


def _play(
    name: str, rows: Sequence[Standing], results: Sequence[MatchResult], following: RuleFollowing | None
) -> ModelPlay:
    played = [row for row in rows if row.rank is not None]
    single = [_skill(results, {row.bot}).chips_per_100 for row in played] if len(played) > 1 else []
    return ModelPlay(
        name=name,
        bots=tuple(row.bot for row in rows),
        deals=sum(row.deals for row in rows),
        skill=_skill(results, {row.bot for row in played}) if played else None,
        spread=(min(single), max(single)) if single else None,
        following=following,
    )


def _skill(results: Sequence[MatchResult], bots: set[str]) -> Estimate:
    """Estimates the chips per 100 deals of these bots together. Repeats at one table are in one block."""
    luckless = all(match.blocks for match in results)
    parts = (results[0].unit if results else 1) * (ADJUSTED_PARTS if luckless else 1)
    return estimate_per_100(_blocks(results, bots, luckless), parts)


def _blocks(results: Sequence[MatchResult], bots: set[str], luckless: bool) -> Iterator[Block]:
    find = adjusted_blocks_of if luckless else blocks_of
    for match in results:
        seats = [find(match, number) for number, seat in enumerate(match.seats) if seat.bot in bots]
        for blocks in zip(*seats, strict=True):
            yield Block(sum(block.chips for block in blocks), sum(block.deals for block in blocks))


def _row(play: ModelPlay, usage: Mapping[str, Usage]) -> ModelRow:
    found = [usage[bot] for bot in play.bots if bot in usage]
    if not found or not play.deals:
        return ModelRow(play, None, None, None, None)
    cost = sum(used.cost_millionths for used in found) / MILLIONTHS
    cost_per_100 = 100 * cost / play.deals if cost else None
    won = play.skill.chips_per_100 if play.skill and play.skill.ci95 and play.skill.ci95[0] > 0 else None
    return ModelRow(
        play=play,
        calls_per_100=100 * sum(used.calls for used in found) / play.deals,
        tokens_per_100=100 * sum(used.tokens_in + used.tokens_out for used in found) / play.deals,
        cost_per_100=cost_per_100,
        cost_per_100_chips=100 * cost_per_100 / won if cost_per_100 and won else None,
    )
