"""The rules, practice and the wire, compiled, pass the same tests and write the same records."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from bourre.rules.house import PRESETS

PLAYED = ("r4_modes", "r5_play", "r6_cinch", "r7_settlement", "r8_policies", "r8_silent")
RULES = ("actions", "cards", "ordinal", "perft", *PLAYED)
SECRETS = "test_r1_2_a_seat_sees_the_same_when_two_cards_hidden_from_it_are_exchanged[0]"
WHOLE = ("legality.py::test_no_difference_at_the_defaults", f"secrets.py::{SECRETS}", "whole_matches.py")
PRACTICE = ("practice.py", "practice_async.py", "practice_mistakes.py", "record.py")
TABLE = ("bot_clock.py", "line.py", "table.py", "table_faults.py", "table_matches.py")
ROOM = ("room.py::test_the_digest_does_not_depend_on_the_number_of_tables[honest]",)
BOUNDED = [
    *[f"tests/sdk/rules/test_{name}" for name in (*(f"{rule}.py" for rule in RULES), *WHOLE)],
    *[f"tests/sdk/test_{name}" for name in (*PRACTICE, "codec.py")],
    *[f"tests/referee/server/test_{name}" for name in TABLE],
    *[f"tests/end_to_end/test_{name}" for name in ROOM],
]
"""The tests that compiled modules must pass each time; after `python3 dev.py compile`, all can be run."""
LEFT_OUT = (
    "tests/sdk/rules/test_perft.py::test_the_stored_counts_are_those_of_the_judge",  # who is not compiled
    "tests/sdk/test_codec.py::test_every_preset_is_heard_as_it_was_said",  # whose kinds another test covers
)


def build(root: Path, *options: str) -> None:
    """What `python3 dev.py compile` does to the clone."""
    command: list[str | Path] = [sys.executable, dev.ROOT / "compiling.py", root, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if "\nFix, on Debian and Ubuntu: apt-get install" in done.stderr:
        pytest.skip(" ".join(done.stderr.splitlines()))
    assert done.returncode == 0, done.stdout + done.stderr


def copied(source: Path, root: Path) -> Path:
    """A copy of both packages as in a clone, not compiled."""
    for package in dev.PACKAGES:
        shutil.copytree(source / package, root / package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return root


def told_by(root: Path, *module: str) -> str:
    """What a module of the tests prints when it uses the packages in this folder."""
    places = [str((root / package).parent) for package in dev.PACKAGES]
    command = [sys.executable, "-m", *module]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    done = subprocess.run(command, cwd=dev.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(900)  # a busy machine compiles for minutes
def test_compiled_modules_write_the_same_records_and_pass_the_same_tests(tmp_path: Path) -> None:
    """One test, so that one build suffices."""
    plain = copied(dev.ROOT, tmp_path / "plain")
    compiled = copied(plain, tmp_path / "compiled")
    build(compiled, "--unoptimized")
    assert {"rules", "practice", "codec", "server"} <= {module.parent.name for module in compiled.rglob("*.so")}

    kind, *digests = told_by(plain, "tests.sdk.rules.played").splitlines()
    compiled_kind, *compiled_digests = told_by(compiled, "tests.sdk.rules.played").splitlines()
    assert (kind, compiled_kind) == ("plain", "compiled")
    assert [line.split()[0] for line in digests] == list(PRESETS)
    assert compiled_digests == digests

    left_out = [f"--deselect={test}" for test in LEFT_OUT]
    told = told_by(compiled, "pytest", "-q", "-p", "no:cacheprovider", "--strict-skips", *left_out, *BOUNDED)
    assert " passed" in told

    build(compiled, "--remove")
    assert not list(compiled.rglob("*.so"))


@pytest.mark.parametrize("room", ["sdk/bourre/rules", "referee/bourre_referee/playing"])
def test_an_edited_source_takes_the_compiled_modules_away(
    room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    (tmp_path / room).mkdir(parents=True)
    source, module = tmp_path / room / "match.py", tmp_path / room / "match.so"
    source.touch()
    module.touch()
    os.utime(source, (1, 1))
    dev.drop_stale_build()
    assert module.exists()
    os.utime(source, (1, module.stat().st_mtime + 1))
    dev.drop_stale_build()
    assert not module.exists()
