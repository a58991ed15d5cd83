"""What the reader's shell must do before it finds the commands of this environment."""

import os
import shutil
import sys
from pathlib import Path
from shlex import quote

COMMANDS = ("bourre", "python")


def entering() -> list[str]:
    """The line that makes `bourre` and `python` those of this environment; none where they are, or none would help."""
    script = Path(sys.prefix, "bin", "activate")
    found = {Path(path).parent for name in COMMANDS if (path := shutil.which(name))}
    if found == {script.parent} or not script.is_file():
        return []
    near = script.is_relative_to(Path.cwd())
    return [f". {quote(os.path.relpath(script) if near else str(script))}"]
