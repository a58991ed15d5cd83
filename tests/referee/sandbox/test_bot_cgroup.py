"""Control groups: where they are created, with which limits, and that none remains; on a tree of plain files."""

import os
from pathlib import Path

import pytest

from bourre_referee.model.spec import Limits
from bourre_referee.sandbox.cgroup.bot_cgroup import Group, sweep
from bourre_referee.sandbox.cgroup.cgroup_mounts import LEAF, GroupParent, find_group_parents

LIMITS = Limits(memory_mib=100, processes=20, disk_mib=8)
MEMORY, PROCESSES = str((100 + 8 + 32) * 1024 * 1024), "28"


def first_form(tmp_path: Path, *kinds: str) -> tuple[Path, Path]:
    root, own = tmp_path / "cgroup", tmp_path / "own"
    for kind in kinds:
        (root / kind / "us").mkdir(parents=True)
    own.write_text("".join(f"{number}:{kind}:/us\n" for number, kind in enumerate(kinds)) + "0::/\n")
    return root, own


def second_form(tmp_path: Path, controllers: str = "cpu io memory pids", processes: str = "") -> tuple[Path, Path]:
    root, own = tmp_path / "cgroup", tmp_path / "own"
    (root / "us" / LEAF).mkdir(parents=True)
    (root / "cgroup.controllers").write_text("cpu memory pids")
    (root / "us" / "cgroup.controllers").write_text(controllers)
    (root / "us" / "cgroup.procs").write_text(processes or str(os.getpid()))
    own.write_text("0::/us\n")
    return root, own


def test_the_first_form_has_a_hierarchy_for_each_limit(tmp_path: Path) -> None:
    root, own = first_form(tmp_path, "memory", "pids", "cpu", "freezer")
    (root / "memory" / "us" / "memory.memsw.limit_in_bytes").touch()
    memory = (("memory.limit_in_bytes", MEMORY), ("memory.memsw.limit_in_bytes", MEMORY))
    assert find_group_parents(LIMITS, root, own) == [
        GroupParent(root / "memory" / "us", memory, "memory.oom_control", ("memory.force_empty", "0")),
        GroupParent(root / "pids" / "us", (("pids.max", PROCESSES),)),
        GroupParent(root / "cpu" / "us", (("cpu.cfs_quota_us", "100000"), ("cpu.cfs_period_us", "100000"))),
    ]


@pytest.mark.parametrize("kinds", [("memory",), ("pids", "cpu"), ()])
def test_half_the_limits_are_none(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    assert find_group_parents(LIMITS, *first_form(tmp_path, *kinds)) == []
    assert find_group_parents(LIMITS, tmp_path, tmp_path / "none") == [], "nor has a system without groups any"


def test_the_second_form_has_one_group_for_all(tmp_path: Path) -> None:
    root, own = second_form(tmp_path)
    (root / "us" / LEAF / "memory.swap.max").touch()
    (place,) = find_group_parents(LIMITS, root, own)
    assert place.folder == root / "us"
    assert dict(place.limits) == {
        "memory.max": MEMORY,
        "pids.max": PROCESSES,
        "memory.swap.max": "0",
        "cpu.max": "100000 100000",
    }
    assert (root / "us" / LEAF / "cgroup.procs").read_text() == str(os.getpid())
    assert (root / "us" / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"


def test_a_worker_of_a_referee_that_moved_uses_the_group_above(tmp_path: Path) -> None:
    root, own = second_form(tmp_path)
    own.write_text(f"0::/us/{LEAF}\n")
    assert find_group_parents(LIMITS, root, own) == [], "the move was all that was done"
    (root / "us" / "cgroup.subtree_control").write_text("cpu memory pids")
    assert [place.folder for place in find_group_parents(LIMITS, root, own)] == [root / "us"]


def test_a_referee_that_may_hand_nothing_on_moves_back(tmp_path: Path) -> None:
    root, own = second_form(tmp_path, processes=f"{os.getpid()}\n")
    (root / "us" / "cgroup.subtree_control").mkdir()  # just as unwritable as without permission
    assert find_group_parents(LIMITS, root, own) == []
    assert (root / "us" / LEAF / "cgroup.procs").read_text() == str(os.getpid())
    assert (root / "us" / "cgroup.procs").read_text() == str(os.getpid()), "written anew"


@pytest.mark.parametrize(
    ("controllers", "processes"),
    [("cpu io", ""), ("memory pids", f"{os.getpid()} 1")],
    ids=["without what we need", "with another process in it"],
)
def test_nobody_elses_group_is_changed(tmp_path: Path, controllers: str, processes: str) -> None:
    root, own = second_form(tmp_path, controllers, processes)
    assert find_group_parents(LIMITS, root, own) == []
    assert not (root / "us" / "cgroup.subtree_control").exists()


def test_a_group_has_its_limits_and_says_when_it_went_over(tmp_path: Path) -> None:
    place = GroupParent(tmp_path, (("memory.max", "7"), ("pids.max", "9")), "memory.events")
    group = Group.make([place])
    (folder,) = group.folders
    assert folder.name.startswith(f"bourre-{os.getpid()}-")
    assert ((folder / "memory.max").read_text(), (folder / "pids.max").read_text()) == ("7", "9")
    assert not group.went_over()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 0\noom_group_kill 4\n")
    assert not group.went_over()
    (folder / "memory.events").write_text("oom 1\noom_kill 2\n")
    assert group.went_over()


def test_what_a_bot_was_the_first_to_read_leaves_the_cache_with_it(tmp_path: Path) -> None:
    group = Group.make([GroupParent(tmp_path, (), empty=("memory.reclaim", "7"))])
    group.release()
    assert (group.folders[0] / "memory.reclaim").read_text() == "7"


def test_only_groups_of_dead_referees_are_swept(tmp_path: Path) -> None:
    (living,) = Group.make([GroupParent(tmp_path, ())]).folders
    reused = tmp_path / f"bourre-{os.getpid()}-1-abcd"
    others = tmp_path / "bourre-of-another-kind"
    for folder in (reused, others):
        folder.mkdir()
    sweep([GroupParent(tmp_path, ())])
    assert set(tmp_path.iterdir()) == {living, others}


def test_a_group_that_cannot_be_limited_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such"):
        Group.make([GroupParent(tmp_path, (("no such/file", "1"),))])
    assert list(tmp_path.iterdir()) == []
