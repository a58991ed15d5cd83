"""A bot tries to talk to a friend across a room, and to itself across seatings: by no way does a bit come through.

What remains, by time and by counts that every program sees, is measured by benchmarks/covert_rates.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest

from bourre_referee.diagnostics.attacks.attack_room import why_unavailable
from bourre_referee.diagnostics.attacks.covert_talker import LASTING, OPEN, WAYS
from bourre_referee.diagnostics.attacks.covert_trial import MESSAGE, Heard, talk_across, talk_later
from bourre_referee.model.spec import Isolation, Level, Limits
from bourre_referee.sandbox.bwrap.bwrap_launcher import BoxLauncher
from bourre_referee.sandbox.cgroup.cgroup_mounts import find_group_parents


@pytest.fixture(autouse=True, scope="module")
def boxes() -> None:
    """Skips these tests on a machine that makes no boxes."""
    if why_not := why_unavailable(Isolation(Level.BWRAP)):
        pytest.skip(why_not)


def came_through(heard: Collection[Heard]) -> list[str]:
    """What was heard by each way that is no wall."""
    return [f"{one.way}: {one.right} of {len(MESSAGE)} bits: {one.heard}" for one in heard if not one.is_deaf]


def test_a_friend_across_the_room_hears_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("across")
    heard = asyncio.run(talk_across(BoxLauncher.here(Limits()), place, WAYS))
    assert {one.way for one in heard} == {*WAYS}
    assert came_through(heard) == []


def test_a_bot_remembers_nothing_in_its_next_box(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("later")
    heard = asyncio.run(talk_later(BoxLauncher.here(Limits()), place, (*LASTING, *OPEN)))
    assert {one.way for one in heard} == {*LASTING, *OPEN}
    assert came_through([one for one in heard if one.way not in OPEN]) == []
    if not find_group_parents(Limits()):
        pytest.skip("this host has no control groups, which forget what a bot read: see `bourre doctor`")
    assert came_through(heard) == []
