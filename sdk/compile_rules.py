"""Compile the rules and the way of a decision in practice: `python sdk/compile_rules.py FOLDER [--remove]`.

mypyc makes extension modules of the same files that Python reads.

FOLDER holds the package `bourre`; the extension modules come to lie beside their sources, where Python prefers them. A
source that is edited later has no effect until it is compiled again.
"""

import argparse
import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from mypyc.build import mypycify
from setuptools import setup  # type: ignore[import-untyped]

_RULES = ("cards", "deal", "deck", "entry", "match", "play", "pot", "stock", "tricks", "view")
_PRACTICE = ("consult", "practice/seat", "practice/table", "record/lines", "record/recorder", "tally")
COMPILED = (*[f"rules/{name}" for name in _RULES], *_PRACTICE)
"""What works. Small classes of values stay plain: mypyc makes their fields slower to set, and spoils their pickles."""
LIBRARY = "bourre.compiled"
"""Where the code of all modules is; within the package, so that it goes wherever `bourre` goes."""


def compile_rules(folder: Path) -> None:
    """Translates and compiles; the compiler's own files are thrown away."""
    os.chdir(folder)  # mypyc names a module after its path as it is given
    read = sorted(str(path) for path in Path("bourre").rglob("*.py") if path.parts[1] != "v1")
    with TemporaryDirectory() as scratch:
        options = ["--follow-imports=skip", "--explicit-package-bases", "--config-file=", f"--cache-dir={scratch}/mypy"]
        modules = mypycify(
            [*options, *read],
            only_compile_paths=[f"bourre/{name}.py" for name in COMPILED],
            target_dir=scratch,
            debug_level="0",
            group_name=LIBRARY,
        )
        places = ["--build-lib", ".", "--build-temp", scratch]
        setup(name="bourre-rules", ext_modules=modules, script_args=["--quiet", "build_ext", *places])


def check_compiler() -> None:
    """Ends the program, with the mend, where C cannot be compiled for this Python."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        sys.exit(
            f"there is no C compiler {compiler!r} here.\nMend, on Debian and Ubuntu: apt-get install gcc libc6-dev"
        )
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        sys.exit("this Python came without Python.h.\nMend, on Debian and Ubuntu: apt-get install python3-dev")


def remove(folder: Path) -> None:
    """Takes all compiled modules away."""
    for module in (folder / "bourre").rglob("*.so"):
        module.unlink()


def main() -> None:
    """One folder; `--remove` alone makes it plain again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--remove", action="store_true", help="take the compiled modules away")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    if not asked.remove:
        check_compiler()
    remove(folder)
    if not asked.remove:
        compile_rules(folder)


if __name__ == "__main__":
    main()
