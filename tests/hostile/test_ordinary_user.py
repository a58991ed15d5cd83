"""Boxes that an ordinary user makes hold what root's hold: the same attacks on them end with the same verdicts."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

import pytest

from bourre_referee.diagnostics.attacks.attack_room import is_on_sandbox, names, verdict_of
from bourre_referee.model.spec import Level
from tests.end_to_end.ordinary_user import ordinary_command
from tests.hostile.sample import ORDINARY, unless_long

ATTACKS = [name for name in names() if is_on_sandbox(name) and Level.BWRAP in verdict_of(name, Level.BWRAP).levels]
TRY = """
import asyncio, json, os, sys, time
from bourre_referee.diagnostics.attacks.arena import Arena
from bourre_referee.diagnostics.attacks.trial import try_covert_ways, try_one
from bourre_referee.model.spec import Isolation, Level
assert os.geteuid()
isolation = Isolation(Level.BWRAP)
with Arena() as arena:
    for attack in map(str.strip, sys.stdin):
        covert = asyncio.run(try_covert_ways(isolation)) if attack == "covert" else ()
        for trial in covert or [try_one(arena, attack, isolation, time.monotonic() + 300)]:
            print(json.dumps([trial.judgement, trial.told]), flush=True)
"""


class Attacker:
    """A process of an ordinary user that attacks its own boxes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def attack(self, attack: str) -> list[str]:
        """Tries an attack, and returns its judgement and what happened."""
        print(attack, file=self._process.stdin, flush=True)
        return self._judged()

    def talk(self) -> list[list[str]]:
        """Returns what came of talking by covert ways across a room, and later."""
        return [self.attack("covert"), self._judged()]

    def _judged(self) -> list[str]:
        assert self._process.stdout is not None
        judged: list[str] = json.loads(self._process.stdout.readline())
        return judged


@pytest.fixture(scope="module")
def attacker() -> Iterator[Attacker]:
    command, environment = ordinary_command("-c", TRY)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Attacker(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.timeout(400)
@pytest.mark.parametrize("attack", [pytest.param(attack, marks=unless_long(attack, ORDINARY)) for attack in ATTACKS])
def test_an_ordinary_users_box_holds_what_roots_holds(attack: str, attacker: Attacker) -> None:
    judgement, told = attacker.attack(attack)
    assert judgement == "held", told


@pytest.mark.long  # test_covert.py tries root's boxes in every run
def test_bots_in_boxes_of_an_ordinary_user_hear_nothing_of_each_other(attacker: Attacker) -> None:
    """The way that is open to all boxes is open here too, and later as well: an ordinary user has no control groups."""
    for judgement, told in attacker.talk():
        assert judgement in ("held", "open"), told
