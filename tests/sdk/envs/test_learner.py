"""The example that learns: it moves towards what was gained, and what it stores plays legally."""

from __future__ import annotations

import importlib.util
import shutil
import tomllib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import dev
from bourre.practice import practice
from bourre_referee.contest.contest_file import load
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.runner.contest_run import run


@pytest.fixture
def learner(tmp_path: Path) -> ModuleType:
    """The example, in a folder of its own for its weights."""
    copy = Path(shutil.copy(dev.ROOT / "examples/learner/learner.py", tmp_path))
    spec = importlib.util.spec_from_file_location("learner_in_test", copy)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_learning_moves_towards_what_was_gained(learner: ModuleType) -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(64, 5))
    gained = rows[:, 0] - rows[:, 1]
    weights = [rng.normal(0, 0.05, shape) for shape in ((5, 16), (16,), (16,), (1,))]
    squares = [np.zeros_like(weight) for weight in weights]
    before = np.square(learner.expect(weights, rows)[0] - gained).mean()
    for _ in range(300):
        learner.learn(weights, squares, rows, gained, 0.005)
    assert np.square(learner.expect(weights, rows)[0] - gained).mean() < before / 10


def test_what_was_trained_plays_without_a_fault(learner: ModuleType) -> None:
    learner.train(0.005)
    result = practice([learner.Learner, "drawer", "tight"], deals=40, seed=1)
    assert (result.bots[0].faults, result.bots[0].reneges) == (0, 0)
    assert learner.WEIGHTS.is_file()


def test_its_contest_takes_the_weights_along(learner: ModuleType) -> None:
    """Boxed bots see only their files."""
    contest = tomllib.loads((dev.ROOT / "examples/learner/contest.toml").read_text())
    assert contest["bots"][0]["files"] == ["learner.py", learner.WEIGHTS.name]


@pytest.mark.long
def test_what_was_trained_plays_in_its_contest(learner: ModuleType, tmp_path: Path) -> None:
    learner.train(0.005)
    text = (dev.ROOT / "examples/learner/contest.toml").read_text()
    short = text.replace("deals = 100", "deals = 2").replace("../", f"{dev.ROOT / 'examples'}/")
    (tmp_path / "contest.toml").write_text(f"{short}\n[clock]\nstart_ms = 60000\ndecision_ms = 60000\n")
    rows = standings_of(run(load(tmp_path / "contest.toml"), tmp_path / "run", jobs=1)).rows
    assert {row.bot: (row.faults, row.house_deals) for row in rows} == dict.fromkeys(
        ("learner", "drawer", "counter"), (0, 0)
    )
