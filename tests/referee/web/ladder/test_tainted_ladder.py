"""Hostile text anywhere in the log or the board of a stranger's ladder fools no command and no page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.routing import Route
from starlette.testclient import TestClient

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.web.ladder.ladder_app import create_ladder_application
from tests.referee.command import Bourre
from tests.referee.tainting import TEXTS, Place, check_page, check_said, events_in
from tests.referee.web.ladder.shown_ladders import NAME, busy_ladder

COMMANDS = (
    *("ladder status LADDER", "ladder log LADDER", "ladder status LADDER --json"),
    *("verify LADDER --epoch 1", "ladder verify LADDER"),
)
WORDS = {"bot": "ada", "number": "1", "season": "1", "epoch": "1", "name": "style.css", "room": "1", "owner": "Ann"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a ladder in its second season."""
    return busy_ladder(tmp_path_factory.mktemp("kept") / "host", rooms=4).folder.path


def test_hostile_text_in_a_log_or_a_board_fools_nobody(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    for number, place in [*enumerate(events_in(kept))][::7]:
        check_ladder(bourre, kept, tmp_path / str(number), place, [*TEXTS][number % len(TEXTS)])


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", TEXTS)
def test_every_hostile_text_everywhere_fools_nobody(bourre: Bourre, kept: Path, tmp_path: Path, kind: str) -> None:
    for number, place in enumerate(events_in(kept)):
        check_ladder(bourre, kept, tmp_path / str(number), place, kind)
        shutil.rmtree(tmp_path / str(number))


def check_ladder(bourre: Bourre, kept: Path, folder: Path, place: Place, kind: str) -> None:
    """Puts the text there in a copy of the ladder, and then has every command and page read it."""
    ladder = Path(shutil.copytree(kept, folder / "ladder"))
    place.put(ladder, TEXTS[kind].replace("OUTSIDE", str(folder / "outside")))
    where = f"{place.name}, {kind}"
    for command in COMMANDS:
        done = bourre(*(str(ladder) if word == "LADDER" else word for word in command.split()))
        assert done.code in (0, 1, 2, 4), f"{where}, {command}: {done}"
        check_said(done, f"{where}, {command}")
    check_pages(ladder, where)
    assert [path.name for path in folder.iterdir()] == ["ladder"], where


def check_pages(ladder: Path, where: str) -> None:
    """Checks every address that answers at once and asks for no more than a name."""
    app = create_ladder_application(LadderFolder(ladder), NAME).app
    client = TestClient(app, base_url="http://127.0.0.1")
    inner = app.app
    assert isinstance(inner, FastAPI)
    for route in inner.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()) and "live" not in route.path:
            path = route.path.format_map(WORDS)
            answer = client.get(path)
            assert answer.status_code != 500, f"{where}: {path}"
            if answer.headers.get("content-type", "").startswith(("text/html", "application/atom")):
                check_page(answer.text, f"{where}: {path}")
