"""A bot's own files on their way into a container: copied, so that no path, owner or mode of the host comes along."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from bourre_referee.sandbox.bwrap.bwrap_bot_files import TOP, Belongings


def pack(belongings: Belongings, folder: Path) -> None:
    """Copies a bot's files into a new folder, which is to be its /bot; anybody may read them there.

    Links are copied as links: what a bot's author lets them point to is looked up in the container, not on the host.
    Raises OSError where something cannot be copied, and for a link that would let in something else.
    """
    (folder / Path(belongings.folder).relative_to(TOP)).mkdir(parents=True)
    for bind in belongings.binds():
        target = folder / Path(bind.target).relative_to(TOP)
        target.parent.mkdir(parents=True, exist_ok=True)
        if bind.source.is_dir():
            shutil.copytree(bind.source, target, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(bind.source, target)
    _open_to_all(folder)


def _open_to_all(folder: Path) -> None:
    """The bot is another user: it may read everything, and run what its owner may run."""
    for at, folders, files in os.walk(folder):
        os.chmod(at, 0o755)
        for path in (Path(at, name) for name in (*folders, *files)):
            if not path.is_symlink() and path.is_file():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
