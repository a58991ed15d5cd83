"""Shortens the log of a bot for its author, who reads in it what the author's own files print and raise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bourre.bot_code.lookalike_methods import WARNING_PREFIX
from bourre.bot_code.printed_error import UNANSWERED
from bourre_referee.storage.run.folder_location import FolderLocation

LOG_BYTES = 16 * 1024
"""The most bytes of the beginning and of the end of a log."""
_TO_STAFF = re.compile(r"; see it all: bourre replay .*")
"""A hint in logs that helps only users with the run folder."""
_STACKS = re.compile(r"^Fatal Python error: (?:.*\n)*?(?=\[bourre\]|bourre: |\Z)", re.MULTILINE)
"""Where each thread was when the program crashed. Several programs may have written at once."""
_OF_SDK = re.compile(r"^  File \"/(?:sdk/bourre\w*|python/lib)/.+\", line \d+, in .+\n(?:    .*\n)*", re.MULTILINE)
"""A part of a traceback in a sandbox that is not in the author's files."""
_OF_GRPC = re.compile(r"^[EW]\d{4} \d\d:\d\d:\d\d.*\] .*\n", re.MULTILINE)
_WITHOUT_FRAMES = re.compile(r"^Traceback \(most recent call last\):\n\S.*\n", re.MULTILINE)
_TOLD = re.compile(
    rf"^(?!{UNANSWERED}|{WARNING_PREFIX})bourre: .+\n(?:Traceback .+\n(?: .*\n)*(?!bourre: )\S.*\n)?", re.MULTILINE
)
"""What the SDK prints of an error."""
_SECONDS = re.compile(r" took longer than .*?\. hint:")
"""What differs each time that the same line is late."""
_UNANSWERED = re.compile(rf"(?:{UNANSWERED}|\[bourre\] .*: no answer to )")
_CUT = re.compile(r"^\[bourre kept the first (\d{1,15}) of (\d{1,15}) bytes\]$", re.MULTILINE)
_MOST_UNANSWERED = 3
"""The most lines about a decision without an answer."""


def first_log(folder: Path, submission: str) -> str:
    """Returns a bot's output in the first match of this run, without the middle of a long one."""
    logs = sorted((FolderLocation(folder).logs / submission).glob("*.log"))
    if not logs:
        return ""
    with logs[0].open("rb") as file:
        head = file.read(LOG_BYTES)
        file.seek(max(LOG_BYTES, logs[0].stat().st_size - LOG_BYTES))
        return (head + file.read()).decode(errors="replace")


def warnings_in(log: str) -> Iterator[str]:
    """Yields the lines of a log with the SDK's warnings, and one if the bot printed more than is kept."""
    yield from (line for line in log.splitlines() if line.startswith(WARNING_PREFIX))
    if cut := _CUT.search(log):
        kept, printed = (int(size) // 1024 for size in cut.groups())
        yield f"{WARNING_PREFIX}the bot printed {printed} KiB, and its log keeps {kept}: remove prints, which take time"


def excerpt(log: str) -> list[str]:
    """Returns the lines of a log that help its author: each error once, with the author's part of its traceback."""
    seen: set[str] = set()

    def once(found: re.Match[str]) -> str:
        what = _SECONDS.sub("", found[0])
        is_new = what not in seen
        seen.add(what)
        return found[0] if is_new else ""

    text = log
    for needless in (_TO_STAFF, _STACKS, _OF_GRPC, _OF_SDK, _WITHOUT_FRAMES):
        text = needless.sub("", text)
    lines = _TOLD.sub(once, text).splitlines()
    unanswered = [number for number, line in enumerate(lines) if _UNANSWERED.match(line)]
    dropped = {*unanswered[_MOST_UNANSWERED:]}
    more = [f"[bourre] more decisions without an answer: {len(dropped)}"] if dropped else []
    return [line for number, line in enumerate(lines) if number not in dropped] + more
