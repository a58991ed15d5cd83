"""Identifies a program's Python by reading files only, because bots' files never run outside of a sandbox."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.sandbox.bwrap.box_contents import is_system
from bourre_referee.sandbox.bwrap.bwrap_mounts import Bind, Content, Link, Text

_NAME = re.compile(r"python3\.\d+t?")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python installation, and the virtual environment it runs in."""

    prefix: Path
    """The prefix of the installation, with programs in `bin` and the library in `lib`."""
    name: str
    """The name of its program and of its library folder, such as `python3.11`."""
    venv: Path | None = None
    system_packages: bool = False
    """Whether the environment also shows the packages of the installation."""

    @property
    def packages(self) -> Path:
        """The folder of its installed packages."""
        return (self.venv or self.prefix) / "lib" / self.name / "site-packages"

    def base(self) -> Interpreter:
        """Returns the installation without an environment."""
        return Interpreter(self.prefix, self.name)


@dataclass(frozen=True, slots=True)
class BoxedPython:
    """A Python in a sandbox."""

    program: str
    libraries: str | None
    """The folder of its shared libraries, if the loader does not find them."""
    content: tuple[Content, ...]


def interpreter_of(program: Path) -> Interpreter | None:
    """Identifies the Python that this program is; None if it is something else."""
    venv = _absolute(program).parent.parent
    config = _config(venv / "pyvenv.cfg")
    if config is None or "home" not in config:
        return _base(program)
    base = _base(_first(Path(config["home"]), (program.name, "python3", "python")) or program)
    shown = config.get("include-system-site-packages", "") == "true"
    return base and Interpreter(base.prefix, base.name, venv, shown)


def box_python(python: Interpreter, at: str, venv_at: str) -> BoxedPython:
    """Puts a Python at the path `at` of a sandbox, unless it is there already, and its environment at `venv_at`.

    Raises OSError if one of their folders is a link, which a bot's author could have pointed anywhere on the host.
    """
    base, libraries, content = str(python.prefix), None, list[Content]()
    if not is_system(python.prefix):
        base, libraries = at, f"{at}/lib"
        content += [Bind(_real_folder(python.prefix, name), f"{at}/{name}") for name in ("bin", "lib")]
    program = f"{base}/bin/{python.name}"
    if python.venv is None:
        return BoxedPython(program, libraries, tuple(content))
    shown = str(python.system_packages).lower()
    content += [
        Bind(_real_folder(python.venv, "lib"), f"{venv_at}/lib"),
        Link("lib", f"{venv_at}/lib64"),
        Link(program, f"{venv_at}/bin/python"),
        Text(f"home = {base}/bin\ninclude-system-site-packages = {shown}\n", f"{venv_at}/pyvenv.cfg"),
    ]
    return BoxedPython(f"{venv_at}/bin/python", libraries, tuple(content))


def _real_folder(home: Path, name: str) -> Path:
    """Returns this folder of a Python or an environment. Raises OSError if it is a link."""
    folder = home / name
    if folder.is_symlink():
        raise OSError(f"{folder} is a link.\nhint: recreate {home} with a real folder in its place")
    return folder


def _base(program: Path) -> Interpreter | None:
    """Identifies the installation of this program or of its link's target."""
    real = program.resolve()
    prefix = real.parent.parent
    if _NAME.fullmatch(real.name) and (prefix / "lib" / real.name / "os.py").is_file():
        return Interpreter(prefix, real.name)
    return None


def _first(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).exists()), None)


def _config(path: Path) -> dict[str, str] | None:
    """Reads the keys of a pyvenv.cfg; None if there is none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _absolute(path: Path) -> Path:
    # Not resolved, because an environment's program is a link to the installation.
    return path if path.is_absolute() else Path.cwd() / path
