"""The top level of the SDK: what it exports, and that nothing is loaded before it is used."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bourre

SOURCE = ast.parse(Path(bourre.__file__).read_text("utf-8"))


def modules_after(statement: str) -> set[str]:
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def typed_imports() -> dict[str, str]:
    """What a type checker sees: each name and the module that it comes from."""
    found = {}
    checking = (node for node in SOURCE.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
    for node in (inner for block in checking for inner in block.body):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("bourre"):
            found.update({alias.name: node.module for alias in node.names})
    return found


@pytest.mark.parametrize("name", bourre.__all__)
def test_every_name_is_what_its_module_calls_so(name: str) -> None:
    home = importlib.import_module(typed_imports()[name])
    assert getattr(bourre, name) is getattr(home, name)


def test_the_type_checker_is_told_of_every_name() -> None:
    assert sorted(typed_imports()) == sorted(bourre.__all__)


def test_a_name_that_is_not_there_is_an_error_in_the_usual_words() -> None:
    with pytest.raises(AttributeError, match="module 'bourre' has no attribute 'Crad'"):
        bourre.Crad  # type: ignore[attr-defined]  # noqa: B018


def test_dir_tells_every_name() -> None:
    assert set(bourre.__all__) <= set(dir(bourre))


def test_a_card_loads_rules_only() -> None:
    loaded = modules_after("import bourre; bourre.Card")
    assert {name for name in loaded if name.startswith("bourre.")} - {"bourre.compiled__mypyc"} == {
        "bourre.aliases",
        "bourre.rules",
        "bourre.rules.card",
        "bourre.rules.cards",
        "bourre.rules.errors",
    }


def test_bots_samples_and_practice_load_neither_wire_nor_event_loop() -> None:
    loaded = modules_after("import bourre; bourre.Bot, bourre.sample_deals; from bourre.practice import practice")
    assert "bourre.sampling" in loaded
    assert not loaded & {"grpc", "google.protobuf", "asyncio"}


COLLECTIONS = "sum(generation['collections'] for generation in gc.get_stats())"
LOADS = f"""
import gc
import bourre
before = {COLLECTIONS}
bourre.run
print({COLLECTIONS} - before < 3, gc.isenabled(), gc.get_freeze_count() > 0)
"""


@pytest.mark.parametrize(("first", "enabled"), [("", True), ("import gc; gc.disable()", False)])
def test_loading_collects_no_garbage_and_leaves_the_collector_as_it_was(first: str, enabled: bool) -> None:
    assert printed(f"{first}\n{LOADS}") == f"True {enabled} False"


def test_only_a_bots_process_sets_aside_what_it_has_loaded() -> None:
    assert printed(LOADS, BOURRE_ADDRESS="unix:nowhere") == "True True True"


def test_what_a_bots_class_holds_is_closed_at_its_exit(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    bot = f"class Diary(Bot):\n  log = open({str(log)!r}, 'w')\nDiary.log.write('played')"
    printed(f"from bourre import Bot, run\n{bot}", BOURRE_ADDRESS="unix:nowhere")
    assert log.read_text() == "played"


def printed(program: str, **variables: str) -> str:
    """What a program prints that has these environment variables as well."""
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment)
    return done.stdout.strip()
