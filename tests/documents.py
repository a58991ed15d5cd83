"""README and docs as a reader's shell sees them: the commands in each fenced block, and the output shown below them.

The fence of a block says how to read it:

    ```            one command per line, optionally followed by two spaces and an explanation; or, where lines begin
                   with `$ `, commands with their output below; a block with neither holds no commands
    ```console     the same
    ... long       takes more than 20 seconds of CPU time, or repeats at some cost what another document shows:
                   only run with --long
    ... elsewhere  cannot run where the tests run; test_documents_run.py lists each such block
    ```toml        and other languages: no commands; a first line `# name.toml` names the file that is shown

A line `...` in the output stands for any lines. `exits with 3` in an explanation is checked.
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
ELSEWHERE = (
    *("docker", "podman", "npm", "pip", "curl", "git", "systemd-run", "apt-get", "sudo"),
    *("dask", "openssl", "sbatch", "ssh"),
)
"""Programs of the reader's own machine; a command begins with one of these or of PROGRAMS."""
_FENCE = re.compile(r"^```(\w*)[ \t]*([\w ]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXPLAINED = re.compile(r"^(?P<command>.*?)(?:(?: {2,}| +# )(?P<explanation>.*))?$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    document: Path
    line: int
    """The line of its fence."""
    language: str
    words: frozenset[str]
    """The other words of its fence."""
    text: str

    @property
    def name(self) -> str:
        """Its document and line."""
        return f"{self.document.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the document shows it."""

    text: str
    code: int
    """The exit code that its explanation states."""
    shown: str | None
    """The output shown below it; None if there is none."""


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
    """The commands of a block, in order; empty if it has none."""
    if block.language not in ("", "console"):
        return []
    lines = re.sub(r"\\\n *", "", block.text).splitlines()
    if any(line.startswith("$ ") for line in lines):
        return list(_session(lines))
    if lines and lines[0].split()[:1] and _is_command(lines[0]):
        return [_command(line, None) for line in lines if line]
    return []


def file_of(block: Block) -> str | None:
    """The name of the file that a block shows, from its first line."""
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
