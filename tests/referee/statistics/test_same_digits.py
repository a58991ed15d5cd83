"""The figures of the field model have the same digits whatever adds them up: kernels of OpenBLAS, vector units."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

FIGURES = """
import hashlib
import numpy as np
from bourre_referee.statistics.field_model import FieldBlocks, fit
from bourre_referee.statistics.pair_tests import compare_pairs

state = 1
def draw(most):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % most

def line_up(bots, seats):
    left = list(range(bots))
    return [left.pop(draw(len(left))) for _ in range(seats)]

tables = []
for seats, matches in ((3, 41), (5, 200), (8, 30)):
    bots = np.array([line_up(23, seats) for _ in range(matches)])
    chips = np.array([[(draw(2001) - 1000) / 7 for _ in range(seats)] for _ in range(matches)])
    tables.append(FieldBlocks(bots, chips))
model = fit(tables, 23)
tests = compare_pairs(model, 0.035)
whole = hashlib.sha256()
for figures in (model.effects, model.variance, model.skewness, model.freedom, tests.apart):
    whole.update(np.ascontiguousarray(figures).tobytes())
print(whole.hexdigest())
"""

KNOWN = "a166eafbdc9ba46cd447949f099d5dee09aa4b2add95eb55b5f17d3a1425bdd9"
"""The hash of these figures on every machine. A change of it changes published effects in their last digits."""


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "1"},
        {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "2"},
        {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX2 FMA3"},
    ],
    ids=["as it is", "an old kernel", "a newer kernel", "without vector units"],
)
def test_the_figures_do_not_depend_on_what_adds_them_up(environment: dict[str, str]) -> None:
    assert said_by(FIGURES, environment) == KNOWN


@pytest.mark.long
def test_the_figures_do_not_depend_on_the_version_of_numpy(tmp_path: Path) -> None:
    older = ("numpy==2.0.*; python_version < '3.13'", "numpy==2.3.*; python_version >= '3.13'")
    subprocess.run((sys.executable, "-m", "pip", "--quiet", "install", "--target", tmp_path, *older), check=True)
    environment = {"PYTHONPATH": str(tmp_path)}
    assert said_by("import numpy; print(numpy.__version__)", environment) != np.__version__
    assert said_by(FIGURES, environment) == KNOWN


def said_by(program: str, environment: dict[str, str]) -> str:
    """Runs a Python program with these variables, and returns what it prints."""
    command, variables = (sys.executable, "-c", program), os.environ | environment
    return subprocess.run(command, env=variables, check=True, capture_output=True, text=True).stdout.strip()
