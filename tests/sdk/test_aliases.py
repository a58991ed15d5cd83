"""Former names of modules that moved: one module under two names."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from bourre.aliases import MOVED


@pytest.mark.parametrize(("former", "now"), MOVED.items())
def test_a_module_that_moved_is_found_under_its_former_name(former: str, now: str) -> None:
    assert import_module(former) is import_module(now)


def test_a_module_inside_a_package_that_moved_is_never_loaded_twice() -> None:
    from bourre_lab.envs import observation

    assert import_module("bourre.envs.observation") is observation


def test_other_names_are_none_of_its_business() -> None:
    assert find_spec("bourre.attic") is None
    assert find_spec("bourre.envs.attic") is None
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'bourre\.attic'"):
        import_module("bourre.attic")


@pytest.mark.parametrize("program", ["bourre.mcp", "bourre.models", "bourre.models.stand_in", "bourre.seat"])
def test_a_program_that_moved_starts_under_its_former_name(program: str) -> None:
    done = subprocess.run([sys.executable, "-m", program, "--help"], check=True, capture_output=True, text=True)
    assert done.stdout.startswith(f"usage: python -m bourre_seats.{program.removeprefix('bourre.')}")
