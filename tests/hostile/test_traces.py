"""Whatever a room leaves behind is found, however well it is hidden."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEAVE = """
import os, signal, socket, tempfile
from bourre_referee.diagnostics.attacks import traces

traces.adopt_orphans()
ready, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(tell, b".")
        signal.pause()
    os._exit(0)
os.read(ready, 1)
folder = tempfile.gettempdir()
open(os.path.join(folder, "forgotten"), "w").close()
listening = socket.socket(socket.AF_UNIX)
listening.bind(os.path.join(folder, "listening"))
print(*traces.left(0.1), sep="\\n")
os.unlink(os.path.join(folder, "forgotten"))
os.unlink(os.path.join(folder, "listening"))
listening.close()
print("then", *traces.left(0.1), sep="\\n")
"""


def test_daemons_sockets_and_files_are_seen_and_daemons_are_ended(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-"]
    done = subprocess.run(command, input=LEAVE, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    daemon, *rest = done.stdout.splitlines()
    assert daemon.startswith("process ")
    assert sorted(rest[:-1]) == sorted(["file forgotten", "file listening", f"socket {tmp_path}/listening"])
    assert rest[-1] == "then"
