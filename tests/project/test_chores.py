"""dev.py starts for each chore what it says, with the words that follow it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import dev

PYTEST = f".venv/bin/python -m pytest --numprocesses={2 * (os.cpu_count() or 1)}"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was set up, and the commands that ran or took the place of the process, with the names of variables."""
    noted: list[str] = []

    def start(*command: object, **changes: str) -> int:
        noted.append(" ".join([*map(str, command), *changes]).replace(f"{dev.ROOT}/", ""))
        return 7

    monkeypatch.setattr(dev, "set_up", lambda whole=True: noted.append("all" if whole else "first"))
    monkeypatch.setattr(dev, "replace_process", start)
    monkeypatch.setattr(dev, "run_or_exit", start)
    return noted


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("test --strict --part 2/4", f"all {PYTEST} --strict-skips --part 2/4"),
        ("test tests/conftest.py::x -x", "all .venv/bin/python -m pytest tests/conftest.py::x -x"),
        ("test tests/sdk", f"all {PYTEST} tests/sdk"),
        ("test dev.py setting_up.py", f"all {PYTEST} dev.py setting_up.py"),
        ("coverage dev.py", "all .venv/bin/python research/measurements/covered.py dev.py"),
        ("demo --x", "first .venv/bin/bourre run examples/contest.toml --fresh --out runs/demo --x PATH"),
        ("docs", "all .venv/bin/python -m docs.site"),
        ("site", "all .venv/bin/python -m docs.site --demo"),
        ("compile pytest -x", "all .venv/bin/python compiled_copy.py pytest -x"),
        ("release", f"{sys.executable} releasing.py".replace(f"{dev.ROOT}/", "")),
        ("lock --upgrade", f"{sys.executable} locking.py --upgrade".replace(f"{dev.ROOT}/", "")),
    ],
)
def test_a_chore_sets_up_what_it_needs_and_becomes_its_command(
    words: str, command: str, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["dev.py", *words.split()])
    assert dev.main() == 7
    assert " ".join(started) == command


def test_a_ladder_is_made_once_with_its_bots_and_then_served(
    started: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    assert dev.ladder(["--port", "1"]) == 7
    assert [command.split()[1:3] for command in started[1:]] == [
        *(["ladder", word] for word in ("init", "add", "add", "add", "add", "start"))
    ]
    assert started[2].endswith("add runs/ladder counter --command python counter.py --from examples")
    (tmp_path / "runs/ladder").mkdir()
    (tmp_path / "runs/ladder/ladder.jsonl").touch()
    dev.ladder(["--port", "1"])
    assert [command.partition("bourre ")[2] for command in started[7:]] == ["", "ladder start runs/ladder --port 1"]


def test_every_check_is_made_and_one_that_fails_is_shown_with_what_it_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --tested, those that tests make are left out."""
    monkeypatch.setattr(dev, "set_up", lambda: None)
    monkeypatch.setattr(dev, "run", lambda *command: (int(command[0].name == "hadolint"), "said\n"))
    assert dev.check(["--tested"]) == 1
    told = capsys.readouterr().out
    assert told.split() == ["ok", "style", "ok", "format", "ok", "types", "FAILED", "Dockerfiles", "said", "ok", "docs"]
    monkeypatch.setattr(dev, "run", lambda *_: (0, "said\n"))
    assert dev.check([]) == 0
    names = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert names == ["style", "format", "types", "imports", "project", "Dockerfiles", "docs"]


def test_words_that_a_chore_does_not_take_are_refused_and_no_end_shows_a_traceback(
    started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_of(words: str, error: BaseException | None = None) -> object:
        monkeypatch.setattr(sys, "argv", ["dev.py", *words.split()])
        if error:
            monkeypatch.setattr(dev, "replace_process", lambda *_: (_ for _ in ()).throw(error))
        try:
            return dev.main()
        except SystemExit as ended:
            return ended.code

    assert [end_of("setup now"), end_of("tidy"), *started] == [2, 2]
    assert end_of("docs", KeyboardInterrupt()) == 130
    assert end_of("docs", FileNotFoundError(2, "gone")) == "dev.py: [Errno 2] gone"
