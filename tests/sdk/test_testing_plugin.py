"""The plugin for pytest: what it adds, what a failure prints, and that it costs nothing if it is not used."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import dev
from bourre.rules.cards import Card
from bourre.rules.cards import parse_cards as cards
from bourre.testing import view, view_text
from bourre.testing.plugin import pytest_assertrepr_compare

GOOD = "from bourre import Bot\n\n\nclass Good(Bot):\n    pass\n"
CHEAT = "from bourre import Bot\n\n\nclass Cheat(Bot):\n    def play(self, view):\n        return view.hand[-1]\n"


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest there, with this plugin and no other."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "pytest", "-p", "bourre.testing.plugin", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "cheat.py").write_text(CHEAT)
    return tmp_path


def test_pytest_finds_the_plugin_where_this_package_is_installed() -> None:
    project = tomllib.loads((dev.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"bourre": "bourre.testing.plugin"}
    assert import_module("bourre.testing.plugin").pytest_addoption


def test_a_good_bot_passes_every_test(folder: Path) -> None:
    done = pytest_in(folder, "--bot", "good.py", "-v")
    assert done.returncode == 0, done.stdout
    assert "good.py::legal[booray] PASSED" in done.stdout
    assert "14 passed" in done.stdout


def test_a_bot_that_reneges_fails_and_is_told_why(folder: Path) -> None:
    done = pytest_in(folder, "--bot", "cheat.py:Cheat")
    assert done.returncode == 1
    assert "12 failed, 2 passed" in done.stdout
    assert "Cheat: play returned " in done.stdout
    assert "legality.py" not in done.stdout


def test_own_tests_may_use_the_bot(folder: Path) -> None:
    (folder / "test_own.py").write_text(
        "from bourre.testing import view\n\n\ndef test_it(bot):\n"
        "    seen = view(\"play hand='AS KH 2C' trick=QH trump=S\")\n    assert bot.play(seen) in seen.legal\n"
    )
    assert "1 passed" in pytest_in(folder, "--bot", "good.py", "test_own.py", "-k", "test_it").stdout
    done = pytest_in(folder, "--bot", "cheat.py", "test_own.py", "-k", "test_it")
    assert "assert AS in KH" in done.stdout
    assert "run `pytest --bot FILE`" in pytest_in(folder, "test_own.py").stdout


def test_no_such_file_is_told(folder: Path) -> None:
    done = pytest_in(folder, "--bot", "nobody.py")
    assert done.returncode == 4
    assert "--bot nobody.py: No file" in done.stderr
    assert "Traceback" not in done.stderr


SEEN = view("play hand='AS KH 2C' trump=S")
OTHER = view("play hand='AS KH 2C' trump=S", pot="30", discarded="3S", drawn="1 2 2 2")


@pytest.mark.parametrize(
    ("left", "op", "right", "says"),
    [
        (cards("AS KH"), "==", cards("KH 2C"), ["AS KH == KH 2C", "only on the left: AS", "only on the right: 2C"]),
        (cards("AS KH"), "==", cards("KH AS"), ["AS KH == KH AS", "the same cards in another order"]),
        ([Card("AS")], "==", cards("AS"), ["AS == AS", "one is a list, the other a tuple"]),
        (Card("AS"), "==", Card("KH"), ["AS == KH"]),
        (Card("AS"), "in", cards("KH 2C"), ["AS in KH 2C"]),
        (Card("AS"), "not in", cards("AS 2C"), ["AS not in AS 2C"]),
        (cards("AS KH"), "!=", cards("AS KH"), None),
        ([1, 2], "==", [1, 3], None),
    ],
)
def test_cards_read_well(pytestconfig: pytest.Config, left: object, op: str, right: object, says: object) -> None:
    assert pytest_assertrepr_compare(pytestconfig, op, left, right) == says


def test_of_two_views_only_what_differs_is_told(pytestconfig: pytest.Config) -> None:
    heading, *differences, left, right = pytest_assertrepr_compare(pytestconfig, "==", SEEN, OTHER) or []
    assert heading == "two views that differ"
    assert {line.partition(":")[0] for line in differences} == {"pot", "balances", "drawn", "discarded"}
    assert {"pot: 4 != 30", "discarded: () != 3S"} <= set(differences)
    assert (left, right) == (f'left:  view("{view_text(SEEN)}")', f'right: view("{view_text(OTHER)}")')


def test_a_run_that_does_not_use_it_imports_nothing_of_it(folder: Path) -> None:
    (folder / "test_own.py").write_text(
        "import sys\n\n\ndef test_it():\n"
        "    loaded = {name for name in sys.modules if name.startswith('bourre')}\n"
        "    assert loaded == {'bourre', 'bourre.aliases', 'bourre.testing', 'bourre.testing.plugin'}\n"
        "    assert 'grpc' not in sys.modules\n"
    )
    done = pytest_in(folder, "test_own.py")
    assert done.returncode == 0, done.stdout
