"""Level `container` with a fake engine: the commands it gets, and when a contest is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.sandbox.container.container_engine import new_name
from bourre_referee.sandbox.container.container_probe import engine_for
from tests.end_to_end.engines import FakeEngine, contest_file
from tests.referee.command import Ended, called_in

BOTS = ("ada", "bob")
ISOLATION = 'level = "container"\nimage = "bots"'
NEW_NAME = "from bourre_referee.sandbox.container.container_engine import new_name; print(new_name())"


@dataclass(frozen=True, slots=True)
class Played:
    """A contest played by a fake engine that at first listed containers of a dead and of a living referee."""

    engine: FakeEngine
    standings: dict[str, Any]
    said: str
    dead: str

    @property
    def started(self) -> list[str]:
        """The names of the bots' containers."""
        return [words[words.index("--name") + 1] for words in self.engine.calls("run") if "honest.py" in words]


def run_here(contest: Path, environment: dict[str, str] | None = None) -> Ended:
    """A run by this process and one worker, with these variables."""
    engine_for.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (environment or {}).items():
            patch.setenv(name, value)
        return called_in(contest.parent, "run", contest, "--out", "run", "--jobs", 1, "--json")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of the contest without isolation."""
    done = run_here(contest_file(tmp_path_factory.mktemp("plain"), 'level = "none"', BOTS))
    assert done.code == 0, done.err
    document: dict[str, Any] = json.loads(done.out)
    return document


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("boxed")
    engine = FakeEngine.named("podman", folder / "bin")
    dead = subprocess.run([sys.executable, "-c", NEW_NAME], capture_output=True, text=True, check=True).stdout.strip()
    (engine.folder / "containers").write_text(f"{dead}\n{new_name()}\nsomebodys\n")
    done = run_here(contest_file(folder, ISOLATION, BOTS), engine.environment)
    assert done.code == 0, done.err
    return Played(engine, json.loads(done.out), done.err, dead)


def test_a_contest_comes_to_the_same_in_containers(played: Played, plain: dict[str, Any]) -> None:
    assert played.standings == plain
    assert "isolation container" in played.said


def test_every_bot_has_a_container_of_its_own_which_is_removed(played: Played) -> None:
    assert len(played.started) == len(set(played.started)) == 2 * 2
    removed = [words[-1] for words in played.engine.calls("rm")]
    assert {*played.started} <= {*removed}


def test_no_token_stands_in_a_command_line(played: Played) -> None:
    words = [word for call in played.engine.calls("run") for word in call]
    assert "--env=BOURRE_TOKEN" in words
    assert [word for word in words if re.search(r"\b[0-9a-f]{64}\b", word)] == []


def test_containers_of_dead_referees_are_swept_and_no_others(played: Played) -> None:
    removed = {name for words in played.engine.calls("rm") for name in words[2:]}
    assert removed == {played.dead, *played.started}


def test_an_engine_that_keeps_nothing_is_refused_with_all_that_is_open(tmp_path: Path) -> None:
    engine = FakeEngine.named("podman", tmp_path / "bin")
    (engine.folder / "careless").touch()
    refused = run_here(contest_file(tmp_path / "boxed", ISOLATION), engine.environment)
    assert refused.code == 2
    assert "it runs as user" in refused.err
    assert "it cannot reach the referee's socket" in refused.err
    assert not (tmp_path / "boxed" / "run" / "run.db").exists()


def test_an_image_that_is_not_there_is_refused_with_the_fix(tmp_path: Path) -> None:
    engine = FakeEngine.named("docker", tmp_path / "bin")
    contest = contest_file(tmp_path / "boxed", 'level = "container"\nimage = "missing"')
    refused = run_here(contest, engine.environment)
    assert refused.code == 2
    assert "no such image" in refused.err
    assert "docker/bot.Dockerfile" in refused.err


def test_no_engine_is_refused_with_the_fix(tmp_path: Path) -> None:
    refused = run_here(contest_file(tmp_path / "boxed", ISOLATION), {"PATH": str(tmp_path)})
    assert refused.code == 2
    assert "apt-get install podman" in refused.err
    assert "Traceback" not in refused.err


def test_a_container_that_cannot_be_made_is_no_fault_of_its_bot(tmp_path: Path) -> None:
    engine = FakeEngine.named("podman", tmp_path / "bin")
    (engine.folder / "full").touch()
    failed = run_here(contest_file(tmp_path / "boxed", ISOLATION, BOTS), engine.environment)
    assert failed.code != 0
    assert re.search(r"the sandbox of \w+ did not start", failed.err)  # whichever of the two is refused first
    logs = (tmp_path / "boxed" / "run" / "logs").rglob("*.log")
    assert any("no space left on device" in log.read_text() for log in logs)


def test_a_bot_that_does_not_start_in_its_container_is_at_fault(tmp_path: Path) -> None:
    engine = FakeEngine.named("podman", tmp_path / "bin")
    contest = contest_file(tmp_path / "boxed", ISOLATION, BOTS)
    (contest.parent / "honest.py").write_text("print('no'); raise SystemExit(125)")
    done = run_here(contest, engine.environment)
    assert done.code == 0, done.err
    assert [line["faults"] for line in json.loads(done.out)["standings"]] == [2, 2]
    assert log_of("ada", tmp_path).endswith("say\nno\n")


def log_of(bot: str, folder: Path) -> str:
    """What this bot printed in the first room."""
    return next((folder / "boxed" / "run" / "logs" / bot).iterdir()).read_text()
