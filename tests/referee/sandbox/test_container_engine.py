"""The names of containers show whether the process that started them is still alive."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bourre_referee.sandbox.container.container_engine import is_orphan, new_name

NEW_NAME = "from bourre_referee.sandbox.container.container_engine import new_name; print(new_name())"


def test_names_differ_and_their_owner_lives() -> None:
    assert new_name() != new_name()
    assert not is_orphan(new_name())


def test_a_container_whose_starter_has_ended_is_an_orphan() -> None:
    name = subprocess.run([sys.executable, "-c", NEW_NAME], capture_output=True, text=True, check=True).stdout.strip()
    assert is_orphan(name)


def test_a_later_process_of_the_same_id_owns_nothing_of_the_former() -> None:
    prefix, namespace, process, started, random = new_name().split("-")
    assert process == str(os.getpid())
    assert is_orphan("-".join((prefix, namespace, process, str(int(started) - 1), random)))


@pytest.mark.parametrize("name", ["", "mysql", "bourre-web", "bourre-1-2-3-", "xbourre-1-2-3-aa"])
def test_other_names_are_nobodys_orphans(name: str) -> None:
    assert not is_orphan(name)


def test_processes_of_elsewhere_cannot_be_judged() -> None:
    prefix, namespace, *rest = new_name().split("-")
    assert not is_orphan("-".join((prefix, str(int(namespace) + 1), "999999999", *rest[1:])))
