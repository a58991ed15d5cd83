"""Finds in a bot's output where the file system stopped it: files that it cannot write, or that are not there."""

from __future__ import annotations

import re
from pathlib import Path

from bourre.connection.log_line import SIGN
from bourre_referee.evaluation.grade.sheets.feedback import LINE_LENGTH, log_heads
from bourre_referee.sandbox.bot_log import NEVER_STARTED
from bourre_referee.text.names import printable

_FILE_ERROR = re.compile(
    r"Read-only file system|No space left on device|Disk quota exceeded|File too large"
    r"|(?:Permission denied|No such file or directory|Operation not permitted): [bu]?['\"]"
    r"|\b(?:EROFS|ENOSPC|EDQUOT|EFBIG): |\b(?:EACCES|ENOENT|EPERM): [^\n]*'"
)
"""What Python and Node.js print. Other programs mostly print the first four."""


def first_file_error(run: Path) -> str:
    """Returns the first line with such an error in the logs of a run; empty without one."""
    for head in log_heads(run):
        if found := next(filter(_FILE_ERROR.search, head.splitlines()), None):
            said = found.removeprefix(NEVER_STARTED).removeprefix(SIGN).partition(". hint:")[0]
            return printable(said.strip())[:LINE_LENGTH]
    return ""
