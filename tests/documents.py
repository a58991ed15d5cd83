"""README and docs as their reader's shell sees them: the commands of each fenced block, and what is shown below them.

How a block is meant stands in its fence:

    ```            commands, one a line, each with two spaces and an explanation behind it if there is one; or, where
                   lines begin with `$ `, commands and below each what it prints; or neither, which is no command
    ```console     likewise
    ... long       takes more than 20 seconds of a processor, or a few for what another document shows too: run with
                   --long only
    ... elsewhere  cannot be run where the tests run; each such block is listed in test_documents_run.py
    ```toml        and other languages: no commands; a first line `# name.toml` names the file that it is

A line `...` in what is shown stands for any lines. `exits with 3` in an explanation is what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import dev

DOCUMENTS = [
    dev.ROOT / "README.md",
    dev.ROOT / "CONTRIBUTING.md",
    *sorted((dev.ROOT / "docs").glob("*.md")),
    *sorted((dev.ROOT / "research").glob("*.md")),
]
PROGRAMS = ("bourre", ".venv/bin/bourre", "python", "python3", ".venv/bin/python", "bash", "cd", "cp", "mkdir", "node")
ELSEWHERE = ("docker", "podman", "npm", "pip", "curl", "git", "systemd-run", "apt-get", "sudo")
"""Programs of the reader's own machine; with PROGRAMS, all that a block may begin a command with."""
_FENCE = re.compile(r"^```(\w*)[ \t]*([\w ]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXPLAINED = re.compile(r"^(?P<command>.*?)(?:(?: {2,}| +# )(?P<explanation>.*))?$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    document: Path
    line: int
    """Of its fence."""
    language: str
    words: frozenset[str]
    """What else its fence says."""
    text: str

    @property
    def name(self) -> str:
        """Where it stands."""
        return f"{self.document.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is shown."""

    text: str
    code: int
    """The exit code that its explanation promises."""
    shown: str | None
    """What is shown below it; None: nothing is."""


def blocks_of(document: Path) -> list[Block]:
    """The fenced blocks of a document."""
    text = document.read_text("utf-8")
    return [
        Block(document, text.count("\n", 0, found.start()) + 1, found[1], frozenset(found[2].split()), found[3])
        for found in _FENCE.finditer(text)
    ]


def prose_of(document: Path) -> str:
    """A document without its fenced blocks."""
    return _FENCE.sub("", document.read_text("utf-8"))


def commands_of(block: Block) -> list[Command]:
    """The commands of a block, in order; none where it holds no commands."""
    if block.language not in ("", "console"):
        return []
    lines = re.sub(r"\\\n *", "", block.text).splitlines()
    if any(line.startswith("$ ") for line in lines):
        return list(_session(lines))
    if lines and lines[0].split()[:1] and _is_command(lines[0]):
        return [_command(line, None) for line in lines if line]
    return []


def file_of(block: Block) -> str | None:
    """The name of the file that a block shows, by its first line."""
    named = re.match(r"(?:#|//) ([\w./-]+\.(?:toml|py|js|json))\n", block.text)
    return named[1] if named and block.language not in ("", "console", "text") else None


def _is_command(line: str) -> bool:
    return line.split()[0] in (*PROGRAMS, *ELSEWHERE)


def _session(lines: list[str]) -> Iterator[Command]:
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        shown = "".join(f"{line}\n" for line in lines[start + 1 : end])
        yield _command(lines[start].removeprefix("$ "), shown or None)


def _command(line: str, shown: str | None) -> Command:
    found = _EXPLAINED.match(line)
    assert found
    promised = re.search(r"exits with (\d+)", found["explanation"] or "")
    return Command(found["command"], int(promised[1]) if promised else 0, shown)
