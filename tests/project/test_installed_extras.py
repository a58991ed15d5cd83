"""A wheel, installed with each extra into an empty environment of each Python: what the extra is for starts."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

import dev
from releasing import FOR_CLONES
from tests.documents import blocks_of
from tests.project.installed import EXTRAS, PROJECT
from tests.project.wheel_build import build_wheel

USES = {
    "": "bourre_seats.seat.page_server, bourre.testing",
    "cli": "bourre_referee.cli",
    "referee": "bourre_referee.runner.contest_run, bourre_referee.ratings.in_order",
    "export": "bourre_referee.export.parquet, bourre_referee.export.plots.contest_plots",
    "web": "bourre_referee.web.server, bourre_referee.web.render",
    "cluster": "bourre_referee.runner.cluster.dask_link, cryptography",
    "postgres": "bourre_referee.storage.run.database_location",
    "llm": "bourre_seats.models.openai_chat, openai",
    "champion": "bourre_lab.champion.judge, bourre_lab.batch_deals.deals",
    "mcp": "bourre_seats.mcp.mcp_server",
    "rl": "bourre_lab.envs.bourre_v0, bourre_lab.envs.seat_env",
    "openspiel": "bourre_lab.envs.openspiel",
}
"""What is imported for the sake of which each extra exists."""
DOCUMENT = (dev.ROOT / "research/dependencies.md").read_text("utf-8")
TOLD = dict(re.findall(r"^\| `bourre(?:\[(\w+)\])?` \| (\d+) \|", DOCUMENT, re.MULTILINE))
"""How many packages each extra needs, beside our own."""
COUNTED = "3.11"
"""The Python with which the document counts them."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_every_extra_is_tried_and_told() -> None:
    assert USES.keys() == {"", *EXTRAS} - {*FOR_CLONES} == TOLD.keys()


def find_pythons() -> dict[str, str]:
    """The Pythons of this machine that the classifiers name, by version: that of these tests, and those of pyenv."""
    found = {"{}.{}".format(*sys.version_info[:2]): sys.executable}
    for text in PROJECT["classifiers"]:
        if version := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", text):
            places = [*os.get_exec_path(), *map(str, Path.home().glob(f".pyenv/versions/{version[1]}*/bin"))]
            path = os.pathsep.join(place for place in places if not place.endswith("shims"))
            if python := which(f"python{version[1]}", path=path):
                found.setdefault(version[1], python)
    return found


PYTHONS = find_pythons()


@pytest.mark.long
@pytest.mark.timeout(900)  # a busy machine installs the largest for minutes
@pytest.mark.parametrize("extra", USES)
@pytest.mark.parametrize("version", PYTHONS)
def test_in_an_empty_environment_an_extra_is_enough_for_what_it_is_for(
    wheel: Path, version: str, extra: str, tmp_path: Path
) -> None:
    python = install(f"{wheel}[{extra}]" if extra else f"{wheel}", tmp_path, PYTHONS[version])
    subprocess.run((python, "-I", "-c", f"import {USES[extra]}"), check=True)
    if version == COUNTED:
        assert len(list(tmp_path.glob("lib/python3*/site-packages/*.dist-info"))) - 1 == int(TOLD[extra])


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_hint_of_an_installed_wheel_is_a_command_that_works(wheel: Path, tmp_path: Path) -> None:
    python = install(f"{wheel}[cli]", tmp_path, sys.executable)
    command = (python.parent / "bourre", "standings", tmp_path)
    missing = subprocess.run(command, capture_output=True, text=True, check=False)
    (hint,) = re.findall(r"^hint: (pip install .*)$", missing.stderr, re.MULTILINE)
    run_pip(tmp_path, *shlex.split(hint)[2:])
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, "more packages" in found.stderr) == (2, False)


@pytest.mark.long
@pytest.mark.timeout(3600)  # 5 GB are installed, then 30,000 steps learned
def test_maskable_ppo_learns_by_the_program_of_the_document(wheel: Path, tmp_path: Path) -> None:
    (program,) = [block.text for block in blocks_of(dev.ROOT / "docs/learn.md") if "MaskablePPO" in block.text]
    python = install(f"{wheel}[rl]", tmp_path, sys.executable)
    run_pip(tmp_path, "sb3-contrib")
    shown = f"{program}\nprint(model.num_timesteps, env.step(action)[1:4])"
    done = subprocess.run((python, "-I", "-c", shown), check=True, capture_output=True, text=True)
    assert re.fullmatch(r"3\d{4} \(-?\d+(\.\d+)?, (True|False), False\)\n", done.stdout)


def install(wanted: str, folder: Path, python: str) -> Path:
    """Installs this with the locked versions into a new environment of a Python, and returns its own one."""
    subprocess.run((python, "-I", "-m", "venv", "--without-pip", folder), check=True)
    run_pip(folder, wanted)
    return folder / "bin/python"


def run_pip(folder: Path, wanted: str) -> None:
    """Installs this into an environment."""
    pins = folder / "pins.txt"  # without hashes, which the wheel itself cannot have
    locked = (dev.ROOT / "requirements.lock").read_text("utf-8")
    pins.write_text("\n".join(re.findall(r"^([a-z0-9].*?)(?: \\)?$", locked, re.MULTILINE)), "utf-8")
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", folder / "bin/python", "install", wanted)
    subprocess.run(pip, env=os.environ | {"PIP_CONSTRAINT": str(pins)}, check=True)
