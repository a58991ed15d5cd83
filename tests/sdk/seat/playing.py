"""A game of `bourre play`, or puzzles, as a process, and a person who plays it in a browser."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

BOURRE = Path(sys.executable).with_name("bourre")


@dataclass(frozen=True, slots=True)
class Played:
    """A running game, or puzzles."""

    process: subprocess.Popen[str]
    address: str

    @property
    def origin(self) -> str:
        """Scheme, host and port of its page."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"


def record_in(folder: Path) -> Path:
    """Where a game that is played in this folder writes its record."""
    return folder / "game.jsonl"


def playing(folder: Path, *words: object) -> AbstractContextManager[Played]:
    """Runs a game against two examples with a known seed; ends it politely if it still runs."""
    return _running("play", "--against", "tight,counter", "--seed", "6", "--record", record_in(folder), *words)


def solving(run: Path, *words: object) -> AbstractContextManager[Played]:
    """Opens decisions of the first match of a run as puzzles."""
    return _running("play", "--puzzle", run, "1", *words)


@contextmanager
def _running(*words: object) -> Iterator[Played]:
    command = [str(BOURRE), *map(str, words), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            yield Played(process, process.stderr.readline().split()[-1])
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


def next_state(page: Page, seen: str = "waiting") -> str:
    """Waits for something else than before, and returns it: `question 3`, `deal 1 over`, `over`."""
    turn = page.locator(f"#turn[data-state]:not([data-state='{seen}']):not([data-state='waiting'])")
    turn.wait_for(state="attached")
    return str(turn.get_attribute("data-state"))


def hasten(page: Page) -> None:
    """Lets the page show every moment at once."""
    page.get_by_label("Pace").select_option("at once")


def play_on(page: Page, seen: str = "waiting") -> str:
    """Plays every deal by keys alone until the game is over: the first card, right or wrong, and spades as trump."""
    while (seen := next_state(page, seen)) != "game over":
        if seen.startswith("deal"):
            page.keyboard.press("n")
        elif page.locator("#actions [data-key=i]").count():
            page.keyboard.press("i")
        elif page.locator("#actions [data-key=s]").count():
            page.keyboard.press("s")
        else:
            page.keyboard.press("1")
    return seen


def leave(page: Page, seen: str) -> None:
    """Leaves after a game or a puzzle."""
    page.keyboard.press("l")
    assert next_state(page, seen) == "over"


def solve_on(page: Page, seen: str) -> str:
    """Solves the puzzles of a deal by keys alone: comes in, keeps every card, and tries card after card."""
    tried = 0
    while not page.get_by_role("link", name="How it went on").count():
        seen = next_state(page, seen)
        if seen.startswith("answer"):
            tried = 0
            page.locator("#result").wait_for()
            if page.get_by_role("link", name="How it went on").count():
                return seen
            page.keyboard.press("n")
        elif page.locator("#actions [data-key=i]").count():
            page.keyboard.press("i")
        else:
            tried += 1
            page.keyboard.press(str(tried))
    return seen
