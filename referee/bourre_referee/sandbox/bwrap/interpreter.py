"""Which Python a program is, found by reading files only: what belongs to a bot is never run outside of its box."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Link, Text
from bourre_referee.sandbox.bwrap.host_system import is_system

_NAME = re.compile(r"python3\.\d+t?")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python, and the environment that it is run in."""

    prefix: Path
    """Of the Python itself: its programs are in `bin` there, its library in `lib`."""
    name: str
    """Of its program and of the folder of its library, as `python3.11`."""
    venv: Path | None = None
    system_packages: bool = False
    """Whether the environment shows the packages of the Python itself too."""

    @property
    def packages(self) -> Path:
        """Where its packages are installed."""
        return (self.venv or self.prefix) / "lib" / self.name / "site-packages"

    def base(self) -> Interpreter:
        """The Python itself, in no environment."""
        return Interpreter(self.prefix, self.name)


@dataclass(frozen=True, slots=True)
class Housed:
    """A Python as it is in a box."""

    program: str
    libraries: str | None
    """The folder of its shared libraries, where the box would not find them by itself."""
    content: tuple[Content, ...]


def interpreter_of(program: Path) -> Interpreter | None:
    """The Python that this program is; None when it is something else."""
    venv = _absolute(program).parent.parent
    config = _config(venv / "pyvenv.cfg")
    if config is None or "home" not in config:
        return _base(program)
    base = _base(_first(Path(config["home"]), (program.name, "python3", "python")) or program)
    shown = config.get("include-system-site-packages", "") == "true"
    return base and Interpreter(base.prefix, base.name, venv, shown)


def housed(python: Interpreter, at: str, venv_at: str) -> Housed:
    """The Python at the path `at` of a box, unless the system there holds it anyway, its environment at `venv_at`.

    Raises OSError for a folder of theirs that is a link: a bot's author may have made it, to any place of the host.
    """
    base, libraries, content = str(python.prefix), None, list[Content]()
    if not is_system(python.prefix):
        base, libraries = at, f"{at}/lib"
        content += [Bind(_straight(python.prefix, name), f"{at}/{name}") for name in ("bin", "lib")]
    program = f"{base}/bin/{python.name}"
    if python.venv is None:
        return Housed(program, libraries, tuple(content))
    shown = str(python.system_packages).lower()
    content += [
        Bind(_straight(python.venv, "lib"), f"{venv_at}/lib"),
        Link("lib", f"{venv_at}/lib64"),
        Link(program, f"{venv_at}/bin/python"),
        Text(f"home = {base}/bin\ninclude-system-site-packages = {shown}\n", f"{venv_at}/pyvenv.cfg"),
    ]
    return Housed(f"{venv_at}/bin/python", libraries, tuple(content))


def _straight(home: Path, name: str) -> Path:
    """The folder of this name in a Python or an environment."""
    folder = home / name
    if folder.is_symlink():
        raise OSError(f"{folder} is a link: make {home} anew, with a folder in its place")
    return folder


def _base(program: Path) -> Interpreter | None:
    """The Python whose program this is, or is a link to."""
    real = program.resolve()
    prefix = real.parent.parent
    if _NAME.fullmatch(real.name) and (prefix / "lib" / real.name / "os.py").is_file():
        return Interpreter(prefix, real.name)
    return None


def _first(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).exists()), None)


def _config(path: Path) -> dict[str, str] | None:
    """The keys of a pyvenv.cfg; None when there is none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _absolute(path: Path) -> Path:
    # Not resolved: that would leave the environment, whose program is a link to the Python itself.
    return path if path.is_absolute() else Path.cwd() / path
