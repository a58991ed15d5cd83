"""Where a bot's file takes random numbers that no seed repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.evaluation.start_trial import unseeded_places


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import random\nDICE = random.SystemRandom()", ["line 2: random.SystemRandom"]),
        ("from random import Random as Dice\nDICE = Dice()", ["line 2: random.Random"]),
        ("import secrets\n\ndef play():\n    return secrets.choice([1])", ["line 4: secrets.choice"]),
        ("from os import urandom\nurandom(4)", ["line 2: os.urandom"]),
        (
            "import numpy as np\nnp.random.rand()\nnp.random.default_rng()",
            ["line 2: numpy.random.rand", "line 3: numpy.random.default_rng"],
        ),
        ("import numpy.random\nnumpy.random.randint(3)", ["line 2: numpy.random.randint"]),
        ("from numpy.random import default_rng\ndefault_rng()", ["line 2: numpy.random.default_rng"]),
        ("import random\nrandom.choice([1])\nrandom.Random(7)", []),
        (
            "import numpy as np\nnp.random.seed(7)\nnp.random.default_rng(7)\nnp.random.Generator(np.random.PCG64(7))",
            [],
        ),
        ("def urandom():\n    return 4\n\nurandom()\nview.rng.choice([1])", []),
        ("this is no Python", []),
        ("\0", []),
        ("a" + ".b" * 100_000 + "()", []),
        ("-" * 100_000 + "1", []),
    ],
)
def test_only_sources_without_a_seed_are_found(tmp_path: Path, text: str, found: list[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    assert list(unseeded_places(file)) == [f"mine.py, {place}" for place in found]
