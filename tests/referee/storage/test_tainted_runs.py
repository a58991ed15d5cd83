"""Hostile text anywhere in a stranger's run fools no command and no page."""

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.routing import Route
from starlette.testclient import TestClient

from bourre_referee.contest.contest_file import load
from bourre_referee.export.export_writer import export
from bourre_referee.storage.run.run import Run
from bourre_referee.storage.run.void_match import void
from bourre_referee.web.cached_run import CachedRun
from bourre_referee.web.run_app import create_application
from tests.referee import contests, talking_rooms
from tests.referee.command import Bourre
from tests.referee.in_process import rooms_in_process, run_in_process
from tests.referee.tainting import TEXTS, Place, check_page, check_said, lines_in, places_in
from tests.referee.web.serving import OWNERS, WHEN, cookie, key_of

CONTEST = contests.FILE.replace("deals = 4", "deals = 2").replace("rounds = 2", "rounds = 1")
COMMANDS = (
    *(
        "verify RUN --jobs 1",
        "standings RUN",
        "standings RUN --csv",
        "standings RUN --json",
        "stats RUN --ratings",
        "stats RUN",
    ),
    *("stats RUN --json", "replay RUN 1", "replay RUN 1 --html OUT/page.html", "debug RUN 1 BOT --as ada --deal 1"),
    *("export RUN --format csv --out OUT/csv", "export RUN --format jsonl --out OUT/jsonl --jobs 1"),
    *("export RUN --format site --out OUT/site", "export RUN --format run --out OUT/run"),
    *("export RUN --format parquet --out OUT/parquet", "run CONTEST --out RUN", "annul RUN 1 --reason doubt"),
)
WORDS = {"match": "m0001", "deal": "1", "number": "1", "room": "m0001", "name": "style.css"}
"""What stands for each part of an address."""
QUERY = {"one": 1, "other": 2}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of three matches, its contest and its export; one match was voided and replayed."""
    place = tmp_path_factory.mktemp("kept")
    contest = load(contests.write_contest(place / "contest", CONTEST, ("ada", "bob", "cy")))
    run_in_process(contest, place / "run", talking_rooms.played)
    void(place / "run", "m0002", "smoke", WHEN)
    run_in_process(contest, place / "run", talking_rooms.played)
    (place / "run" / "logs" / "ada").mkdir(parents=True)
    (place / "run" / "logs" / "ada" / "m0001.log").write_text("ready\n")
    export(Run.open(place / "run"), "jsonl", place / "exported")
    return place


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has commands keep what they keep in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def sampled(places: list[Place], number: int) -> Iterator[tuple[Place, str]]:
    """Yields each place with one of the texts, in turn."""
    yield from ((place, [*TEXTS][(at + number) % len(TEXTS)]) for at, place in enumerate(places))


def test_hostile_text_anywhere_fools_no_command(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    places = [*places_in(kept / "run")]
    for place, kind in [*sampled(places, 0)][::15]:
        check_run(bourre, kept, tmp_path / f"{place.name} {kind}".replace("/", "-"), place, kind)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", TEXTS)
def test_every_hostile_text_everywhere_fools_no_command(bourre: Bourre, kept: Path, tmp_path: Path, kind: str) -> None:
    for number, place in enumerate(places_in(kept / "run")):
        check_run(bourre, kept, tmp_path / str(number), place, kind)
        shutil.rmtree(tmp_path / str(number))


def test_hostile_text_in_an_export_is_a_difference_or_an_error(bourre: Bourre, kept: Path, tmp_path: Path) -> None:
    for number, (place, kind) in enumerate(sampled([*lines_in(kept / "exported")], 3)):
        copy = Path(shutil.copytree(kept / "exported", tmp_path / str(number)))
        place.put(copy, TEXTS[kind])
        done = bourre("verify", copy, "--jobs", 1)
        assert done.code in (2, 4), (place.name, kind, done)
        check_said(done, f"{place.name}, {kind}")


def check_run(bourre: Bourre, kept: Path, folder: Path, place: Place, kind: str) -> None:
    """Puts the text there in a copy of the run, and then has every command and page read it."""
    run = Path(shutil.copytree(kept / "run", folder / "run"))
    (folder / "outside").mkdir()
    place.put(run, TEXTS[kind].replace("OUTSIDE", str(folder / "outside")))
    words = {"RUN": run, "CONTEST": kept / "contest" / "contest.toml", "BOT": "tight"}
    where = f"{place.name}, {kind}"
    check_pages(run, where)
    (folder / "out").mkdir()
    for command in COMMANDS:
        with rooms_in_process(talking_rooms.played):
            done = bourre(*(str(words.get(word, word)).replace("OUT", str(folder / "out")) for word in command.split()))
        assert done.code in (0, 1, 2, 3, 4), f"{where}, {command}: {done}"
        check_said(done, f"{where}, {command}")
    check_files(folder, where)


def check_pages(run: Path, where: str) -> None:
    """Checks every address of a server, which is found and not listed."""
    made = create_application(CachedRun(run, rest=0.0), owners=OWNERS)
    client = TestClient(made.app, base_url="http://127.0.0.1", headers=cookie(key_of("ada")))
    assert isinstance(made.app.app, FastAPI)
    paths = [route.path for route in made.app.app.routes if isinstance(route, Route) and route.path != "/live"]
    for path in (path.format_map(WORDS) for path in paths):
        answer = client.get(path, params={} if path.startswith("/api") else QUERY)
        assert answer.status_code != 500, f"{where}: {path}"
        if answer.headers["content-type"].startswith("text/html"):
            check_page(answer.text, f"{where}: {path}")


def check_files(folder: Path, where: str) -> None:
    """Checks that all files lie where they were asked for, and what spreadsheets and browsers would make of them."""
    assert {path.name for path in folder.iterdir()} <= {"run", "outside", "out"}, where
    assert not any((folder / "outside").iterdir()), where
    for path in (folder / "out").rglob("*.html"):
        check_page(path.read_text(), f"{where}: {path.name}")
    for path in (folder / "out").rglob("*.csv"):
        with path.open(newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t"))], f"{where}: {path.name}"
