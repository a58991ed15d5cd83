"""Makes contests at tables of five to try the field model on: who meets whom, and what the matches come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.random import Generator
from session_bank import SEATS, Array, Bank, Indices, centred, places_of

from bourre_referee.contest.schedule import round_robin_tables
from bourre_referee.contest.schedule.gauntlet import gauntlet

Play = Callable[[Indices], Array]
"""Plays matches, given their line-ups in ascending order: the chips per 100 deals of each bot."""
Field = Callable[[Generator], Play]
"""Makes the bots of one contest."""
Design = Callable[[Play, Generator], "Iterator[Part]"]
"""Decides who meets whom, in one part or after each part anew."""


@dataclass(frozen=True, slots=True)
class Part:
    """Matches of a contest."""

    line_ups: Indices
    chips: Array


def play_contest(field: Field, design: Design, dice: Generator) -> Part:
    """Plays a whole contest."""
    parts = list(design(field(dice), dice))
    return Part(np.concatenate([part.line_ups for part in parts]), np.concatenate([part.chips for part in parts]))


# Who meets whom


def balanced(bots: int, matches: int) -> Design:
    """A round robin."""

    def design(play: Play, dice: Generator) -> Iterator[Part]:
        yield _part(play, dice.permutation(bots)[_tables(bots, matches)])

    return design


def late_and_leaving(bots: int, matches: int) -> Design:
    """A quarter of the bots enters after half the matches, and another quarter leaves."""
    few = bots // 4

    def design(play: Play, dice: Generator) -> Iterator[Part]:
        names = dice.permutation(bots)
        yield _part(play, names[few:][_tables(bots - few, matches // 2)])
        yield _part(play, names[: bots - few][_tables(bots - few, matches - matches // 2)])

    return design


def worst_leave(bots: int, matches: int) -> Design:
    """After half the matches, the quarter of the bots with the least effects leaves."""

    def design(play: Play, dice: Generator) -> Iterator[Part]:
        first = _part(play, dice.permutation(bots)[_tables(bots, matches // 2)])
        yield first
        left = dice.permutation(ranking_of([first], bots)[: bots - bots // 4])
        yield _part(play, left[_tables(len(left), matches - matches // 2)])

    return design


def gauntlet_of(bots: int, rounds: int) -> Design:
    """One bot sits at every table."""

    def design(play: Play, dice: Generator) -> Iterator[Part]:
        yield _part(play, dice.permutation(bots)[_gauntlet_tables(bots, rounds)])

    return design


def adaptive(bots: int, matches: int) -> Design:
    """After half the matches, the upper and the lower five of the ranking so far meet."""

    def design(play: Play, dice: Generator) -> Iterator[Part]:
        parts = [_part(play, dice.permutation(bots)[_tables(bots, matches // 2)])]
        for _ in range((matches - matches // 2) // 2):
            ranking = ranking_of(parts, bots)
            parts.append(_part(play, np.array([ranking[:SEATS], ranking[-SEATS:]])))
        yield from parts

    return design


def by_strength(bots: int, matches: int) -> Design:
    """Each match is between five neighbours of the ranking so far, one of whom has played least."""

    def design(play: Play, dice: Generator) -> Iterator[Part]:
        parts: list[Part] = []
        played = np.zeros(bots)
        for _ in range(matches):
            ranking = ranking_of(parts, bots) if parts else dice.permutation(bots)
            place = int(np.argmin(played[ranking] + dice.random(bots) / 2))
            first = min(max(0, place - int(dice.integers(SEATS))), bots - SEATS)
            parts.append(_part(play, ranking[None, first : first + SEATS]))
            played[parts[-1].line_ups] += 1
        yield from parts

    return design


def _part(play: Play, line_ups: Indices) -> Part:
    line_ups = np.sort(line_ups, axis=1)
    return Part(line_ups, play(line_ups))


@cache
def _tables(bots: int, matches: int) -> Indices:
    return np.array(round_robin_tables(bots, SEATS, matches, b"").line_ups)


@cache
def _gauntlet_tables(bots: int, rounds: int) -> Indices:
    return np.array(gauntlet(bots, SEATS, rounds, 0, b"").line_ups)


def ranking_of(parts: list[Part], bots: int) -> Indices:
    """Returns the bots by their effects so far, the best first."""
    line_ups = np.concatenate([part.line_ups for part in parts])
    chips = np.concatenate([part.chips for part in parts])
    present = (line_ups[:, :, None] == np.arange(bots)).any(axis=1).astype(float)
    gram = np.diag(present.sum(axis=0)) - present.T @ present / SEATS
    target = np.bincount(line_ups.ravel(), centred(chips).ravel(), bots)
    return np.argsort(-(np.linalg.pinv(gram, hermitian=True) @ target), kind="stable")


# What matches come to


def drawn(bank: Bank, deals: int = 1) -> Field:
    """Draws real matches, or duplicate matches of so many deals."""
    return lambda dice: lambda line_ups: np.mean([bank.draw(line_ups, dice) for _ in range(deals)], axis=0)


def drawn_at_one_table(bank: Bank) -> Field:
    """Draws real duplicate deals of one line-up."""

    def field(dice: Generator) -> Play:
        deals = bank.chips[dice.integers(len(bank.chips))]
        return lambda line_ups: deals[dice.integers(len(deals), size=len(line_ups))]

    return field


def normal(truth: Array) -> Field:
    """Adds normal noise to true effects. The scales of the bots differ by up to 3."""
    scales = np.linspace(1, 3, len(truth))
    return lambda dice: lambda line_ups: truth[line_ups] + scales[line_ups] * dice.standard_normal(line_ups.shape)


def exponential(truth: Array) -> Field:
    """Adds centred exponential noise, whose long tail is a gain for one half of the bots and a loss for the other."""
    scales = np.linspace(1, 3, len(truth)) * (-1.0) ** np.arange(len(truth))
    return lambda dice: (
        lambda line_ups: truth[line_ups] + scales[line_ups] * (dice.standard_exponential(line_ups.shape) - 1)
    )


def circular(bots: int, size: float) -> Field:
    """Each bot beats the next half of a circle, so that an odd number of bots are equal on average."""
    ahead = (np.arange(bots) - np.arange(bots)[:, None]) % bots
    gains = size * np.where(ahead == 0, 0.0, np.where(2 * ahead < bots, 1.0, -1.0))
    return lambda dice: lambda line_ups: gains[line_ups[:, :, None], line_ups[:, None, :]].sum(axis=2)


def moody(bots: int, size: float) -> Field:
    """Each bot gains or loses about `size` by line-up, as chance decides, and nothing over all line-ups."""
    every = np.array(list(combinations(range(bots), SEATS)))
    weight = comb(bots - 1, SEATS - 1) - (comb(bots - 1, SEATS - 1) - comb(bots - 2, SEATS - 2)) / SEATS

    def field(dice: Generator) -> Play:
        gains = centred(dice.choice([-size, size], every.shape))
        effects = np.bincount(every.ravel(), gains.ravel(), bots) / weight
        gains = gains - centred(effects[every])
        return lambda line_ups: gains[places_of(line_ups, bots)]

    return field


def both(one: Field, other: Field) -> Field:
    """Adds up two fields."""

    def field(dice: Generator) -> Play:
        plays = one(dice), other(dice)
        return lambda line_ups: plays[0](line_ups) + plays[1](line_ups)

    return field
