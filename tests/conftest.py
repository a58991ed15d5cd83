"""How the tests run: hypothesis profiles, long tests, parts, their order, and what a skip costs."""

import asyncio
import gc
import importlib.util
import inspect
import os
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling
    from xdist.workermanage import WorkerController

    from bourre_referee.model.spec import Isolation
    from tests.postgres_server import PostgresServer
    from tests.referee.command import Bourre

EXAMPLES = 50
"""Examples of each property in every run."""
LONG_EXAMPLES = 500
settings.register_profile("dev", max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

LEFT_OUT = pytest.StashKey[int]()
TOGETHER = ("tests/hostile/", "tests/referee/web/", "tests/project/")
"""Folders whose tests all go to one worker, early: their tests share something expensive (a browser, a referee), or one
of them takes so long that it should start first (the compiler's)."""

UNTESTED = "level container is not tested: "
"""How a skip begins that is no failure, but is told apart: not every machine that runs CI can run containers."""


@pytest.fixture(scope="session")
def containers() -> "Iterator[Isolation]":
    """Level `container` with an engine that works here and an image of this Python, until all tests are done."""
    from tests.end_to_end.images import imported_image

    with imported_image() as (isolation, reason):
        if reason is not None:
            pytest.skip(f"{UNTESTED}{reason}; fix, as root: apt-get install podman runc")
        yield isolation


@pytest.fixture
def bourre() -> "Bourre":
    """The command in this process; imported late, because most tests do not need it."""
    from tests.referee.command import called

    return called


@pytest.fixture(scope="session")
def postgres() -> "Iterator[PostgresServer]":
    """A PostgreSQL server for all tests of this process, with a database that they share."""
    from tests.postgres_server import PostgresServer, find_programs

    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    server = PostgresServer(programs)
    yield server
    server.remove()


@pytest.fixture
def stoppable(postgres: "PostgresServer") -> "Iterator[PostgresServer]":
    """The same server for a test that stops it; the next test finds it running."""
    yield postgres
    if not postgres.runs:
        postgres.start()


@pytest.fixture(scope="session")
def icu_database(postgres: "PostgresServer") -> str:
    """The address of a database whose text is ordered as English readers expect."""
    return postgres.create_database(
        "icu", "TEMPLATE template0", "LOCALE_PROVIDER icu", "ICU_LOCALE 'en-US'", "LOCALE 'C.UTF-8'"
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bourre")
    group.addoption("--strict-skips", action="store_true", help="a skipped test fails the run")
    group.addoption("--long", action="store_true", help="run the tests marked `long` too")
    group.addoption("--random", type=int, metavar="SEED", help="run files, and the tests of each, in a random order")
    group.addoption("--part", type=part, default=(1, 1), metavar="K/N", help="run part K of N, which share no fixtures")
    group.addoption("--cpu", type=int, metavar="N", help="name the N test files that took the most processor time")


def part(text: str) -> tuple[int, int]:
    """Reads `2/4`, the second of four parts."""
    number, parts = map(int, text.split("/"))
    if not 1 <= number <= parts:
        raise ValueError
    return number, parts


def pytest_configure(config: pytest.Config) -> None:
    """Sets up what a shell would: `bourre` is on the PATH, and signals end a program.

    NumPy multiplies in one thread, because others that wait for a processor which another worker uses are busy waiting.
    A run started under `nohup` or in the background ignores signals, and so would every process that the tests start.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ.get("PATH", os.defpath)])
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if config.getoption("long"):
        settings.register_profile("long", settings(), max_examples=LONG_EXAMPLES)
        settings.load_profile("long")
    if most := config.getoption("cpu"):
        from tests.cpu_seconds import CpuSeconds

        config.pluginmanager.register(CpuSeconds(most))
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine; None leaves any other to pytest."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """One worker reads the tests first and leaves their bytecode to the others, which then read them side by side.

    Next to nothing becomes garbage meanwhile, and all that was read stays, so no collector looks at it then or later.
    """
    gc.disable()
    with open(__file__) as lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            flock(lock, LOCK_SH)
        done = yield
    gc.freeze()
    gc.enable()
    return done


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long, scopes = config.getoption("long"), scopes_of(config.getoption("part"), (item.nodeid for item in items))
    chosen = [item for item in items if _scope(item.nodeid) in scopes and (long or not item.get_closest_marker("long"))]
    left_out = set(items) - set(chosen)
    config.stash[LEFT_OUT] = len(left_out)
    if left_out:
        items[:] = chosen
        config.hook.pytest_deselected(items=list(left_out))
    if (seed := config.getoption("random")) is not None:
        items[:] = shuffled(items, seed)


def scopes_of(part: tuple[int, int], tests: Iterable[str]) -> set[str]:
    """Returns what a part has of the tests' scopes: each belongs to one part, and neighbours to different ones."""
    number, parts = part
    return {*sorted({_scope(test) for test in tests})[number - 1 :: parts]}


def shuffled(items: list[pytest.Item], seed: int) -> list[pytest.Item]:
    """Shuffles the files, and the tests within each; the tests of a file stay together and share its fixtures."""
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    chance = Random(seed)
    return [
        item
        for file in chance.sample(sorted(files), len(files))
        for item in chance.sample(files[file], len(files[file]))
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """An xdist worker reports how many tests it left out; the main process checks for skips."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = config.stash.get(LEFT_OUT, 0)
    elif config.getoption("strict_skips") and skips(config):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> "LoadScopeScheduling":
    """Sends all tests of a file, and of the folders in TOGETHER, to one worker, which makes their shared fixtures once.
    Tests of hostile bots are grouped by level of isolation.

    The marks of `--dist=loadgroup` would do the same, but xdist 3.8 loses them under pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling

    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = _scope
    return scheduler


def _scope(test: str) -> str:
    if test.startswith("tests/end_to_end/test_container.py"):
        return "tests/hostile/container"  # they need the same image
    folder = next((folder for folder in TOGETHER if test.startswith(folder)), None)
    if folder is None:
        return test.partition("::")[0]
    level = next((level for level in ("none", "bwrap", "container") if test.endswith(f"-{level}]")), "")
    return folder + level


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: "WorkerController") -> None:
    """Counts in the summary line what the workers left out, which xdist does not."""
    left_out: int = getattr(node, "workeroutput", {}).get("left_out", 0)
    if left_out:
        terminal(node.config).stats["deselected"] = [node] * left_out


def pytest_terminal_summary(config: pytest.Config) -> None:
    """Lists the skipped tests, each with its fix; names the code that ran if it is not that of this clone."""
    if reasons := {report.longrepr[2] for report in skipped(config) if UNTESTED in report.longrepr[2]}:
        terminal(config).section("NOT TESTED")
        terminal(config).write_line("\n".join(reasons))
    if lines := skips(config):
        fails = ", which fails" if config.getoption("strict_skips") else ""
        terminal(config).section(f"skipped{fails}")
        terminal(config).write_line("\n".join(lines))
    source, loaded = config.rootpath / "sdk/bourre/rules/match.py", importlib.util.find_spec("bourre.rules.match")
    if loaded and loaded.origin != str(source):
        terminal(config).write_line(f"These tests ran {loaded.origin}, not {source}.")


def skips(config: pytest.Config) -> list[str]:
    """One line for each skipped test that should not be: its name, and the reason with the fix."""
    found = [(report.nodeid, report.longrepr[2]) for report in skipped(config)]
    return [f"{test}: {reason}" for test, reason in found if UNTESTED not in reason]


def skipped(config: pytest.Config) -> list[Any]:
    """The reports of skipped tests; each ends with its reason."""
    return list(terminal(config).stats.get("skipped", []))


def terminal(config: pytest.Config) -> pytest.TerminalReporter:
    """Pytest's own reporter, which holds the outcomes so far."""
    return cast(pytest.TerminalReporter, config.pluginmanager.getplugin("terminalreporter"))
