"""Imports go one way, and cost only what they must."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dev
from bourre_referee.cli.app import GROUPS, HOMES

RULES = sorted((dev.ROOT / "sdk/bourre/rules").glob("**/*.py"))
ALL_RULES = [
    ".".join(path.relative_to(dev.ROOT / "sdk").with_suffix("").parts) for path in RULES if path.stem != "__init__"
]
REFEREE = dev.ROOT / "referee/bourre_referee"
COMPUTED = [*RULES]
COMPUTED += (
    path
    for box in ("ladder/log", "ladder/matchmaking", "contest/schedule", "ratings", "statistics")
    for path in sorted((REFEREE / box).rglob("*.py"))
    if path.name not in ("log_file.py", "shared_log.py")
)
"""Packages whose results do not depend on when and where they are computed."""
MACHINE = {"datetime", "os", "platform", "random", "secrets", "socket", "time", "uuid"}
HEAVY = {"asyncio", "google.protobuf", "grpc", "rich", "sqlmodel", "trueskill", "typer"}


def loaded_by(statement: str, *arguments: str, check: bool = True) -> set[str]:
    """The modules that a fresh interpreter loads for this statement, beyond those it starts with.

    The list goes to stderr, because stdout belongs to the statement.
    """
    show = "print(*set(sys.modules) - first, file=sys.stderr)"
    program = f"import sys\nfirst = set(sys.modules)\ntry: {statement}\nfinally: {show}"
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, check=check, capture_output=True, text=True)
    return set(done.stderr.split())


def imports_of(path: Path) -> Iterator[str]:
    """Every name that a file imports, in full: `random.Random`, `bourre.rules.cards.Card`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_contracts_of_pyproject_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=dev.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_rules_load_the_standard_library_only() -> None:
    loaded = loaded_by(f"import {', '.join(ALL_RULES)}")
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names == {"bourre"}
    assert not loaded & HEAVY


def test_what_is_computed_asks_no_clock_no_chance_and_no_environment() -> None:
    """A `Random` is an argument, or made from a seed that is; the module's own is never used."""
    assert asked_by(COMPUTED, {"random.Random"}) == []


def test_a_board_is_handed_its_times() -> None:
    """Times are the host's word, so a board may hold them, but never asks a clock."""
    board = sorted((REFEREE / "ladder/board").glob("*.py"))
    assert asked_by(board, {"datetime.datetime", "datetime.timedelta"}) == []
    nodes = [(path.name, node) for path in board for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    called = [(name, node.attr) for name, node in nodes if isinstance(node, ast.Attribute)]
    assert [pair for pair in called if pair[1] in {"now", "today", "utcnow"}] == []


def asked_by(paths: list[Path], allowed: set[str]) -> list[tuple[str, str]]:
    """What these files import of the machine, beyond what they may."""
    assert len(paths) > 4
    imported = [(path.name, name) for path in paths for name in imports_of(path)]
    return [pair for pair in imported if pair[1].partition(".")[0] in MACHINE and pair[1] not in allowed]


def test_importing_bourre_costs_no_wire() -> None:
    assert not loaded_by("import bourre") & HEAVY


def test_a_bot_loads_neither_the_rules_of_a_deal_nor_events_before_it_needs_them() -> None:
    loaded = loaded_by("from bourre import Bot, run")
    assert not loaded & {"bourre.rules.deal", "bourre.rules.events", "bourre.codec.wire_events", "random", "difflib"}
    assert not loaded & {"pathlib", "urllib"}


@pytest.mark.parametrize("follows", [True, False])
def test_a_bot_that_follows_events_loads_them_before_its_first_decision(follows: bool) -> None:
    """It dials for no time at all, so no referee can have sent any."""
    methods = "{'on_event': print}" if follows else "{}"
    playing = f"play(type('Mine', (Bot,), {methods}), 'unix:/nowhere', 'token', 0)"
    loaded = loaded_by(
        f"import asyncio; from bourre.connection.client import Bot, play; asyncio.run({playing})", check=False
    )
    assert "bourre.connection.client" in loaded
    assert ("bourre.rules.events" in loaded) is follows


@pytest.mark.parametrize("package", ["sdk/bourre", "sdk/bourre_seats", "sdk/bourre_lab", "referee/bourre_referee"])
def test_no_two_files_of_a_package_share_a_name(package: str) -> None:
    """A file of a command bears the command's name, whatever other files are called."""
    commands = {home.rpartition(".")[2] for home in (*HOMES.values(), *GROUPS.values())}
    modules = [path for path in (dev.ROOT / package).rglob("*.py") if not path.name.startswith("__")]
    own = [path for path in modules if not {"v1", "bots", "starters"} & set(path.parts)]
    names = [path.stem for path in own if path.parent != REFEREE / "cli" or path.stem not in commands]
    assert [name for name in sorted({*names}) if names.count(name) > 1] == []


def test_no_two_classes_share_a_name() -> None:
    paths = [path for root in ("sdk", "referee") for path in (dev.ROOT / root).rglob("*.py")]
    own = [path for path in paths if not {"v1", "bots", "examples", "starters"} & set(path.parts)]
    trees = [ast.parse(path.read_text("utf-8")) for path in own]
    classes = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [name for name in sorted({*classes}) if classes.count(name) > 1 and not name.startswith("_")] == []
