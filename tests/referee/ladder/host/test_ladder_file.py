"""Ladder files: what they may say, and every way to get one wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Entrant
from bourre_referee.contest.schedule_section import ScheduleChoice
from bourre_referee.ladder.board.benching import BenchingTerms
from bourre_referee.ladder.host.ladder_file import BoardSettings, BoardTerms, EpochEnd, Quotas, load_ladder
from bourre_referee.ladder.host.ladder_terms import epoch_terms, logged_settings, terms_set
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Clock
from bourre_referee.ratings.belief import Rating
from tests.referee.ladder.host.ladder_folders import FILE, STAFF, write_file


def refused(folder: Path, text: str) -> list[str]:
    """The errors in a file with this text, without the folder's path."""
    path = write_file(folder, text)
    with pytest.raises(ContestError) as caught:
        load_ladder(path)
    return re.split(r"\n(?!hint: )", str(caught.value).replace(f"{folder}/", ""))


def test_everything_that_a_file_may_say(tmp_path: Path) -> None:
    text = """
[ladder]
name = "Spring-cup_2.0"
owners_apart = false
[table]
seats = 4
deals = 20
[rules]
preset = "limit"
pot_limit = 30
[clock]
decision_ms = 200
[faults]
max = 5
[isolation]
level = "none"
[listen]
address = "127.0.0.1:7443"
[epoch]
rooms = 100
hours = 0.5
[quotas]
bots = 50
bots_per_owner = 2
versions_per_day = 4
connections = 60
[board]
tau = 0.1
unseen_days = 3
[benching]
fault_share = 0.5
games = 8
[[staff]]
name = "tight"
command = ["python", "bots/tight.py"]
rating = [25, 1.5]
[[staff]]
name = "guide"
connect = true
"""
    settings = load_ladder(write_file(tmp_path, text))
    contest = settings.contest
    assert (contest.name, contest.seats, contest.deals, contest.format) == ("Spring-cup_2.0", 4, 20, "session")
    assert (contest.house, contest.clock) == (HouseRules(pot_limit=30), Clock(decision_ms=200))
    assert (contest.max_faults, contest.isolation.level) == (5, "none")
    assert (contest.schedule, contest.seed, contest.listen.address) == (
        ScheduleChoice("ladder"),
        None,
        "127.0.0.1:7443",
    )
    assert contest.entrants == (
        Entrant("tight", ("python", "bots/tight.py"), ("bots/tight.py",), files_by_default=True),
        Entrant("guide", None, ()),
    )
    assert not settings.owners_apart
    assert settings.epoch == EpochEnd(rooms=100, hours=0.5)
    assert settings.quotas == Quotas(
        bots=50, bots_per_owner=2, versions_per_day=4, connections=60, challenges_per_day=10
    )
    assert settings.board == BoardTerms(tau=0.1, unseen_days=3)
    assert settings.benching == BenchingTerms(fault_share=0.5, games=8)
    assert settings.anchors == {"tight": Rating(25, 1.5)}


def test_what_a_file_need_not_say(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path, FILE))
    assert settings.owners_apart
    assert settings.epoch == EpochEnd(rooms=1_000, hours=24)
    assert settings.contest.entrants == ()


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("seats = 3", "seats = 9", ["4: [table] seats = 9: "]),
        ("seats = 3", "", ["3: [table] seats is missing"]),
        ("deals = 5", "deals = 5\nstakes = [1]", ["6: [table] Unknown key 'stakes'"]),
        ("[table]", "[tabel]\n[table]", ["3: Unknown section 'tabel'. Did you mean 'table'?"]),
        ("[table]", "[epoch]\nhours = nan\n[table]", ["4: [epoch] hours = NaN: must be finite"]),
        ("[table]", "[epoch]\nrooms = 0\n[table]", ["4: [epoch] rooms = 0: must be 1 or more"]),
        ("[table]", "[rules]\nante = -1\n[table]", ["4: [rules] "]),
        ("[table]", "[schedule]\n[table]", ["3: Unknown section 'schedule'. Sections: ladder, table"]),
        (
            '"class"',
            '"a b"\nowners_apart = 1',
            ["2: [ladder] name", "3: [ladder] owners_apart = 1: must be true or false"],
        ),
        ('"tight"', '"ti.ght"', ['7: [[staff]] ti.ght: name = "ti.ght": write 1 to 24 of the characters']),
        ("25, 1.5", '25, "x"', ['9: [[staff]] tight: rating.1 = "x": must be a number']),
        ("25, 1.5", "25", ["9: [[staff]] tight: rating = [25]: must be mu and sigma, such as [25.0, 1.0]"]),
        ("25, 1.5", "25, -1", ["9: [[staff]] tight: rating.1 = -1: must be 0.0 or more"]),
        ("bots/tight.py", "bots/tigth.py", ["8: [[staff]] tight: no file 'bots/tigth.py' here.\nhint: use 'tight.py'"]),
        ("rating", 'venv = ".venv"\nrating', ["9: [[staff]] tight: no file '.venv'"]),
        (
            "rating",
            'files = ["bots/tight.py", "../outside.py"]\nrating',
            ["9: [[staff]] tight: '../outside.py' is outside of the folder"],
        ),
        ("[[staff]]", "[staff]", ["6: staff must be written [[staff]], once for each bot"]),
        ("rating", "network = 1\nrating", ["9: [[staff]] tight: network = 1: must be true, or a list of hosts"]),
        (
            "[table]",
            '[listen]\ntls_cert = "c.pem"\ntls_key = "/k.pem"\n[table]',
            [
                "4: [listen] tls_cert = 'c.pem': No such file",
                "4: [listen] tls_cert = 'c.pem': must be an absolute path, because",
                "5: [listen] tls_key = '/k.pem': No such file",
            ],
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, old: str, new: str, lines: list[str]) -> None:
    (tmp_path / "outside.py").touch()
    found = refused(tmp_path / "host", (FILE + STAFF).replace(old, new, 1))
    assert len(found) == len(lines)
    for line, start in zip(found, lines, strict=True):
        assert line.startswith(f"ladder.toml:{start}")


def test_two_staff_bots_need_two_names(tmp_path: Path) -> None:
    (line,) = refused(tmp_path, FILE + STAFF + STAFF.replace('"tight"', '"Tight"'))
    assert line.startswith("ladder.toml:11: [[staff]] name = 'Tight': this name differs from 'tight' only in case")


def test_a_relative_environment_is_refused(tmp_path: Path) -> None:
    (tmp_path / "env/bin").mkdir(parents=True)
    (tmp_path / "env/pyvenv.cfg").touch()
    (tmp_path / "env/bin/python").touch(mode=0o755)
    (line,) = refused(tmp_path, FILE + STAFF + 'venv = "env"\n')
    assert line.startswith(
        "ladder.toml:10: [[staff]] tight: venv = 'env': must be an absolute path, because the ladder"
    )
    path = write_file(tmp_path, f'{FILE}{STAFF}venv = "{tmp_path}/env"\n')
    assert load_ladder(path).contest.entrants[0].venv == f"{tmp_path}/env"


def test_a_missing_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"Cannot read .*\nhint: pass the path of a ladder file"):
        load_ladder(tmp_path / "none.toml")


def test_every_term_is_told(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path))
    told = terms_set(settings)
    assert told.tables == epoch_terms(settings).hash
    assert dict(told.others) == {
        "epoch.rooms": "1000",
        "epoch.hours": "24.0",
        "quotas.bots": "1000",
        "quotas.bots_per_owner": "3",
        "quotas.versions_per_day": "10",
        "quotas.connections": "2000",
        "quotas.challenges_per_day": "10",
        "board.tau": "0.008",
        "board.unseen_days": "14.0",
        "benching.fault_share": "0.2",
        "benching.games": "20",
        "pairing": "2",
        "rating of tight": "25.0 1.5",
    }


def test_the_terms_of_a_board_are_read_back_unless_some_are_missing(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path, f"{FILE}[board]\ntau = 0.1\n[benching]\nfault_share = 0.5\n{STAFF}"))
    told = terms_set(settings)
    assert logged_settings(told) == BoardSettings(settings.board, settings.benching, settings.anchors)
    assert logged_settings(None) is None
    for key in ("board.tau", "benching.games", "rating of tight"):
        damaged = (*((name, text) for name, text in told.others if name != key), (key, "much"))
        assert logged_settings(replace(told, others=damaged)) is None
    assert logged_settings(replace(told, others=told.others[:-3])) is None


def test_other_tables_have_another_hash(tmp_path: Path) -> None:
    settings = load_ladder(write_file(tmp_path))
    slower = replace(settings.contest.clock, decision_ms=9_999)
    other = replace(settings, contest=replace(settings.contest, clock=slower))
    assert terms_set(other).tables != terms_set(settings).tables
    assert terms_set(other).others == terms_set(settings).others
