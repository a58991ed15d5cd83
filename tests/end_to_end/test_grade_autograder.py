"""The Gradescope kit, run as in its container, without a network: it always leaves a results.json."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.classroom import PLAN, ROOT, SUBMISSIONS, autograded, write_autograder

pytestmark = pytest.mark.timeout(300)

ADA, CY = SUBMISSIONS["Ada Lovelace"], SUBMISSIONS["Cy Syntax"]


def results(folder: Path) -> Any:
    return json.loads((folder / "results" / "results.json").read_text())


@pytest.mark.long
def test_a_submission_is_marked_without_network(tmp_path: Path) -> None:
    done = autograded(write_autograder(tmp_path / "ag", PLAN, ADA))
    assert done.returncode == 0, done.stderr
    document = results(tmp_path / "ag")
    assert document["score"] > 40
    assert abs(document["leaderboard"][0]["value"] - document["score"]) <= 2.5


def test_where_its_container_allows_no_box_the_container_is_the_box(tmp_path: Path) -> None:
    plan = PLAN.replace('[isolation]\nlevel = "none"\n', "").replace("deals = 6", "deals = 2")
    assert "none" not in plan
    folder = write_autograder(tmp_path / "ag", f"{plan}\n[term]\ndeadline = 2026-11-20T12:00:00Z\npenalty = 10\n", ADA)
    (folder / "submission_metadata.json").write_text(
        '{"id": 1, "created_at": "2026-11-20T14:00:00.365935+01:00", "previous_submissions": [{"created_at": "x"}]}'
    )
    done = autograded(folder, "--unshare-user", "--disable-userns")
    assert done.returncode == 0, done.stderr
    assert "warning: submissions run without isolation" in done.stderr
    document = results(folder)
    assert document["score"] > 36
    assert (
        "handed in 2026-11-20 13:00:00+00:00, deadline 2026-11-20 12:00:00+00:00\n1 late day: 10 % less, "
        in (document["output"])
    )


@pytest.mark.long
def test_a_broken_submission_has_a_score_and_the_reason(tmp_path: Path) -> None:
    done = autograded(write_autograder(tmp_path / "ag", PLAN, CY))
    assert done.returncode == 0, done.stderr
    document = results(tmp_path / "ag")
    assert document["score"] == 0
    assert "SyntaxError" in document["output"]


@pytest.mark.parametrize("breaking", ["plan", "program"])
def test_where_the_harness_fails_there_is_no_score(tmp_path: Path, breaking: str) -> None:
    folder = write_autograder(tmp_path / "ag", "[assignmnt]\n" if breaking == "plan" else PLAN, ADA)
    if breaking == "program":
        (folder / "bourre").unlink()
    (folder / "results").mkdir()
    (folder / "results" / "results.json").write_text('{"score": 100}')
    done = autograded(folder)
    assert done.returncode != 0
    document = results(folder)
    assert "score" not in document
    assert "tests" not in document
    assert "not your fault" in document["output"]
    assert ("assignmnt" if breaking == "plan" else "bourre") in done.stderr


def test_the_kit_is_packed_with_its_plan_and_all_that_its_setup_installs(tmp_path: Path) -> None:
    (tmp_path / "grade.toml").write_text(PLAN)
    (tmp_path / "mine.py").write_text("")
    command = [str(ROOT / "docker/gradescope/pack.sh"), "grade.toml", "kit.zip", "mine.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    listed = subprocess.run(["python3", "-m", "zipfile", "-l", "kit.zip"], cwd=tmp_path, capture_output=True, text=True)
    names = {line.split()[0] for line in listed.stdout.splitlines()}
    assert {"setup.sh", "run_autograder", "grade.toml", "mine.py", "bourre/pyproject.toml"} <= names
    assert {"bourre/requirements.lock", "bourre/requirements-build.lock", "bourre/examples/tight.py"} <= names


def test_the_plan_of_the_kit_lacks_its_seed_alone(tmp_path: Path) -> None:
    text = (ROOT / "docker/gradescope/grade.toml").read_text()
    assert "deals = 100 " in text  # a few suffice to show that the plan is complete
    text = text.replace("deals = 100 ", "deals = 4 ")
    folder = write_autograder(tmp_path / "ag", text, ADA)
    assert "a seed that nobody can guess" in autograded(folder).stderr
    (folder / "source" / "grade.toml").write_text(text.replace("# seed = ...", "seed = 123456 #"))
    calibrated = subprocess.run(
        [str(folder / "bourre"), "grade", "--calibrate", "--seeds", "1", "--plan", str(folder / "source/grade.toml")],
        capture_output=True,
        text=True,
    )
    assert calibrated.returncode == 0, calibrated.stderr


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder", "pack.sh"])
def test_the_scripts_of_the_kit_can_be_read_and_run(script: str) -> None:
    file = ROOT / "docker" / "gradescope" / script
    assert file.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(file)], check=True)
