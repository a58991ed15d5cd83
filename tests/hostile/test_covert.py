"""A bot tries to talk to a friend across a room, and to itself across seatings: by no way does a bit come through.

What remains, by time and by counts that every program sees, is measured by benchmarks/covert_rates.py.
"""

from __future__ import annotations

import asyncio

import pytest

from bourre_referee.diagnostics.attacks.attack_room import why_unavailable
from bourre_referee.diagnostics.attacks.covert_talker import LASTING, OPEN, WAYS
from bourre_referee.diagnostics.attacks.covert_trial import MESSAGE, Heard, talk_across, talk_later
from bourre_referee.model.spec import Isolation, Level, Limits
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.cgroup.cgroup_mounts import find_group_parents

WHY_NOT = why_unavailable(Isolation(Level.BWRAP))
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=str(WHY_NOT))


@pytest.fixture(scope="module")
def across(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Heard]:
    """What a friend heard, by way."""
    place = tmp_path_factory.mktemp("across")
    heard = asyncio.run(talk_across(BoxLauncher.here(Limits()), place, WAYS))
    return {each.way: each for each in heard}


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Heard]:
    """What the same bot heard in its next box, by way."""
    place = tmp_path_factory.mktemp("later")
    heard = asyncio.run(talk_later(BoxLauncher.here(Limits()), place, (*LASTING, *OPEN)))
    return {each.way: each for each in heard}


@pytest.mark.parametrize("way", WAYS)
def test_a_friend_across_the_room_hears_nothing(way: str, across: dict[str, Heard]) -> None:
    assert across[way].is_deaf, f"{across[way].right} of {len(MESSAGE)} bits came through: {across[way].heard}"


@pytest.mark.parametrize("way", [*LASTING, *OPEN])
def test_a_bot_remembers_nothing_in_its_next_box(way: str, later: dict[str, Heard]) -> None:
    if way in OPEN and not find_group_parents(Limits()):
        pytest.skip("this host has no control groups, which forget what a bot read: see `bourre doctor`")
    assert later[way].is_deaf, f"{later[way].right} of {len(MESSAGE)} bits came through: {later[way].heard}"
