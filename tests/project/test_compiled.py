"""The rules and practice compiled: the same files, which pass the same tests and write the same records."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from bourre.rules.house import PRESETS

RULES = ("actions", "cards", "perft", "r4_modes", "r5_play", "r6_cinch", "r7_settlement", "r8_policies", "r8_silent")
WHOLE = ("legality.py::test_no_difference_at_the_defaults", "secrets.py", "whole_matches.py")
PRACTICE = ("practice.py", "practice_async.py", "practice_mistakes.py", "record.py")
BOUNDED = [
    *[f"tests/rules/test_{name}" for name in (*(f"{rule}.py" for rule in RULES), *WHOLE)],
    *[f"tests/sdk/test_{name}" for name in PRACTICE],
]
"""The tests that compiled modules must pass each time; after `python3 dev.py compile`, all can be run."""


def build(folder: Path, *options: str) -> None:
    """What `python3 dev.py compile` does to `sdk`."""
    command: list[str | Path] = [sys.executable, dev.ROOT / "sdk/compile_rules.py", folder, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if "\nMend, on Debian and Ubuntu: apt-get install" in done.stderr:
        pytest.skip(" ".join(done.stderr.splitlines()))
    assert done.returncode == 0, done.stdout + done.stderr


def told_by(sdk: Path, *module: str) -> str:
    """What a module of the tests prints when it runs on the rules in this folder."""
    environment = os.environ | {"PYTHONPATH": str(sdk)}
    command = [sys.executable, "-m", *module]
    done = subprocess.run(command, cwd=dev.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(900)  # a busy machine compiles for minutes
def test_compiled_rules_write_the_same_records_and_pass_the_same_tests(tmp_path: Path) -> None:
    """One test, for the sake of one build."""
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    plain = shutil.copytree(dev.ROOT / "sdk", tmp_path / "plain", ignore=ignored)
    compiled = shutil.copytree(plain, tmp_path / "compiled")
    build(compiled)

    kind, *digests = told_by(plain, "tests.rules.played").splitlines()
    compiled_kind, *compiled_digests = told_by(compiled, "tests.rules.played").splitlines()
    assert (kind, compiled_kind) == ("plain", "compiled")
    assert [line.split()[0] for line in digests] == list(PRESETS)
    assert compiled_digests == digests

    told = told_by(compiled, "pytest", "-q", "-p", "no:cacheprovider", "--strict-skips", *BOUNDED)
    assert " passed" in told

    build(compiled, "--remove")
    assert not list(compiled.rglob("*.so"))


def test_an_edited_source_takes_the_compiled_rules_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    rules = tmp_path / "sdk/bourre/rules"
    rules.mkdir(parents=True)
    source, module = rules / "match.py", rules / "match.so"
    source.touch()
    module.touch()
    os.utime(source, (1, 1))
    dev.drop_stale_build()
    assert module.exists()
    os.utime(source, (1, module.stat().st_mtime + 1))
    dev.drop_stale_build()
    assert not module.exists()
