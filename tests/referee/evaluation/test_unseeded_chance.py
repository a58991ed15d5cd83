"""Where a bot's file leaves decisions to chance that no seed repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.evaluation.unseeded_chance import unseeded_places


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import random\nDICE = random.SystemRandom()", ["line 2: random.SystemRandom has no seed"]),
        ("from random import Random as Dice\nDICE = Dice()", ["line 2: random.Random has no seed"]),
        ("import secrets\n\ndef play():\n    return secrets.choice([1])", ["line 4: secrets.choice has no seed"]),
        ("from os import urandom\nurandom(4)", ["line 2: os.urandom has no seed"]),
        (
            "import numpy as np\nnp.random.rand()\nnp.random.default_rng()",
            ["line 2: numpy.random.rand has no seed", "line 3: numpy.random.default_rng has no seed"],
        ),
        ("import numpy.random\nnumpy.random.randint(3)", ["line 2: numpy.random.randint has no seed"]),
        ("from numpy.random import default_rng\ndefault_rng()", ["line 2: numpy.random.default_rng has no seed"]),
        ("import random\nrandom.choice([1])\nrandom.Random(7)", []),
        (
            "import numpy as np\nnp.random.seed(7)\nnp.random.default_rng(7)\nnp.random.Generator(np.random.PCG64(7))",
            [],
        ),
        ("def urandom():\n    return 4\n\nurandom()\nview.rng.choice([1])", []),
        ("import time\nhand[time.time_ns() // 1000 % 5]", ["line 2: time.time_ns decides"]),
        ("from time import time as now\nint(now()) % 2", ["line 2: time.time decides"]),
        ("import random, time\nrandom.seed(int(time.time()))", ["line 2: time.time decides"]),
        ("import time\nend = time.perf_counter() + 0.5\nprint('%.1f s' % time.time())", []),
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
