"""The bot for Node.js in contests with Python bots: every decision, many tables, in a sandbox, reconnecting."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bourre.bot_code.bot_file import load
from bourre.connection.channel import Tls
from bourre.connection.client import play
from bourre.record import read, replay
from bourre.rules.house import HouseRules
from bourre_referee.contest.duplicate import boards as boards_of
from bourre_referee.diagnostics.attacks.invited_room import open_listener
from bourre_referee.evaluation.starters.starter import NODE, make
from bourre_referee.model.listener_spec import TlsFiles
from bourre_referee.model.spec import Clock, MatchOutcome, PlacedRoom
from tests.certificates import Authority
from tests.end_to_end.breaking import Wire, cut_before_first_welcome, played_with, visited_room
from tests.end_to_end.node_bots import FILES, entry_of, installed, with_bot
from tests.end_to_end.rooms import GENEROUS, faults_of, played, room_with
from tests.long_tests import mostly_long
from tests.referee.command import called

pytestmark = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="there is no Node.js here: apt-get install nodejs npm"
)
EXAMPLES = Path(__file__).parents[2] / "examples"
LOWEST, DRAWER = "honest1", "honest2"
RIVALS = {LOWEST: load(str(EXAMPLES / "lowest.py")), DRAWER: load(str(EXAMPLES / "drawer.py"))}
"""The bots that run in this process."""
DECIDING = ("separate_dealer_option", "simultaneous", "nba", "indiana")
"""Presets that, with `limit`, ask for every kind of decision in every way."""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of `bourre new --lang node`, ready to play."""
    return installed(tmp_path_factory)


def room_of(folder: Path, logs: Path, **keys: Any) -> PlacedRoom:
    """A room whose bot `tested` is that of this folder."""
    spec = room_with("honest", logs, **keys)
    return replace(spec, entries=(entry_of(folder, "tested"), *spec.entries[1:]))


def under(house: HouseRules, spec: PlacedRoom) -> PlacedRoom:
    """The same room under other house rules."""
    return replace(spec, matches=tuple(replace(match, house=house) for match in spec.matches))


def played_well(spec: PlacedRoom) -> list[MatchOutcome]:
    """The outcomes of the bot for Node.js against examples; asserts that no bot made a mistake."""
    outcomes = played(spec, RIVALS)
    assert [outcome.faults for outcome in outcomes] == [()] * len(spec.matches)
    assert {seat.reneges for outcome in outcomes for seat in outcome.result.seats} == {0}
    return outcomes


def records_of(outcomes: Iterable[MatchOutcome]) -> list[str]:
    """What happened in each match."""
    return [outcome.record for outcome in outcomes]


@pytest.fixture(scope="module")
def undisturbed(node: Path, tmp_path_factory: pytest.TempPathFactory) -> list[MatchOutcome]:
    """The results in a plain process at one table."""
    return played_well(room_of(node, tmp_path_factory.mktemp("undisturbed"), matches=4, deals=8))


def test_it_is_better_than_lowest(undisturbed: list[MatchOutcome]) -> None:
    chips = Counter[str]()
    for outcome in undisturbed:
        chips.update({seat.bot: seat.chips for seat in outcome.result.seats})
    assert chips["tested"] > 0 > chips[LOWEST]


def test_a_second_run_at_many_tables_comes_to_the_same(
    node: Path, undisturbed: list[MatchOutcome], tmp_path: Path
) -> None:
    again = played_well(room_of(node, tmp_path, matches=4, deals=8, tables=4))
    assert records_of(again) == records_of(undisturbed)


def test_a_whole_contest_in_boxes_takes_it_by_its_command(node: Path, tmp_path: Path) -> None:
    files = json.dumps([str(node / file) for file in FILES])
    (tmp_path / "contest.toml").write_text(
        f'[contest]\nname = "node"\nseed = 7\n[table]\nseats = 2\ndeals = 4\n'
        f"[schedule]\nrounds = 1\n[clock]\nstart_ms = 30000\ndecision_ms = 30000\n"
        '[isolation]\nlevel = "bwrap"\n'
        f'[[bots]]\nname = "node"\ncommand = ["node", "{node / "bot.js"}"]\nfiles = {files}\n'
        f'[[bots]]\nname = "lowest"\ncommand = ["python", "{EXAMPLES}/lowest.py"]\n'
    )
    done = called("run", tmp_path / "contest.toml", "--out", tmp_path / "run", "--jobs", 1, "--json")
    assert done.code == 0, done.err
    rows = json.loads(done.out)["standings"]
    assert sorted((row["bot"], row["faults"], row["reneges"]) for row in rows) == [("lowest", 0, 0), ("node", 0, 0)]


@pytest.mark.parametrize("preset", mostly_long(dict(zip(DECIDING, DECIDING, strict=True)), {"indiana"}))
def test_it_answers_all_that_a_house_may_ask(node: Path, tmp_path: Path, preset: str) -> None:
    played_well(under(HouseRules.preset(preset), room_of(node, tmp_path, matches=3, tables=4)))


@pytest.mark.long
def test_boards_of_a_duplicate_match_come_to_the_same_at_one_table_and_at_many(node: Path, tmp_path: Path) -> None:
    spec = room_of(node, tmp_path, deals=6)
    (boards, *_) = boards_of(spec.matches[0], stakes=(0, 2))
    one, many = (played_well(replace(spec, matches=boards, tables=tables)) for tables in (1, 32))
    assert len(boards) == 6
    assert [outcome.deal for outcome in one] == [outcome.deal for outcome in many]


RENEGING = """\
import { MyBot } from "./good.js";
import { run } from "./sdk/index.js";
class Reneging extends MyBot {
  play(view) {
    const illegal = view.hand.filter((card) => !view.legal.includes(card));
    return view.renege || illegal.length === 0 ? super.play(view) : illegal[0];
  }
  onRenege({ card, rule }) { console.log(`reneged: ${card} ${rule}`); }
  recall(view, card) { return view.legal[0]; }
}
run(Reneging, import.meta.url);
"""


@pytest.mark.parametrize("policy", ["prompt", pytest.param("silent", marks=pytest.mark.long)])
def test_it_corrects_a_renege_when_told_and_recalls_one_when_not(node: Path, tmp_path: Path, policy: str) -> None:
    folder = with_bot(node, RENEGING, tmp_path / "bot")
    (folder / "good.js").write_text((node / "bot.js").read_text())
    spec = room_of(folder, tmp_path, deals=20)
    (outcome,) = played(under(HouseRules.preset("limit", renege_policy=policy), spec))
    kinds = [type(event).__name__ for step in replay(read(outcome.record)) for event in step.events]
    assert kinds.count("RenegeCorrected") == kinds.count("Reneged") > 2
    assert outcome.faults == ()
    assert ("reneged: " in log_of(tmp_path)) == (policy == "prompt")


def log_of(logs: Path) -> str:
    """Everything that the tested bot printed."""
    return "".join(path.read_text() for path in sorted((logs / "tested").iterdir()))


FAILING = {
    "an error": ("play(view) { return view.cards.first; }", "TypeError: Cannot read properties of undefined"),
    "no card": ("play(view) { }", "play returned undefined: return a card such as view.legal[0]"),
    "no declaration": ("async declare(view) { return view.hand[0]; }", "return true or false"),
    "no array": ("draw(view) { return '2C'; }", 'draw returned "2C": return an array of the cards to discard'),
}


@pytest.mark.parametrize(("body", "told"), mostly_long(FAILING, {"no declaration"}))
def test_what_fails_in_it_stands_in_its_log_with_the_hand(node: Path, tmp_path: Path, body: str, told: str) -> None:
    code = f'import {{ Bot, run }} from "./sdk/index.js";\nclass Wrong extends Bot {{ {body} }}\n'
    folder = with_bot(node, f"{code}run(Wrong, import.meta.url);\n", tmp_path / "bot")
    (outcome,) = played(room_of(folder, tmp_path, deals=12))
    assert set(faults_of(outcome, "tested")) == {"error"}
    log = log_of(tmp_path)
    assert told in log
    assert "bot.js:2:" in log or "returned" in log
    assert "no answer to DECISION_" in log
    assert "hand " in log


COMING_BACK = """\
import { Tables } from "./tables.js";
const ends = [];
const tables = new Tables(class { onMatchEnd(balances) { ends.push(balances); } });
const nothing = { welcome: null, seatings: [], match_ends: [] };
tables.follow({ ...nothing, seatings: [{ table: 1 }, { table: 2 }] });
tables.follow({ welcome: {}, seatings: [{ table: 2 }], match_ends: [{ table: 1, balances: [3, -3] }] });
tables.follow({ ...nothing, match_ends: [{ table: 7, balances: [1, -1] }, { table: 2, balances: [2, -2] }] });
console.log(JSON.stringify(ends));
"""


def test_matches_that_end_while_its_line_is_broken_are_told_and_unknown_ones_left_out() -> None:
    command = ["node", "--input-type=module", "--eval", COMING_BACK]
    done = subprocess.run(command, cwd=EXAMPLES / "node/sdk", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[[3,-3],[2,-2]]\n", "")


def test_who_thinks_long_at_many_tables_gives_signs_of_life(node: Path, tmp_path: Path) -> None:
    """Six tables ask at once; each answer takes a third of the time for one, all together twice that time."""
    thinking = "declare(view) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700); return true; }"
    code = f'import {{ Bot, run }} from "./sdk/index.js";\nclass Slow extends Bot {{ {thinking} }}\n'
    folder = with_bot(node, f"{code}run(Slow, import.meta.url);\n", tmp_path / "bot")
    clock = Clock(start_ms=20_000, decision_ms=2000, bank_ms=0)
    outcomes = played(room_of(folder, tmp_path, matches=6, tables=6, deals=1, clock=clock))
    assert [faults_of(outcome, "tested") for outcome in outcomes] == [{}] * 6


UNLUCKY = """\
import { MyBot } from "./good.js";
import { run } from "./sdk/index.js";
let instances = 0;
class Unlucky extends MyBot {
  number = instances++;
  declare(view) {
    console.log(`${this.number} ${view.deal}`);
    console.log("cut");
    return super.declare(view);
  }
}
run(Unlucky, import.meta.url);
"""


@pytest.mark.parametrize("tables", [pytest.param(1, marks=pytest.mark.long), 4])
def test_when_its_line_breaks_it_comes_back_and_plays_on_with_the_same_instances(
    node: Path, tmp_path: Path, tables: int
) -> None:
    calls: list[int] = []
    decided: list[bytes] = []

    async def visit(address: str, token: str) -> None:
        async with Wire(address).open() as wire:
            environment = {**os.environ, "BOURRE_ADDRESS": wire.address, "BOURRE_TOKEN": token}
            process = await asyncio.create_subprocess_exec(
                "node", "bot.js", cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE
            )
            assert process.stdout is not None
            async for line in process.stdout:
                if line == b"cut\n":
                    wire.cut()
                else:
                    decided.append(line)
            assert await process.wait() == 0
            calls.append(wire.calls)

    folder = with_bot(node, UNLUCKY, tmp_path / "bot")
    (folder / "good.js").write_text((node / "bot.js").read_text())
    clock = replace(GENEROUS, reconnect_ms=60_000)
    outcomes = played_with(visited_room(tmp_path / "logs", clock=clock, matches=4, tables=tables), visit)
    assert [outcome.faults for outcome in outcomes] == [()] * 4
    assert calls[0] > 4
    assert len(decided) == len(set(decided)) > 8
    undisturbed = played(room_of(node, tmp_path, matches=4))
    assert [outcome.record for outcome in outcomes] == [outcome.record for outcome in undisturbed]


def test_when_its_line_breaks_before_its_welcome_it_dials_again(
    node: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit(address: str, token: str) -> None:
        async with Wire(address).open() as wire:
            cut_before_first_welcome(wire, token, monkeypatch)
            environment = {**os.environ, "BOURRE_ADDRESS": wire.address, "BOURRE_TOKEN": token}
            process = await asyncio.create_subprocess_exec("node", "bot.js", cwd=node, env=environment)
            assert await process.wait() == 0

    (outcome,) = played_with(visited_room(tmp_path / "logs"), visit)
    assert outcome.faults == ()


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl: apt-get install openssl")
def test_over_tls_it_stays_until_the_goodbye_and_prints_what_it_is_told(node: Path, tmp_path: Path) -> None:
    own = Authority(tmp_path).signed("referee")

    async def visit() -> list[MatchOutcome]:
        spec = visited_room(tmp_path / "logs")
        async with open_listener(spec, tls=TlsFiles(own.cert, own.key)) as (listener, address, tokens):
            files = {"BOURRE_CA": str(tmp_path / "authority.pem")}
            environment = {**os.environ, **files, "BOURRE_ADDRESS": address, "BOURRE_TOKEN": tokens["tested"]}
            process = await asyncio.create_subprocess_exec(
                "node", "bot.js", cwd=node, env=environment, stderr=asyncio.subprocess.PIPE
            )
            ca = Tls((tmp_path / "authority.pem").read_bytes())
            others = [asyncio.create_task(play(RIVALS[bot], address, tokens[bot], tls=ca)) for bot in RIVALS]
            outcomes = [outcome for _ in range(2) for outcome in await listener.play(spec)]
            listener.tell("tested", "you are 3rd\n\x1b[2Jof 12")
            listener.say_goodbye("the contest is over")
            _, said = await process.communicate()
            await asyncio.gather(*others)
            assert (process.returncode, said.decode()) == (0, "bourre: you are 3rd  [2Jof 12\n")
        return outcomes

    first, second = asyncio.run(visit())
    assert (first.faults, second.faults) == ((), ())
    assert first.record == second.record


def test_started_alone_it_says_what_it_needs(node: Path) -> None:
    known = {name: value for name, value in os.environ.items() if not name.startswith("BOURRE_")}
    done = subprocess.run(["node", "bot.js"], cwd=node, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("MyBot needs a referee, which sets BOURRE_ADDRESS and BOURRE_TOKEN.")


def test_without_its_packages_it_says_how_to_get_them(tmp_path: Path) -> None:
    make(tmp_path / "bare", NODE)
    known = {**os.environ, "BOURRE_ADDRESS": "unix:nowhere", "BOURRE_TOKEN": "token"}
    done = subprocess.run(
        ["node", "bot.js"], cwd=tmp_path / "bare", env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.endswith("hint: run npm ci in its folder\n")
