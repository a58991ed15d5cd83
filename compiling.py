"""Compiles the rules, and the path of a decision in practice and over the wire: `python compiling.py ROOT OUT`.

mypyc makes extension modules from the same files that Python reads. ROOT has `sdk` and `referee`, as a clone does. The
modules go to OUT, never next to their sources, where they would hide later edits. `hatch_build.py` runs this.
MYPYC_OPT_LEVEL=0 compiles in a quarter of the time, to test the result.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from mypyc.build import mypycify
from setuptools import setup  # type: ignore[import-untyped]

PACKAGES = {"bourre": "sdk/bourre", "bourre_lab": "sdk/bourre_lab", "bourre_referee": "referee/bourre_referee"}
"""The folder of each package."""
_RULES = (
    "before_play",
    "card_play",
    "cards",
    "deal",
    "deal_setup",
    "deck",
    "draft",
    "match",
    "pot",
    "trick_play",
    "tricks",
    "visibility",
)
_PRACTICE = (
    "bot_code/decisions",
    "practice/practice_table",
    "practice/seat",
    "record/counters",
    "record/record_text",
    "record/recorder",
)
_CODEC = ("bundles", "replies", "view_writer", "wire_events", "wire_words")
_ENVS = ("action_space", "episode", "features")
_SERVER = ("ask_batching", "bot_clock", "connection", "single_messages", "table", "table_logs")
COMPILED = {
    "bourre": (
        *[f"rules/{name}" for name in _RULES],
        *_PRACTICE,
        *[f"codec/{name}" for name in _CODEC],
        "connection/bot_tables",
    ),
    "bourre_lab": tuple(f"envs/{name}" for name in _ENVS),
    "bourre_referee": tuple(f"server/{name}" for name in _SERVER),
}
"""The modules that become faster. Small value classes stay plain (research/where-time-goes.md). `single_messages` is
there so that the bench compares two compiled rooms: only compiled code can change a compiled class, so it ships."""
OPTIONS = (
    "--follow-imports=silent",
    "--no-site-packages",
    "--ignore-missing-imports",
    "--explicit-package-bases",
    "--config-file=",
    "--cache-dir=types",
)
"""Types come from the modules that the compiled ones import, and from no installed package. So every environment
that can compile makes the same modules."""
LIBRARY = "compiled"
"""The module, inside the package, with all its compiled code."""


def compile_modules(root: Path, out: Path, opt_level: str) -> None:
    """Translates and compiles at this `-O` level of the C compiler, and discards the intermediate files."""
    with TemporaryDirectory() as scratch:
        os.chdir(scratch)  # mypyc names a module after its path as given
        for package, place in PACKAGES.items():
            Path(package).symlink_to(root / place)
        compiled = {package: [f"{package}/{name}.py" for name in names] for package, names in COMPILED.items()}
        wanted = [path for paths in compiled.values() for path in paths]
        modules = mypycify(
            [*OPTIONS, *wanted],
            only_compile_paths=wanted,
            target_dir="code",
            opt_level=opt_level,
            debug_level="0",
            separate=[(paths, f"{package}.{LIBRARY}") for package, paths in compiled.items()],
        )
        places = ["--build-lib", str(out), "--build-temp", "objects"]
        setup(name="bourre-compiled", ext_modules=modules, script_args=["--quiet", "build_ext", *places])


if __name__ == "__main__":
    root, out = [Path(place).resolve() for place in sys.argv[1:]]
    compile_modules(root, out, os.environ.get("MYPYC_OPT_LEVEL", "3"))
