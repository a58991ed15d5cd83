"""A duplicate contest over real gRPC: the same as in one process, at any number of tables, and provable."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bourre.bot_code.bot_file import load
from bourre.practice import practice_duplicate
from bourre.record import read
from bourre.rules.deck import derive, master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.contest_file import load as load_contest
from bourre_referee.contest.contest_plan import plan
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.derived.run_standings import standings_of
from bourre_referee.luck import BASELINE
from bourre_referee.model.site import Site
from bourre_referee.runner.board_collector import BoardCollector
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.room_reports import RoomPlayed
from bourre_referee.storage.run.run import Run
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.run_source import source_of
from bourre_referee.verify.verify import verify
from tests.end_to_end.rooms import played
from tests.referee.tampering import Tamperer

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = {"tight": "tight", "dice": "random_bot"}
CONTEST = """
[contest]
name = "duplicate"
seed = 7
[table]
seats = 2
deals = 4
format = "duplicate"
tables = 32
stakes = [0, 2]
[rules]
preset = "limit"
[schedule]
rounds = 1
[clock]
start_ms = 60000
decision_ms = 60000
[isolation]
level = "none"
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Each room has its own bots, started for it alone."""
    folder, text = tmp_path_factory.mktemp("duplicate"), CONTEST
    for name, script in BOTS.items():
        text += f'[[bots]]\nname = "{name}"\ncommand = ["python", "{EXAMPLES / script}.py"]\n'
    file = folder / "contest.toml"
    file.write_text(text)
    return run(load_contest(file), folder / "run", jobs=1)


def test_it_is_the_match_that_practice_plays(finished: Run) -> None:
    """Processes over gRPC and objects in one process give the same bytes."""
    record = finished.record("m0001")
    bots = {name: load(str(EXAMPLES / f"{BOTS[name]}.py")) for name in read(record).header.bots}
    seed = derive(master_seed(7), "match 1")
    house = HouseRules.preset("limit")
    assert record == practice_duplicate(bots, 4, seatings, seed, house, stakes=(0, 2))


def test_the_number_of_tables_changes_nothing(finished: Run, tmp_path: Path) -> None:
    """At one table the bots run in this process."""
    contest = load_contest(finished.path.parent / "contest.toml")
    guests = {name: load(str(EXAMPLES / f"{script}.py")) for name, script in BOTS.items()}
    site = Site(contest.folder, tmp_path)
    rooms = [replace(room, tables=1) for room in plan(contest, master_seed(7))]
    with BoardCollector(BASELINE) as gathering:
        for room in rooms:
            assert not [*gathering.collect(RoomPlayed(room, 1, tuple(played(site.place(room), guests))))]
        alone = [match.record for match in gathering.wait()]
    assert alone == [finished.record(result.match) for result in finished.results()]


def test_it_is_verified(finished: Run) -> None:
    verified = verify(source_of(finished.path), jobs=1)
    assert verified.digest == finished.manifest.digest
    assert verified.amounts.deals == 2 * 4 * 2  # matches, deals, seatings


def test_standings_count_whole_chips_raw_and_less_luck(finished: Run) -> None:
    table = standings_of(finished)
    assert table.format == "duplicate"
    assert {row.deals for row in table.rows} == {2 * 4 * 2}
    assert sum(row.chips or 0 for row in table.rows) == pytest.approx(0, abs=0.01)
    assert all(abs(row.chips_per_100 or 0) < 1000 for row in table.rows)
    assert any(row.adjusted_per_100 != row.chips_per_100 for row in table.rows)
    assert all(row.adjusted_ci95 for row in table.rows)
    assert table.adjusted_cross
    assert table.adjusted_cross != table.cross
    assert '"adjusted_cross"' in table.to_json()


def test_changed_luck_is_found(finished: Run, tmp_path: Path) -> None:
    """Luck is computed again from the cards, even if everything that follows from it was falsified consistently."""
    tamperer = Tamperer(Path(shutil.copytree(finished.path, tmp_path / "run")))
    ((packed,),) = tamperer.execute("SELECT blocks FROM match WHERE match = 'm0002'")
    blocks = json.loads(zlib.decompress(packed))
    blocks[2][1][0] += 840
    blocks[2][1][1] -= 840
    tamperer.execute("UPDATE match SET blocks = ? WHERE match = 'm0002'", zlib.compress(json.dumps(blocks).encode()))
    tamperer.make_it_fit()
    with pytest.raises(Difference, match=r"match m0002, deal 3: the stored luck of the draw") as found:
        verify(source_of(tamperer.folder), jobs=1)
    assert (found.value.match, found.value.deal) == ("m0002", 3)


def test_bots_that_change_places_are_found(finished: Run, tmp_path: Path) -> None:
    """A record in which two bots have changed places in one seating, cards and answers untouched."""
    tamperer = Tamperer(Path(shutil.copytree(finished.path, tmp_path / "run")))

    def change(values: dict[str, Any]) -> None:
        one, other, *rest = values["line_up"]
        values["line_up"] = [other, one, *rest]

    tamperer.change("m0001", 1, change)
    with pytest.raises(Difference, match="match m0001"):
        verify(source_of(tamperer.folder), jobs=1)


SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deals.py"


def dealt_again(folder: Path) -> subprocess.CompletedProcess[str]:
    """The output of the verifier in plain Python, which does not use this package."""
    return subprocess.run([sys.executable, "-IS", SCRIPT, folder], capture_output=True, text=True, timeout=60)


def test_the_text_suffices_to_deal_it_again(finished: Run) -> None:
    done = dealt_again(finished.path)
    assert (done.returncode, done.stdout) == (0, "2 matches, 16 deals dealt again: no difference\n"), done.stderr


def test_a_stranger_finds_a_card_that_was_changed(finished: Run, tmp_path: Path) -> None:
    tamperer = Tamperer(Path(shutil.copytree(finished.path, tmp_path / "run")))
    lines = tamperer.record("m0002")
    number = next(number for number, line in enumerate(lines) if any(line.get("received", [])))

    def change(values: dict[str, Any]) -> None:
        seat = next(seat for seat, cards in enumerate(values["received"]) if cards)
        values["received"][seat] = "2C" if values["received"][seat] != "2C" else "3C"

    tamperer.change("m0002", number, change)
    tamperer.make_it_fit()
    done = dealt_again(tamperer.folder)
    assert done.returncode == 4
    assert f"m0002, deal {lines[number]['deal']}: what seat" in done.stdout
