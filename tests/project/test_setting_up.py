"""The set-up of dev.py: done once, redone when necessary, never twice at a time, at first only in part."""

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from importlib import metadata
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

import setting_up

FIRST_COMMANDS = """
import sys
import pytest
import bourre_referee.web.run_app, bourre_referee.web.ladder.ladder_app
from bourre_referee.cli import main
for words in (
    "run contest.toml --out runs/demo --jobs 1",
    "replay runs/demo m0001 --deal 1",
    "standings runs/demo --csv",
    "verify runs/demo",
    "new another",
    "practice loose.py --against lowest --deals 4",
):
    sys.argv = ["bourre", *words.split()]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
"""
"""The commands that README and quick start name after the demo, and the programs behind its pages."""


class Workshop:
    """A project in an empty folder, whose installations are noted instead of carried out."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.done: list[str] = []
        for name in ("pyproject.toml", "requirements.lock", "requirements-build.lock"):
            (root / name).write_text(name)
        monkeypatch.setattr(setting_up, "ROOT", root)
        monkeypatch.setattr(setting_up, "LOCK", root / "requirements.lock")
        monkeypatch.setattr(setting_up, "BUILD_LOCK", root / "requirements-build.lock")
        monkeypatch.setattr(setting_up, "STAMP", root / "stamp")
        monkeypatch.setattr(setting_up, "install_first", lambda: self.done.append("first"))
        monkeypatch.setattr(setting_up, "install_project", lambda: self.done.append("project"))
        monkeypatch.setattr(setting_up, "install_rest", lambda: self.done.append("rest"))

    def set_up(self, *, whole: bool = True) -> list[str]:
        """What one set-up installs."""
        self.done.clear()
        setting_up.set_up(whole=whole)
        return list(self.done)


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path, monkeypatch)


def test_set_up_is_done_once_and_anew_where_something_has_changed(workshop: Workshop) -> None:
    assert [workshop.set_up(), workshop.set_up()] == [["first", "project", "rest"], []]
    for lock in ("requirements.lock", "requirements-build.lock"):
        (workshop.root / lock).write_text("another")
        assert [workshop.set_up(), workshop.set_up()] == [["first", "project", "rest"], []]
    (workshop.root / "pyproject.toml").write_text("another")
    assert [workshop.set_up(), workshop.set_up()] == [["project"], []]


def interrupted() -> None:
    raise KeyboardInterrupt


def test_the_first_commands_wait_for_what_they_need_and_the_others_add_the_rest(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another pyproject.toml comes meanwhile, or something stops the rest."""
    assert workshop.set_up(whole=False) == ["first", "project"]
    assert workshop.set_up(whole=False) == []
    (workshop.root / "pyproject.toml").write_text("another")
    assert workshop.set_up(whole=False) == ["project"]
    with monkeypatch.context() as patch:
        patch.setattr(setting_up, "install_rest", interrupted)
        with pytest.raises(KeyboardInterrupt):
            workshop.set_up()
    assert workshop.set_up(whole=False) == []
    assert workshop.set_up() == ["rest"]
    assert workshop.set_up() == workshop.set_up(whole=False) == []
    (workshop.root / "pyproject.toml").write_text("a third")
    assert workshop.set_up(whole=False) == ["project"]
    assert workshop.set_up() == []


def test_interrupted_set_up_starts_anew(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.set_up()
    (workshop.root / "pyproject.toml").write_text("another")
    with monkeypatch.context() as patch:
        patch.setattr(setting_up, "install_project", interrupted)
        with pytest.raises(KeyboardInterrupt):
            workshop.set_up()
    assert workshop.set_up() == ["first", "project", "rest"]


def test_nobody_else_sets_up_meanwhile(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    def meanwhile() -> None:
        with open(workshop.root / ".venv.lock") as turn, pytest.raises(BlockingIOError):
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        workshop.done.append("refused")

    monkeypatch.setattr(setting_up, "install_project", meanwhile)
    assert workshop.set_up() == ["first", "refused", "rest"]


def test_a_clone_that_cannot_be_written_to_names_the_fix(workshop: Workshop) -> None:
    (workshop.root / ".venv.lock").mkdir()
    with pytest.raises(SystemExit, match="make your own clone"):
        workshop.set_up()
    assert workshop.done == []


def test_an_environment_that_another_clone_may_use_is_left_as_it_is(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.root / "theirs").mkdir()
    (workshop.root / ".venv").symlink_to("theirs")
    monkeypatch.setattr(setting_up, "VENV", workshop.root / ".venv")
    with pytest.raises(SystemExit, match=r"link to .*theirs.*remove the link"):
        workshop.set_up()
    assert workshop.done == []


def test_who_waits_for_another_set_up_is_told_so(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    with open(workshop.root / ".venv.lock", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)

        def done_meanwhile(text: str) -> None:
            told.append(text)
            fcntl.flock(turn, fcntl.LOCK_UN)

        monkeypatch.setattr(setting_up, "report", done_meanwhile)
        workshop.set_up()
    assert told[0] == "Another dev.py is setting up .venv: waiting until it is done."


def test_how_long_the_set_up_took_is_told(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    workshop.set_up()
    assert re.fullmatch(r"Set up in \d+ s\.\n", capsys.readouterr().err)
    workshop.set_up()
    assert capsys.readouterr().err == ""


def test_what_is_installed_is_shown_and_a_failure_says_what_to_look_at(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"this failed: .*no-such-package(?s:.*)check the network"):
        setting_up.pip_install("--no-index", "no-such-package")
    assert "No matching distribution found for no-such-package" in capfd.readouterr().err


def test_the_first_packages_are_enough_for_the_readme(tmp_path: Path) -> None:
    """All but `check`, which plays for long."""
    contest = (setting_up.ROOT / "examples/contest.toml").read_text("utf-8")
    short = re.sub("^(seats|deals|rounds) = .*", r"\1 = 2", contest.partition("[[bots]]")[0], flags=re.MULTILINE)
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "{name}.py"]\n' for name in ("loose", "lowest"))
    (tmp_path / "contest.toml").write_text(f"{short}{bots}")
    for name in ("loose", "lowest"):
        shutil.copy(setting_up.ROOT / f"examples/{name}.py", tmp_path)
    link_packages({*setting_up.first_packages(), "bourre"}, tmp_path / "site")
    places = (tmp_path / "site", *(setting_up.ROOT / package for package in ("sdk", "referee")))
    program = (sys.executable, "-S", "-c", FIRST_COMMANDS)
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places))}
    done = subprocess.run(program, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "bourre view runs/demo" in done.stderr


def link_packages(names: Collection[str], site: Path) -> None:
    """Makes a folder from which these packages, and no others, can be imported."""
    site.mkdir()
    found = [package for package in metadata.distributions() if canonicalize_name(package.name) in names]
    tops = {(package, file.parts[0]) for package in found for file in package.files or ()}
    for package, top in tops:
        if top != ".." and not (site / top).exists():
            (site / top).symlink_to(str(package.locate_file(top)))


def test_missing_ensurepip_names_the_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="apt-get install python3-venv"):
        setting_up.install_first()


def test_failing_command_shows_its_output() -> None:
    with pytest.raises(SystemExit, match=r"(?s)no such lock.*this failed: sh -c"):
        setting_up.run_or_exit("sh", "-c", "echo no such lock >&2; exit 3")


def test_foreign_python_does_not_leak_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_CERT", "kept.pem")
    environment = setting_up.environment()
    assert not {"PYTHONPATH", "PIP_USER"} & environment.keys()
    assert environment["PIP_CERT"] == "kept.pem"
    assert environment["PATH"].split(os.pathsep)[0] == str(setting_up.BIN)
