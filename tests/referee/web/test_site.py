"""`bourre export --format site`: every link leads to a file in the folder, and all numbers are those of the run."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import bourre_referee.web
from bourre.extras import install_command
from bourre.record import read
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.storage.run.folder_location import FolderLocation
from bourre_referee.storage.run.manifest import Seed
from bourre_referee.storage.run.run import Run
from bourre_referee.text.names import printable
from bourre_referee.web import site_writer
from bourre_referee.web.data.bot_deals import MOST_RENEGES
from bourre_referee.web.data.run_page import RunData, read_run
from bourre_referee.web.site_writer import write_site
from bourre_referee.web.template_filters import interval, number, signed
from tests.referee.command import called
from tests.referee.contests import FILE, small_contest
from tests.referee.in_process import run_in_process
from tests.referee.tampering import Tamperer
from tests.referee.web.reading import PageRead
from tests.referee.web.runs import HOSTILE
from tests.referee.web.serving import copy_run, void_match

FOREIGN = re.compile(r"\bhttps?:(?!//www\.w3\.org/2000/svg)", re.IGNORECASE)


def site_of(run_folder: Path, folder: Path) -> Path:
    """Exports the pages of a run."""
    write_site(Run.open(run_folder), folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def hostile_site(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a run whose bots have hostile names."""
    return site_of(hostile, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def duplicate_site(duplicate_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a run of format `duplicate`."""
    return site_of(duplicate_folder, tmp_path_factory.mktemp("site"))


@cache
def page_of(file: Path) -> PageRead:
    """Returns a page, parsed once for all tests."""
    return PageRead(file.read_text("utf-8"))


def pages(site: Path) -> dict[str, PageRead]:
    """Returns all pages, parsed, by their paths."""
    found = {f"{path.relative_to(site)}": page_of(path) for path in site.rglob("*.html")}
    assert "index.html" in found
    return found


@pytest.mark.parametrize("which", ["site", "hostile_site", "duplicate_site"])
def test_every_link_leads_to_a_file_and_an_anchor_in_it(which: str, request: pytest.FixtureRequest) -> None:
    site: Path = request.getfixturevalue(which)
    read = pages(site)
    reached = {"index.html"}
    for path, page in read.items():
        for link in page.links:
            address = urlsplit(link)
            assert (address.scheme, address.netloc, address.query) == ("", "", ""), link
            target = (site / path).parent.joinpath(address.path).resolve() if address.path else site / path
            assert target.is_file(), f"{path}: {link}"
            name = f"{target.relative_to(site.resolve())}"
            reached |= {name} - ({path} if name == path else set())
            if address.fragment:
                assert address.fragment in read[name].anchors, f"{path}: {link}"
    files = {f"{path.relative_to(site)}" for path in site.rglob("*") if path.is_file()}
    assert files - reached == {"README.txt"}


@pytest.mark.parametrize("which", ["site", "hostile_site", "duplicate_site"])
def test_pages_are_well_formed(which: str, request: pytest.FixtureRequest) -> None:
    for path, page in pages(request.getfixturevalue(which)).items():
        assert page.elements.count("h1") == 1, path
        assert page.elements.count("table") == page.elements.count("caption"), path
        assert len(page.anchors) == len({*page.anchors}), path
        assert not [name for name in page.attributes if name.startswith("on") or name == "style"], path


@pytest.mark.parametrize("which", ["site", "hostile_site", "duplicate_site"])
def test_no_page_requests_anything_from_elsewhere(which: str, request: pytest.FixtureRequest) -> None:
    site: Path = request.getfixturevalue(which)
    for path in site.rglob("*.*"):
        assert not FOREIGN.search(path.read_text("utf-8")), path
        assert "@import" not in path.read_text("utf-8"), path


def test_the_standings_are_those_of_the_command(site: Path, faulty: Path) -> None:
    expected = json.loads(standings_of(Run.open(faulty)).to_json())["standings"]
    read = pages(site)
    rows = read["figures.html"].rows
    heading = rows[0]
    for row, cells in zip(expected, rows[1 : 1 + len(expected)], strict=True):
        assert cells[:2] == [row["bot"], str(row["rank"])]
        assert cells[2] == f"{signed(row['effect'], 1)} {interval(tuple(row['effect95']))}"
        assert cells[heading.index("Score")] == number(row["score"])
        chips = f"{signed(row['chips_per_100'], 1)} {interval(tuple(row['ci95']))}"
        assert cells[heading.index("Chips per 100")] == chips
        first = heading.index("Deals") - len(heading)
        names = ("deals", "wins", "bourres", "reneges", "faults", "house_deals")[:-first]
        assert cells[first:] == [f"{row[name]:,}" for name in names]
        assert "By stand-in" in heading or not row["house_deals"]
    heading, *rows = read["index.html"].rows[-len(expected) - 1 :]
    assert len(heading) == 6
    for row, cells in zip(expected, rows, strict=True):
        figures = [f"{row['rank']}", signed(row["effect"], 1), number(row["score"], 1), number(row["deals"], 0)]
        assert [cells[0], *cells[2:5]] == figures


def test_ties_are_brackets_and_in_older_runs_letters(faulty: Path, site: Path, tmp_path: Path) -> None:
    (tie,) = standings_of(Run.open(faulty)).ties or ()
    text = (site / "figures.html").read_text("utf-8")
    assert re.findall(r'"tied with the bots (.*?)"', text) == ["below", *["above and below"] * (len(tie) - 2), "above"]
    assert ("in one bracket" in text, "letter" in text) == (True, False)
    older = copy_run(faulty, tmp_path)
    layout = FolderLocation(older)
    manifest = layout.read_manifest()
    assert manifest.ratings is not None
    before = manifest.ratings.model_copy(update={"version": 3})
    layout.write_manifest(manifest.model_copy(update={"ratings": before}))
    page = page_of(site_of(older, tmp_path) / "figures.html")
    column = page.rows[0].index("Tied")
    assert [cells[column] for cells in page.rows[1 : 1 + len(tie)]] == ["a"] * len(tie)
    assert ("Bots that share a letter are tied" in page.words, "bracket" in page.words) == (True, False)


def test_the_cross_table_is_that_of_the_command(site: Path, faulty: Path) -> None:
    cross = json.loads(standings_of(Run.open(faulty)).to_json())["cross"]
    heading, *rows = page_of(site / "cross.html").rows
    order = [row[1] for row in rows]
    for name, cells in zip(order, rows, strict=True):
        for other, cell in zip(order, cells[2:], strict=True):
            expected = "itself" if name == other else signed(cross[name][other]["chips_per_100"])
            assert cell.partition("±")[0] == expected
    assert heading[2:] == [f"{name} {rank}" for rank, name in enumerate(order, start=1)]


def test_the_page_on_conduct_has_the_figures_of_the_command(site: Path, faulty: Path) -> None:
    rules = json.loads(called("stats", faulty, "--json").out)["rules"]
    heading, *rows = page_of(site / "conduct.html").rows
    assert heading[-2:] == ["Corrected", "Decisions"]
    assert not (site / "models.html").exists()
    assert "models.html" not in (site / "conduct.html").read_text("utf-8")
    first = heading.index("All faults")
    kinds = ["all", *heading[2:first], "faults", *(kind.lower().replace(" ", "_") for kind in heading[first + 1 : -2])]
    assert {rule for one in rules.values() for rule in one["rates"]} == set(kinds)
    assert [row[0] for row in rows] == list(rules)
    for bot, *cells, corrected, decisions in rows:
        one = rules[bot]
        for rule, cell in zip(kinds, cells, strict=True):
            rate = one["rates"].get(rule)
            assert cell == (
                f"{rate['per_100']:.2f}{rate['ci95'][0]:.2f} to {rate['ci95'][1]:.2f}" if rate else "\N{EN DASH}"
            )
        assert (decisions, corrected) == (
            f"{one['decisions']:,}",
            f"{one['corrected']} of {one['rates']['all']['times']}",
        )


def test_a_match_page_lists_its_deals(site: Path, faulty: Path) -> None:
    record = read(Run.open(faulty).record("m0001"))
    rows = page_of(site / "matches/m0001.html").rows[-len(record.deals) :]
    before = (0,) * len(record.header.bots)
    for deal, cells in zip(record.deals[:-1], rows, strict=False):
        won = [signed(now - then) for now, then in zip(deal.balances, before, strict=True)]
        assert [cell.split()[-1] for cell in cells[3:]] == won
        flagged = [number for number, cell in enumerate(cells[3:]) if "!" in cell]
        assert flagged == sorted({renege.seat for renege in deal.reneges})
        before = deal.balances
    assert any("!" in cell for row in rows for cell in row) == any(deal.reneges for deal in record.deals)


def test_a_bot_page_lists_its_reneges_and_faults(site: Path, faulty: Path) -> None:
    opened = Run.open(faulty)
    for place, bot in enumerate(opened.bots, start=1):
        (row,) = (row for row in standings_of(opened).rows if row.bot == bot)
        page = page_of(site / f"bots/{place}.html")
        words = " ".join(page.words.split())
        by_rule = {rule: int(times) for times, rule in re.findall(r"(\d+) ?reneges?: (R[\d.]+)", words)}
        assert by_rule == row.reneges_by_rule
        assert sum(by_rule.values()) == row.reneges > 0
        links = [link for link in page.links if "-step-" in link]
        assert len({*links}) == len(links) == min(row.reneges, MOST_RENEGES)
        assert sum(map(int, re.findall(r"(\d+) ?faults?: ", words))) == row.faults > 0


def test_hostile_names_are_text(hostile_site: Path) -> None:
    read = pages(hostile_site)
    assert [page for page in read.values() if {"img", "iframe", "object"} & {*page.elements}] == []
    shown = [row[0] for row in read["figures.html"].rows[1 : 1 + len(HOSTILE)]]
    assert {printable(name)[:20] for name in HOSTILE} == {name[:20] for name in shown}
    assert max(map(len, shown)) == 60
    for path, page in read.items():
        assert "\u202e" not in page.words, path
        assert "alert" not in "".join(page.links), path


def test_in_duplicate_every_seating_has_its_anchor(duplicate_site: Path) -> None:
    links = page_of(duplicate_site / "matches/m0001.html").links
    playings = [f"../replays/m0001.html#deal-{deal}-{seating}" for deal in (1, 2) for seating in (1, 2, 3)]
    assert sorted({link for link in links if re.search(r"#deal-\d+-\d+$", link)}) == playings
    assert "Less luck" in page_of(duplicate_site / "figures.html").words
    assert "less the luck of the draw" in page_of(duplicate_site / "index.html").words


def test_a_run_without_a_match_has_pages_too(faulty: Path, tmp_path: Path) -> None:
    layout = FolderLocation(tmp_path)
    manifest = FolderLocation(faulty).read_manifest()
    secret = Seed(note="secret until all matches are done", commitment="ab" * 32, revealed=None)
    terms = manifest.terms.model_copy(update={"seed": None})
    begun = {"digest": None, "finished": 0, "seed": secret, "terms": terms}
    layout.write_manifest(manifest.model_copy(update=begun))
    found = pages(site_of(tmp_path, tmp_path))
    home = found["index.html"].words
    assert "0 of 10 matches finished" in " ".join(home.split())
    assert "No match has finished yet" in home
    assert f"Seed secret until all matches are done, SHA-256 {'ab' * 32}" in home
    assert "The digest appears when all matches are finished." in home
    assert "Not played yet" in found["bots/1.html"].words
    assert not [path for path in found if path.startswith(("matches/", "replays/"))]


def test_a_secret_seed_stays_secret_until_the_end(tmp_path: Path) -> None:
    contest = small_contest(tmp_path / "contest", FILE.replace("seed = 7\n", ""))
    run_in_process(contest, tmp_path / "run")
    layout = FolderLocation(tmp_path / "run")
    manifest = layout.read_manifest()
    master = manifest.seed.revealed
    assert master is not None
    secret = Seed(note="secret until all matches are done", commitment=manifest.seed.commitment, revealed=None)
    layout.write_manifest(manifest.model_copy(update={"digest": None, "seed": secret}))
    site = site_of(tmp_path / "run", tmp_path)
    for path in site.rglob("*.html"):
        assert master not in path.read_text("utf-8")
    assert manifest.seed.commitment in (site / "index.html").read_text("utf-8")


def test_matches_finished_during_the_export_are_left_out(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages show the run as it was when it was read: here, as if only one match had been finished by then."""

    def earlier(run: Run) -> RunData:
        data = read_run(run)
        return replace(data, matches=data.matches[:1])

    monkeypatch.setattr(site_writer, "read_run", earlier)
    site = site_of(finished, tmp_path)
    assert [path.name for place in ("matches", "replays") for path in (site / place).iterdir()] == ["m0001.html"] * 2


def test_a_match_voided_during_the_export_ends_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def earlier(run: Run) -> RunData:
        data = read_run(run)
        void_match(folder, "m0001")
        return replace(data, matches=data.matches[:1])

    monkeypatch.setattr(site_writer, "read_run", earlier)
    done = called("export", folder, "--format", "site", "--out", tmp_path / "pages")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"bourre: {folder}: a match was annulled during the export.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_match_id_that_leads_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    Tamperer(folder).execute("UPDATE \"match\" SET match = '../m0001' WHERE number = 1")
    done = called("export", folder, "--format", "site", "--out", tmp_path / "pages")
    assert (done.code, done.out) == (2, "")
    assert "run.db: table match, number 1: match: '../m0001' is no id of a match." in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_the_command_writes_the_site_and_prints_where(faulty: Path, tmp_path: Path) -> None:
    done = called("export", faulty, "--format", "site", "--out", tmp_path / "pages")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"bourre: Written to {tmp_path / 'pages'}. Its README.txt explains the files.\n"
    assert "index.html" in (tmp_path / "pages" / "README.txt").read_text("utf-8")


def test_without_the_extra_the_command_names_it(faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bourre_referee, "web", bourre_referee.web
    )  # restored afterwards, because the command imports it again
    for module in [name for name in sys.modules if name.startswith("bourre_referee.web")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    done = called("export", faulty, "--format", "site", "--out", tmp_path / "pages")
    assert done.code == 2
    assert f"hint: {install_command('web')}" in done.err
    assert list(tmp_path.iterdir()) == []
