"""What `bourre run` prints while it plays: seed, pace, trouble; in a terminal and in a log."""

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bourre_referee.cli.progress_meter import Bar, Stopwatch, Ticker, duration, meter
from bourre_referee.cli.watch import Watch
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.schedule import round_robin_tables
from bourre_referee.runner.progress import Announcement, Progress
from bourre_referee.storage.run.manifest import Seed
from tests.referee import contests
from tests.referee.matches import match

PUBLIC = Seed(note="practice seed, not secret", commitment="c0de" * 16, revealed="5eed" * 16)
SECRET = Seed(note="secret until all matches are done", commitment="c0de" * 16, revealed=None)


def progress(done: int, resumed: int = 0, notices: tuple[str, ...] = (), seed: Seed = PUBLIC) -> Progress:
    latest = match({"ada": 1, "bob": -1}, name="m0003") if done > resumed else None
    announcement = Announcement(seed) if done == resumed else None
    return Progress(done, 10, resumed, deals=4 * done, latest=latest, notices=notices, announcement=announcement)


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stopwatch(clock: Clock) -> Stopwatch:
    return Stopwatch(clock)


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    return contests.small_contest(tmp_path)


@pytest.fixture
def watch(contest: Contest) -> Iterator[Watch]:
    """A watch that writes to a log; its clock stands still."""
    with Watch(contest, Path("runs/my contest"), Console(file=StringIO()), Stopwatch(lambda: 0.0)) as watch:
        yield watch


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.4, "0 s"), (59, "59 s"), (185, "3 min 05 s"), (7620, "2 h 07 min"), (3599.6, "1 h 00 min")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_the_pace_counts_what_this_run_played(clock: Clock, stopwatch: Stopwatch) -> None:
    assert str(stopwatch.pace(progress(6, resumed=2))) == ""
    clock.now += 2
    assert str(stopwatch.pace(progress(6, resumed=2))) == "2.0 matches/s, about 2 s left"
    assert str(stopwatch.pace(progress(10, resumed=2))) == "4.0 matches/s"
    clock.now += 58
    assert str(stopwatch.pace(progress(6, resumed=2))) == "about 1 min left"
    assert str(stopwatch.pace(progress(2, resumed=2))) == ""
    assert str(stopwatch.pace(progress(0))) == ""


def test_a_public_seed_is_called_so(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch(progress(0))
    assert capsys.readouterr().err == (
        "bourre: small: 5 bots, 10 matches of 4 deals at tables of 3. Results: runs/my contest\n"
        "bourre: practice seed 7, not secret\n"
    )


def test_a_schedule_and_the_terms_are_told_of_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    announcement = Announcement(PUBLIC, "terms SHA-256 5e7", schedule=round_robin_tables(5, 3, 7, b"parts"))
    contest = contests.small_contest(tmp_path)
    for verbose in (False, True):
        with Watch(contest, tmp_path, Console(file=StringIO()), Stopwatch(), verbose=verbose) as watch:
            watch(replace(progress(0), announcement=announcement))
    told = [line for line in capsys.readouterr().err.splitlines() if "equally" in line or "SHA-256" in line]
    assert told == [
        "bourre: terms SHA-256 5e7",
        "bourre: seats: every bot sits equally often in every seat (or 1 more)",
        "bourre: meetings: every two bots meet equally often (or 2 more), the smallest difference found, "
        "and as left neighbours (or 2 more)",
    ]


def test_the_terms_are_committed_to_with_a_secret_seed_only(
    tmp_path: Path, watch: Watch, capsys: pytest.CaptureFixture[str]
) -> None:
    watch(replace(progress(0), announcement=Announcement(PUBLIC, "terms SHA-256 5e7, log 106")))
    assert "SHA-256" not in capsys.readouterr().err
    contest = contests.small_contest(tmp_path, contests.FILE.replace("seed = 7\n", ""))
    with Watch(contest, tmp_path, Console(file=StringIO()), Stopwatch()) as secret:
        secret(replace(progress(0), announcement=Announcement(SECRET, "terms SHA-256 5e7, log 106")))
    assert "bourre: terms SHA-256 5e7, log 106\n" in capsys.readouterr().err


def test_of_a_folder_that_does_not_stay_nothing_is_told(contest: Contest, capsys: pytest.CaptureFixture[str]) -> None:
    with Watch(contest, None, Console(file=StringIO()), Stopwatch(lambda: 0.0)) as watch:
        watch(progress(0))
        watch(progress(1, notices=("eve was at fault",)))
    told = capsys.readouterr().err
    assert "bourre: small: 5 bots, 10 matches of 4 deals at tables of 3. Nothing is kept.\n" in told
    assert "bourre: eve was at fault\n" in told


def test_a_secret_seed_is_committed_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contest = contests.small_contest(tmp_path, contests.FILE.replace("seed = 7\n", ""))
    with Watch(contest, tmp_path, Console(file=StringIO()), Stopwatch()) as watch:
        watch(progress(0, seed=SECRET))
    assert "bourre: seed secret until all matches are done, SHA-256 " + "c0de" * 16 + "\n" in capsys.readouterr().err


def test_a_commitment_is_published_before_the_first_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contest = contests.small_contest(tmp_path, contests.FILE.replace("seed = 7\n", ""))
    published, screen = StringIO(), Console(file=StringIO(), force_terminal=True)
    with Watch(contest, tmp_path, screen, Stopwatch(), published) as watch:
        watch(progress(0, seed=SECRET))
        assert published.getvalue() == "seed secret until all matches are done, SHA-256 " + "c0de" * 16 + "\n"
        watch(progress(1, seed=SECRET))
    assert published.getvalue().count("\n") == 1
    assert "c0de" not in capsys.readouterr().err


def test_what_was_finished_before_is_said_once(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch(progress(4, resumed=4))
    watch(progress(5, resumed=4))
    assert capsys.readouterr().err.count("resumed: 4 of 10 matches were finished before") == 1


def test_a_finished_contest_says_so(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch(progress(10, resumed=10))
    assert "All matches were played before.\nhint: to play them again, set another folder" in capsys.readouterr().err


def test_trouble_is_told_with_the_command_that_shows_it(watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    watch(progress(1, notices=("ada reneged for the first time in m0003",)))
    line = "bourre: ada reneged for the first time in m0003 (bourre replay 'runs/my contest' m0003)\n"
    assert line in capsys.readouterr().err


def test_a_log_gets_a_line_every_ten_seconds(
    clock: Clock, stopwatch: Stopwatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ticker = Ticker(stopwatch)
    for done, now in ((1, 104.0), (2, 110.0), (3, 119.0), (4, 120.0)):
        clock.now = now
        ticker.show(progress(done))
    assert capsys.readouterr().err == (
        "bourre: 2 of 10 matches, about 40 s left\nbourre: 4 of 10 matches, about 30 s left\n"
    )


def test_who_is_ahead_is_told_with_the_pace(
    clock: Clock, stopwatch: Stopwatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ahead = replace(progress(2), leaders=lambda: ("cy", "[red]ada", "b\x1b[31mob"))
    ticker = Ticker(stopwatch)
    clock.now += 10
    ticker.show(ahead)
    words = "ahead: cy, [red]ada, b\\x1b[31mob"
    assert capsys.readouterr().err.endswith(f"40 s left, {words}\n")
    screen = StringIO()
    with meter(Console(file=screen, force_terminal=True, width=140, color_system=None), stopwatch) as bar:
        bar.show(ahead)
    assert words in screen.getvalue()


def test_a_terminal_gets_a_bar_with_the_words_above_it(clock: Clock, stopwatch: Stopwatch) -> None:
    screen = StringIO()
    with meter(Console(file=screen, force_terminal=True, width=100, color_system=None), stopwatch) as bar:
        assert isinstance(bar, Bar)
        clock.now += 4
        bar.say("[red]as it is[/red]")
        bar.show(progress(8))
    shown = screen.getvalue()
    assert "bourre: [red]as it is[/red]" in shown
    assert " 8/10 2.0 matches/s, about 1 s left" in shown


def test_a_log_is_no_terminal() -> None:
    assert isinstance(meter(Console(file=StringIO()), Stopwatch()), Ticker)
