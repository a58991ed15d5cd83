#!/usr/bin/env python3
"""Runs every chore of the project, with the standard library alone: `python3 dev.py --help`."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (an older Python must get this message, not a traceback)
    sys.exit("dev.py needs Python 3.11 or newer: run it with a newer one, such as `python3.12 dev.py`")
if sys.platform == "win32":
    sys.exit("dev.py runs on Linux and macOS: on Windows, run it inside WSL")

import argparse
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setting_up import BIN as BIN
from setting_up import ROOT as ROOT
from setting_up import environment, run, run_or_exit, set_up


def replace_process(*command: str | Path, **changes: str) -> int:
    """Replaces this process with the command, which gets its signals, terminal and exit code."""
    os.chdir(ROOT)
    os.execve(command[0], [str(word) for word in command], environment() | changes)


def setup(_: list[str]) -> int:
    """make .venv, with every extra, from the hashed lock"""
    set_up()
    return 0


def demo(arguments: list[str]) -> int:
    """set up what it needs, then play examples/contest.toml and print the rated standings"""
    set_up(whole=False)
    contest = ["examples/contest.toml", "--fresh", "--out", "runs/demo"]
    path = os.environ.get("PATH", os.defpath)  # the caller's own, because the advice at the end is for its shell
    return replace_process(BIN / "bourre", "run", *contest, *arguments, PATH=path)


def play(arguments: list[str]) -> int:
    """set up what it needs, then play three guided deals yourself, in the browser [--terminal: here]"""
    set_up(whole=False)
    # With these cards and bots, most rules bind within three deals.
    game = ("--guide", "--deals", "3", "--against", "monte_carlo,tight,loose", "--seed", "35")
    return replace_process(BIN / "bourre", "play", *game, *arguments)


def ladder(arguments: list[str]) -> int:
    """set up what it needs, then serve a ladder of the examples in runs/ladder, with its pages, until Ctrl-C"""
    set_up(whole=False)
    folder = ROOT / "runs/ladder"
    if not (folder / "ladder.jsonl").exists():
        folder.parent.mkdir(exist_ok=True)
        run_or_exit(BIN / "bourre", "ladder", "init", folder, ROOT / "examples/ladder.toml")
        for bot in ("counter", "pot_aware", "follower", "loose"):
            add = ("ladder", "add", folder, bot, "--command", f"python {bot}.py", "--from", ROOT / "examples")
            run_or_exit(BIN / "bourre", *add)
    return replace_process(BIN / "bourre", "ladder", "start", folder, *arguments)


def test(arguments: list[str]) -> int:
    """set up, then run pytest [--strict: a skip fails] [--long: all of them] [--random SEED] [--part 2/4] [--cpu 9]"""
    set_up()
    return replace_process(BIN / "python", "-m", "pytest", *pytest_words(arguments))


def coverage(arguments: list[str]) -> int:
    """set up, then run pytest and report what no test runs, by branch: ten minutes or more [arguments as for `test`]"""
    set_up()
    return replace_process(BIN / "python", ROOT / "research/measurements/covered.py", *pytest_words(arguments))


def pytest_words(arguments: list[str]) -> list[str]:
    """Returns the arguments of pytest: two workers per core, because tests wait for processes; none for one file."""
    words = ["--strict-skips" if word == "--strict" else word for word in arguments]
    paths = [path for word in words if (path := ROOT / word.partition("::")[0]).exists()]
    one_file = len(paths) == 1 and paths[0].is_file()
    return words if one_file else [f"--numprocesses={2 * (os.cpu_count() or 1)}", *words]


def check(arguments: list[str]) -> int:
    """set up, then ruff, mypy, import contracts, generated code, lock, Dockerfiles [--tested: skip what tests check]"""
    set_up()
    dockerfiles = sorted(ROOT.glob("docker/*.Dockerfile"))
    # The compiler's test does not check the project's shape, and `test` runs it.
    project = ("-q", "--strict-skips", "--ignore=tests/project/test_compiled.py", "tests/project")
    checks: dict[str, tuple[str | Path, ...]] = {
        "style": (BIN / "ruff", "check"),
        "format": (BIN / "ruff", "format", "--check"),
        "types": (BIN / "mypy",),
        "imports": (BIN / "lint-imports",),
        "project": (BIN / "pytest", *project),
        "Dockerfiles": (BIN / "hadolint", *dockerfiles),
        "docs": (BIN / "python", "-m", "docs.site"),
    }
    if "--tested" in arguments:
        del checks["project"], checks["imports"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ended = pool.map(lambda command: run(*command), checks.values())
        results = [print_result(name, *end) for name, end in zip(checks, ended, strict=True)]
    return 0 if all(results) else 1


def print_result(name: str, code: int, output: str) -> bool:
    """Prints a line about an ended check, with its output if it failed, and returns whether it passed."""
    print(f"{'FAILED' if code else 'ok':8}{name}", flush=True)
    if code:
        print(output, flush=True)
    return code == 0


def protoc(python: str | Path, out: Path) -> list[str | Path]:
    """Returns the command that writes the code for every file of proto/ into `out`."""
    outputs = [f"--{kind}_out={out}" for kind in ("python", "pyi", "grpc_python")]
    sources = sorted((ROOT / "proto").rglob("*.proto"))
    return [python, "-m", "grpc_tools.protoc", f"-I{ROOT / 'proto'}", *outputs, *sources]


def bench(arguments: list[str]) -> int:
    """set up, then measure the referee, the rules, practice and a contest: a few minutes [--quick] [--against FILE]"""
    set_up()
    changes = {"PYTHONPATH": str(ROOT / "benchmarks"), "PYTHONSAFEPATH": "1"}
    return replace_process(BIN / "python", "-m", "bench", *arguments, **changes)


def docs(_: list[str]) -> int:
    """set up, then build the documentation site into build/docs: pages, reference of `bourre`, search"""
    set_up()
    return replace_process(BIN / "python", "-m", "docs.site")


def site(_: list[str]) -> int:
    """set up, then make build/site for any web host: the documents, and the demo's standings and replays"""
    set_up()
    return replace_process(BIN / "python", "-m", "docs.site", "--demo")


def compile(command: list[str]) -> int:
    """set up, then compile a copy of the sources into build/compiled, and run a command with it [COMMAND ...]"""
    set_up()
    return replace_process(BIN / "python", ROOT / "compiled_copy.py", *command)


def generate(_: list[str]) -> int:
    """set up, then write sdk/bourre/v1 and the generated parts of docs/protocol.md and docs/architecture.md"""
    set_up()
    for old in (ROOT / "sdk/bourre/v1").glob("*_pb2*.py*"):
        old.unlink()
    run_or_exit(*protoc(BIN / "python", ROOT / "sdk"))
    run_or_exit(BIN / "python", "-m", "docs.protocol_page")
    run_or_exit(BIN / "python", "-m", "docs.architecture_page")
    return 0


def release(_: list[str]) -> int:
    """build an sdist, wheels and a list of their parts in dist/, and check them: some minutes"""
    return replace_process(sys.executable, ROOT / "releasing.py")


def lock(arguments: list[str]) -> int:
    """make requirements*.lock from pyproject.toml, keeping pins that still fit [--upgrade]"""
    return replace_process(sys.executable, ROOT / "locking.py", *arguments)


CHORES: tuple[Callable[[list[str]], int], ...] = (
    demo,
    play,
    ladder,
    test,
    coverage,
    check,
    bench,
    docs,
    site,
    compile,
    generate,
    release,
    lock,
    setup,
)
TAKE_ARGUMENTS = (bench, check, demo, play, ladder, test, coverage, compile, lock)


def main() -> int:
    """Runs the chore named by the first word. The other words are its arguments."""
    chores = {chore.__name__: chore for chore in CHORES}
    parser = argparse.ArgumentParser(
        prog="dev.py",
        description=__doc__,
        epilog="\n".join(f"  {name:10}{chore.__doc__}" for name, chore in chores.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("chore", choices=chores, metavar="chore", help="one of those below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="passed on by demo, test, check and others")
    words = parser.parse_args()
    chore = chores[words.chore]
    if words.arguments and chore not in TAKE_ARGUMENTS:
        parser.error(f"{words.chore} takes no arguments")
    try:
        return chore(words.arguments)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        sys.exit(f"dev.py: {error}")


if __name__ == "__main__":
    sys.exit(main())
