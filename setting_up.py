"""Makes `.venv` for dev.py from requirements.lock: first the packages of a newcomer's commands, later the rest."""

import fcntl
import hashlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
STAMP = VENV / "bourre-setup.stamp"
LOCK = ROOT / "requirements.lock"
BUILD_LOCK = ROOT / "requirements-build.lock"
PACKAGES = ("sdk/bourre", "sdk/bourre_lab", "referee/bourre_referee")
BUILDERS = ("hatchling", "setuptools")
"""The packages that build the project, and packages published as source only."""
REST_MISSING = "rest-missing"
"""The last word of the stamp until the whole lock is installed."""
ENTRY = re.compile(r"^(?P<name>[a-z0-9-]+)==.*\n(?: .*\n)+", re.MULTILINE)
NEEDED_BY = re.compile(r"^    #(?: via)? +([a-z0-9-]+)$", re.MULTILINE)

# Variables through which another Python, or another pip's settings, would leak into ours.
FOREIGN_PREFIXES = ("PYTHON", "PYTEST_", "MYPY", "COVERAGE_", "RUFF_")
FOREIGN_NAMES = {"PIP_CONSTRAINT", "PIP_PREFIX", "PIP_ROOT", "PIP_TARGET", "PIP_USER"}


def environment() -> dict[str, str]:
    """Returns the caller's environment with `.venv` first on the path, without the variables of another Python."""
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(FOREIGN_PREFIXES) and name not in FOREIGN_NAMES
    }
    path = os.pathsep.join([str(BIN), environ.get("PATH", os.defpath)])
    return environ | {"VIRTUAL_ENV": str(VENV), "PATH": path}


def report(text: str) -> None:
    """Prints a message to stderr, so that stdout holds only what the command itself prints."""
    print(text, file=sys.stderr, flush=True)


def run(*command: str | Path, stdin: str = "") -> tuple[int, str]:
    """Runs a command, and returns its exit code, and stdout and stderr as one text.

    The command inherits open files, so the lock of `setup_lock` outlives a killed dev.py as long as its pip runs.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        input=stdin,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        close_fds=False,
        check=False,
    )
    return done.returncode, done.stdout


def run_or_exit(*command: str | Path, stdin: str = "") -> None:
    """Runs a command silently. If it fails, shows the whole output and ends the program."""
    code, output = run(*command, stdin=stdin)
    if code:
        sys.exit(f"{output}\ndev.py: this failed: {shlex.join(map(str, command))}")


def open_lock_file() -> TextIO:
    """Opens the file that a running set-up keeps locked."""
    try:
        return open(ROOT / ".venv.lock", "w")
    except OSError as error:
        sys.exit(f"dev.py: cannot write in {ROOT} ({error.strerror}): make your own clone and run this there")


@contextmanager
def setup_lock() -> Iterator[None]:
    """Allows one set-up at a time: a second dev.py waits here, then finds the work done."""
    with open_lock_file() as lock_file:
        os.set_inheritable(lock_file.fileno(), True)
        try:
            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report("Another dev.py is setting up .venv: waiting until it is done.")
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        yield


def digest(*parts: bytes) -> str:
    """Returns the SHA-256 of these parts in hexadecimal."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def set_up(*, whole: bool = True) -> None:
    """Makes `.venv` match the locks, pyproject.toml and this Python.

    The stamp is removed before and written after the work, so an interrupted set-up starts again. It stays while the
    rest is added (`whole`), because the rest does not change the packages of the first commands.
    """
    if VENV.is_symlink():
        sys.exit(f"dev.py: {VENV} is a link to {VENV.resolve()}, which another clone may use: remove the link")
    place = f"{sys.version} {ROOT}".encode()  # an environment belongs to one Python and one folder
    libraries = digest(place, LOCK.read_bytes(), BUILD_LOCK.read_bytes())
    project = digest((ROOT / "pyproject.toml").read_bytes())
    with setup_lock():
        remove_old_modules()
        stamped = STAMP.read_text().split() if STAMP.is_file() else []
        rest = stamped[2:] if stamped[:1] == [libraries] else [REST_MISSING]
        began = time.monotonic()
        if stamped[:2] != [libraries, project]:
            STAMP.unlink(missing_ok=True)
            if stamped[:1] != [libraries]:
                install_first()
            install_project()
            write_stamp(libraries, project, *rest)
        elif not (whole and rest):
            return
        if whole and rest:
            install_rest()
            write_stamp(libraries, project)
        report(f"Set up in {round(time.monotonic() - began)} s.")


def write_stamp(*words: str) -> None:
    """Writes the stamp for the present state of `.venv`."""
    STAMP.write_text("".join(f"{word}\n" for word in words))


def install_first() -> None:
    """Makes a new `.venv` with the first packages. Locked tools build packages published as source only."""
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            "dev.py: this Python cannot make environments, because its module ensurepip is missing.\n"
            "Fix, on Debian and Ubuntu: apt-get install python3-venv   (then run this again)"
        )
    report("Setting up .venv from requirements.lock, once: 40 packages (170 MB). This takes a minute or more.")
    run_or_exit(sys.executable, "-I", "-m", "venv", "--clear", VENV)
    lock = LOCK.read_text("utf-8")
    install_entries(lock, needed_packages(lock, BUILDERS))
    install_entries(lock, first_packages())


def install_rest() -> None:
    """Adds the other packages of the lock, and overwrites those of an interrupted attempt."""
    report("Adding the rest of requirements.lock, once: 150 packages (1.3 GB) in all. This takes minutes.")
    lock = LOCK.read_text("utf-8")
    names = {entry["name"] for entry in ENTRY.finditer(lock)} - first_packages()
    install_entries(lock, names, "--ignore-installed", "--no-deps")


def install_entries(lock: str, names: Collection[str], *options: str) -> None:
    """Installs these packages of the lock, with its hashes, and builds with the installed tools."""
    part = VENV / "part.lock"
    part.write_text("".join(entry[0] for entry in ENTRY.finditer(lock) if entry["name"] in names), "utf-8")
    pip_install("--require-hashes", "--use-pep517", "--no-build-isolation", *options, "-r", part)


def first_packages() -> frozenset[str]:
    """Returns the names of the packages that demo, play, and the first commands of README and quick start need."""
    return packages_of("bourre[web]", *BUILDERS, "pytest")


def packages_of(*wanted: str) -> frozenset[str]:
    """Returns the names of the locked packages that these need, beside what a bot needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *wanted]
    names: set[str] = set()
    while asked:
        text = asked.pop()
        if ours := re.fullmatch(r"bourre\[(.+)\]", text):
            asked += (inner for extra in ours[1].split(",") for inner in project["optional-dependencies"][extra])
        else:
            names.add(re.split(r"[^\w-]", text, maxsplit=1)[0].replace("_", "-"))
    return needed_packages(LOCK.read_text("utf-8"), names)


def needed_packages(lock: str, names: Collection[str]) -> frozenset[str]:
    """Returns these packages and all that they need, by the notes `via` of the lock."""
    needed_by = [(entry["name"], {*NEEDED_BY.findall(entry[0])}) for entry in ENTRY.finditer(lock)]
    found = frozenset(names)
    while more := {name for name, users in needed_by if users & found} - found:
        found |= more
    return found


def install_project() -> None:
    """Installs the project as editable, so that edits in sdk/ and referee/ take effect at once."""
    pip_install("--no-deps", "--no-build-isolation", "--editable", ROOT)


def pip_install(*arguments: str | Path) -> None:
    """Installs with the pip of `.venv`, showing its progress on stderr."""
    command = (BIN / "python", "-I", ROOT / "installing.py", *arguments)
    if subprocess.run(command, cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, close_fds=False).returncode:
        fix = "If nothing was found, check the network; `python3 -m pip config list` shows where pip looks."
        sys.exit(f"dev.py: this failed: {shlex.join(map(str, command))}\n{fix}")


def remove_old_modules() -> None:
    """Removes modules that older versions compiled next to their sources, where they hide every later edit."""
    modules = [module for package in PACKAGES for module in (ROOT / package).rglob("*.so")]
    for module in modules:
        module.unlink()
    if modules:
        report("Removed the compiled modules beside the sources; `python3 dev.py compile` now uses build/compiled.")
