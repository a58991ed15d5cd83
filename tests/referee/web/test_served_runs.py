"""Every page of a server that links reach: of format `duplicate`, and of bots with hostile names."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest

from bourre.record import read
from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import printable
from bourre_referee.web.template_filters import interval, signed
from tests.referee.command import called
from tests.referee.contests import played
from tests.referee.ladder.host.killed_epochs import ROOMS, play
from tests.referee.ladder.host.played_ladders import epoch_terms
from tests.referee.web.reading import PageRead
from tests.referee.web.runs import HOSTILE
from tests.referee.web.serving import Served, serving


@pytest.fixture(scope="module")
def duplicate(duplicate_folder: Path) -> Iterator[Served]:
    with serving(duplicate_folder) as it:
        yield it


@pytest.fixture(scope="module")
def duplicate_pages(duplicate: Served) -> dict[str, PageRead]:
    return crawl(duplicate)


@pytest.fixture(scope="module")
def hostile_served(hostile: Path) -> Iterator[Served]:
    with serving(hostile) as it:
        yield it


def crawl(served: Served, alike: int | None = None) -> dict[str, PageRead]:
    """Returns all pages that links reach from the first one; every address on them must answer.

    At most `alike` of those are asked for whose addresses differ only in their numbers.
    """
    found: dict[str, PageRead] = {}
    seen, left = {"/"}, ["/"]
    kinds = Counter[str]()
    while left:
        path = left.pop()
        answer = served.client.get(path)
        assert answer.status_code == 200, path
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        found[path] = PageRead(answer.text)
        for link in found[path].links:
            to = urldefrag(urljoin(path, link)).url
            assert to.startswith("/"), (path, link)
            kind = re.sub(r"\d+", "0", to)
            if to not in seen and (alike is None or kinds[kind] < alike):
                kinds[kind] += 1
                left.append(to)
            seen.add(to)
    return found


def test_every_seating_of_a_duplicate_deal_has_its_page(
    duplicate_pages: dict[str, PageRead], duplicate_folder: Path
) -> None:
    run, found = Run.open(duplicate_folder), dict(duplicate_pages)
    records = [read(run.record(match)) for match in run.matches()]
    playings = [(record.header.match, deal.deal, deal.seating) for record in records for deal in record.deals]
    assert len(playings) == 6 * len(records)
    for match, deal, seating in playings:
        page = found.pop(f"/matches/{match}/deals/{deal}-{seating}")
        assert f"Deal {deal}, seating {seating} of {match}" in page.words
    assert not [path for path in found if "/deals/" in path or path.endswith("/logs")]


def test_the_api_gives_each_seating_its_line_of_the_record(duplicate: Served, duplicate_folder: Path) -> None:
    lines = [json.loads(line) for line in Run.open(duplicate_folder).record("m0001").splitlines()]
    playings = {(line["deal"], line["seating"]): line for line in lines if "dealt" in line}
    assert len(playings) == 6
    for (deal, seating), line in playings.items():
        answer = duplicate.client.get(f"/api/matches/m0001/deals/{deal}-{seating}").json()
        assert (answer["deal"], answer["seating"], answer["record"]) == (deal, seating, line)
    for wrong in ("1", "1-4", "3-1"):
        problem = duplicate.client.get(f"/api/matches/m0001/deals/{wrong}")
        assert problem.status_code == 404
        assert problem.json()["mend"] == "its deals are 1 to 2, each with its seating: 1-1 to 2-3"


ADJUSTED = ("adjusted_per_100", "adjusted_ci95")


def test_duplicate_standings_are_those_of_the_command(duplicate: Served, duplicate_folder: Path) -> None:
    printed = called("standings", duplicate_folder, "--json").out
    assert f"{duplicate.text('/api/standings')}\n" == printed
    figures = PageRead(duplicate.text("/figures"))
    headings = figures.rows[0]
    standings = json.loads(printed)["standings"]
    for row, known in zip(figures.rows[1 : 1 + len(standings)], standings, strict=True):
        assert row[headings.index("Bot")].strip() == known["bot"]
        for heading, value in (("Chips per 100", "chips_per_100"), ("Less luck", "adjusted_per_100")):
            assert row[headings.index(heading)].startswith(signed(known[value], 1))
        ends = interval(tuple(known["effect95"])) if known["effect95"] else "\N{EN DASH}"
        assert row[headings.index("Effect")].strip() == f"{signed(known['effect'], 1)} {ends}"


def test_hostile_names_are_text_on_every_page(hostile_served: Served) -> None:
    found = crawl(hostile_served, alike=5)
    kinds = {re.sub(r"\d+", "0", path) for path in found}
    assert {"/", "/cross", "/matches", "/bots/0", "/matches/m0", "/matches/m0/deals/0"} <= kinds
    for path, page in found.items():
        assert {"img", "iframe", "object"}.isdisjoint(page.elements), path
        assert [name for name in page.attributes if name.startswith("on")] == [], path
        assert "alert" not in "".join(page.links), path
        assert "\u202e" not in page.words, path
    names = {row[0].strip()[:20] for row in found["/figures"].rows[1 : 1 + len(HOSTILE)]}
    assert names == {printable(name)[:20] for name in HOSTILE}


def test_hostile_names_reach_programs_as_they_are(hostile_served: Served) -> None:
    answer = hostile_served.client.get("/api/bots")
    assert answer.headers["content-type"] == "application/json"
    assert [bot["name"] for bot in answer.json()["bots"]] == [*HOSTILE]
    assert hostile_served.client.get("/api/matches").headers["x-content-type-options"] == "nosniff"


def test_every_page_links_to_the_api(duplicate_pages: dict[str, PageRead]) -> None:
    found = duplicate_pages
    assert "/api" in found
    others = {path: page for path, page in found.items() if path != "/wall" and not path.endswith("/replay.html")}
    alone = [path for path, page in others.items() if "/api" not in page.links]
    assert alone == []


def test_an_epoch_is_served_while_its_rooms_are_called(tmp_path: Path) -> None:
    terms = epoch_terms(tmp_path / "contest")
    with closing(EpochRun.create(FolderLocation(tmp_path / "epoch"), "ladder", terms)) as epoch:
        epoch.call(ROOMS)
        play(epoch, 4)
        with serving(tmp_path / "epoch") as served:
            assert "/matches/m0004" in crawl(served, alike=6)
            epoch.call([*ROOMS, ("new.1", "a.1")])
            epoch.take(played(epoch.spec(5)))
            pages = crawl(served, alike=6)
            assert "/matches/m0005" in pages
            bots = json.loads(served.text("/api/bots"))["bots"]
            assert {bot["name"]: bot["present"] for bot in bots} == dict.fromkeys(
                ["a.1", "b.1", "c.1", "d.1", "b.2", "new.1"], True
            )
            assert json.loads(served.text("/api/run"))["matches"] == 4
            epoch.close_epoch()
            assert epoch.commitment in served.text("/")
