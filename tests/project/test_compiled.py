"""The rules, practice and the wire, compiled, pass the same tests and write the same records."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

import dev
import setting_up
from bourre.rules.house import PRESETS
from hatch_build import find_obstacle
from tests.project.wheel_build import build_isolated_wheel, build_wheel, unpack

PLAYED = ("r1_to_r4", "r5_r6_positions", "r7_settlement", "r8_renege", "scenes")
RULES = ("actions", "cards", "deck", "perft", *PLAYED)
SECRETS = "test_r1_2_a_seat_sees_the_same_when_two_cards_hidden_from_it_are_exchanged[0]"
WHOLE = ("legality.py::test_no_difference_at_the_defaults", f"secrets.py::{SECRETS}", "whole_matches.py")
PRACTICE = ("practice.py", "practice_async.py", "practice_mistakes.py", "record.py")
TABLE = ("bot_clock.py", "connection.py", "table_faults.py", "table_matches.py")
ROOM = ("room.py::test_the_digest_does_not_depend_on_the_number_of_tables[honest]",)
BOUNDED = [
    *[f"tests/sdk/rules/test_{name}" for name in (*(f"{rule}.py" for rule in RULES), *WHOLE)],
    *[f"tests/sdk/test_{name}" for name in (*PRACTICE, "bot.py", "codec.py", "init.py")],
    *[f"tests/referee/server/test_{name}" for name in TABLE],
    *[f"tests/end_to_end/test_{name}" for name in ROOM],
    "tests/referee/evaluation/test_transcript.py",  # a plain class made from a compiled one
]
"""The tests that compiled modules must pass with --long; `python3 dev.py compile pytest` runs all."""
CLONE = [(dev.ROOT / package).parent for package in setting_up.PACKAGES]
LEFT_OUT = (
    "tests/sdk/rules/test_perft.py::test_the_stored_counts_are_those_of_the_judge",  # who is not compiled
    "tests/sdk/test_codec.py::test_every_preset_is_heard_as_it_was_said",  # whose kinds another test covers
)
SEATED = 4
"""How many bots of the demo play."""
DEMO_IN_ONE_ROOM = {
    "\nseats = 7": f"\ntables = 8\nseats = {SEATED}",
    "\ndeals = 20": "\ndeals = 3",
    "\nrounds = 4": "\nrounds = 1",
    "\nstart_ms = 10000": "\nstart_ms = 60000",
    "\ndecision_ms = 1000": "\ndecision_ms = 60000",
}
"""Lines of the demo's contest file, and what replaces them."""
PLAIN_RULES = {
    "__init__",
    "actions",
    "card",
    "compiled_class",
    "errors",
    "house",
    "lint",
    "markup",
    "sentences",
    "view",
}
"""Value classes, and what no game calls (research/where-time-goes.md)."""


@pytest.fixture(scope="session")
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the compiled wheel installs, built with --long where no extra is installed."""
    if missing := find_obstacle():
        pytest.skip(missing)
    build = build_isolated_wheel if request.config.getoption("long") else build_wheel
    return unpack(build(tmp_path_factory.mktemp("compiled"), BOURRE_COMPILE="yes", MYPYC_OPT_LEVEL="0"))


def told_by(places: list[Path], *module: str) -> str:
    """What a module of the tests prints when it runs on the packages in these folders."""
    command = [sys.executable, "-m", *module]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*places, dev.ROOT / "benchmarks"]))}
    done = subprocess.run(command, cwd=dev.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(900)  # a busy machine compiles for minutes
def test_the_compiled_wheel_is_for_this_python_and_platform_only(compiled: Path) -> None:
    (wheel,) = compiled.parent.glob("*.whl")
    (tag,) = parse_wheel_filename(wheel.name)[3]
    assert tag in sys_tags()
    assert (tag.interpreter, tag.abi) == (f"cp{sys.version_info[0]}{sys.version_info[1]}",) * 2
    assert {"rules", "practice", "codec", "server"} <= {module.parent.name for module in compiled.rglob("*.so")}
    assert all((module.parent / f"{module.name.split('.')[0]}.py").is_file() for module in modules_in(compiled))
    assert len(modules_in(compiled)) == len(sources())


def modules_in(site: Path) -> list[Path]:
    """The extension modules that have a source."""
    return [path for path in site.rglob("*.so") if not path.name.startswith("compiled__mypyc")]


def sources() -> list[str]:
    """What is compiled; imported late, because its list comes with the compiler."""
    from compiling import COMPILED, PACKAGES

    return [f"{PACKAGES[top]}/{name}.py" for top, names in COMPILED.items() for name in names]


def test_only_values_among_the_rules_stay_plain() -> None:
    rules = {path.relative_to(dev.ROOT).as_posix() for path in (dev.ROOT / "sdk/bourre/rules").glob("*.py")}
    assert {Path(plain).stem for plain in rules - {*sources()}} == PLAIN_RULES


def test_what_is_compiled_and_what_tries_it_is_there() -> None:
    tests = [test.partition("::")[0] for test in (*BOUNDED, *LEFT_OUT)]
    assert [name for name in (*sources(), *tests) if not (dev.ROOT / name).is_file()] == []


@pytest.mark.timeout(900)
def test_compiled_modules_write_the_same_records(compiled: Path) -> None:
    kind, *digests = told_by(CLONE, "tests.sdk.rules.played").splitlines()
    compiled_kind, *compiled_digests = told_by([compiled], "tests.sdk.rules.played").splitlines()
    assert (kind, compiled_kind) == ("plain", "compiled")
    assert [line.split()[0] for line in digests] == list(PRESETS)
    assert compiled_digests == digests


@pytest.mark.timeout(900)
def test_a_compiled_contest_has_the_same_digest(compiled: Path, tmp_path: Path) -> None:
    """The first bots of the demo, all at each of eight tables, so that one process of each plays the whole contest."""
    shutil.copytree(dev.ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("node_modules"))
    demo = (tmp_path / "examples/contest.toml").read_text()
    for old, new in DEMO_IN_ONE_ROOM.items():
        assert old in demo
        demo = demo.replace(old, new)
    terms, *bots = demo.split("[[bots]]\n")
    (tmp_path / "examples/contest.toml").write_text("[[bots]]\n".join([terms, *bots[:SEATED]]))
    manifests = [contest_played_by(places, tmp_path) for places in (CLONE, [compiled])]
    assert [manifest["versions"]["build"] for manifest in manifests] == ["plain Python", "compiled"]
    assert manifests[0]["digest"] == manifests[1]["digest"] is not None


def contest_played_by(places: list[Path], folder: Path) -> Any:
    """The manifest of the contest in this folder, played by the packages in these folders."""
    words = ["run", f"{folder}/examples/contest.toml", "--fresh", "--out", f"{folder}/run"]
    told_by(places, "bourre_referee", *words)
    return json.loads((folder / "run/manifest.json").read_text())


@pytest.mark.long  # records and digests tell in every run that compiled modules play alike
@pytest.mark.timeout(900)
def test_compiled_modules_pass_the_same_tests(compiled: Path) -> None:
    left_out = [f"--deselect={test}" for test in LEFT_OUT]
    told = told_by([compiled], "pytest", "-q", "-p", "no:cacheprovider", "--strict-skips", *left_out, *BOUNDED)
    assert " passed" in told
    assert f"These tests ran {compiled}/bourre/rules/match.cpython" in told
