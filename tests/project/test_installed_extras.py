"""A wheel, installed with each extra into an empty environment: what the extra is for starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import dev
from releasing import FOR_CLONES
from tests.project.installed import EXTRAS
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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_every_extra_is_tried_and_told() -> None:
    assert USES.keys() == {"", *EXTRAS} - {*FOR_CLONES} == TOLD.keys()


@pytest.mark.long
@pytest.mark.timeout(900)  # a busy machine installs the largest for minutes
@pytest.mark.parametrize("extra", USES)
def test_in_an_empty_environment_an_extra_is_enough_for_what_it_is_for(wheel: Path, extra: str, tmp_path: Path) -> None:
    python = install(f"{wheel}[{extra}]" if extra else f"{wheel}", tmp_path)
    subprocess.run((python, "-I", "-c", f"import {USES[extra]}"), check=True)
    assert len(list(tmp_path.glob("lib/python3*/site-packages/*.dist-info"))) - 1 == int(TOLD[extra])


def install(wanted: str, folder: Path) -> Path:
    """Installs this with the locked versions into a new environment, and returns its Python."""
    venv.create(folder, symlinks=True)
    pins = folder / "pins.txt"  # without hashes, which the wheel itself cannot have
    locked = (dev.ROOT / "requirements.lock").read_text("utf-8")
    pins.write_text("\n".join(re.findall(r"^([a-z0-9].*?)(?: \\)?$", locked, re.MULTILINE)), "utf-8")
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", folder / "bin/python", "install", wanted)
    subprocess.run(pip, env=os.environ | {"PIP_CONSTRAINT": str(pins)}, check=True)
    return folder / "bin/python"
