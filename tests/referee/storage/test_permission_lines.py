"""Everybody sees who had a network or another level of isolation: before the first card, and with the standings."""

from __future__ import annotations

import json
from pathlib import Path

from bourre_referee.contest.contest_file import load
from tests.referee.command import Bourre
from tests.referee.contests import FILE, bot, write_contest
from tests.referee.in_process import run_in_process
from tests.referee.rooms import played
from tests.referee.web.serving import serving

NETWORKS = "network: ada (any public address), bob (api.example.org:443, 10.0.0.5:80)"
TALK = "network: ada, bob can talk to each other there, about their cards too"
LEVEL = "isolation: bob has level none, the contest best"
LISTED = 'network = ["api.example.org:443", "10.0.0.5:80"]\n[bots.isolation]\nlevel = "none"\n'
KEYS = {"ada": "network = true\n", "bob": LISTED}


def run_with(place: Path, keys: dict[str, str], bots: tuple[str, ...] = ("ada", "bob", "cy")) -> Path:
    """A finished run of bots with these keys."""
    file = write_contest(place, FILE.replace('level = "none"', ""), bots)
    file.write_text(FILE.replace('level = "none"', "") + "".join(bot(name) + keys.get(name, "") for name in bots))
    run_in_process(load(file), place / "run", played)
    return place / "run"


def test_the_run_and_standings_and_pages_show_who_had_what(tmp_path: Path, bourre: Bourre) -> None:
    folder = run_with(tmp_path, KEYS)
    assert {NETWORKS, TALK, LEVEL} < {*bourre("standings", folder).out.split("\n")}
    shown = json.loads(bourre("standings", folder, "--json").out)
    assert shown["network"] == {"ada": True, "bob": ["api.example.org:443", "10.0.0.5:80"]}
    assert shown["isolation"] == {"bob": "none"}
    with serving(folder) as it:
        answer = it.client.get("/api/standings").json()
        assert (answer["network"], answer["isolation"]) == (shown["network"], shown["isolation"])
        for line in (NETWORKS, TALK, LEVEL):
            assert line in it.text("/")
    again = bourre("run", folder.parent / "contest.toml", "--out", folder)
    assert {f"bourre: {line}" for line in (NETWORKS, TALK, LEVEL)} < {*again.err.split("\n")}


def test_one_network_lets_nobody_talk(tmp_path: Path, bourre: Bourre) -> None:
    shown = bourre("standings", run_with(tmp_path, {"bob": LISTED})).out
    assert "network: bob (api" in shown
    assert "talk to each other" not in shown


def test_where_all_bots_are_alike_nothing_is_said(tmp_path: Path, bourre: Bourre) -> None:
    folder = run_with(tmp_path, {"bob": "[bots.isolation]\nmemory_mib = 100\n"})
    shown = bourre("standings", folder).out
    assert "network" not in shown
    assert "isolation" not in shown
    assert {"network", "isolation"}.isdisjoint(json.loads(bourre("standings", folder, "--json").out))
