"""Runs a command in a sandbox, and writes a tar of its result: `python -IS archiver.py FOLDER FILE ... -- COMMAND ...`.

The command runs in a new folder with copies of these files. The content of FOLDER there goes to the standard output,
and the command's output to the standard error. It uses only the standard library.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile


def main(words: "list[str]") -> int:
    """Returns the exit code of the command. If that is not 0, there is no tar."""
    end = words.index("--")
    folder, *files = words[:end]
    program, *arguments = words[end + 1 :]
    with tempfile.TemporaryDirectory() as place:
        for file in files:
            shutil.copy(file, place)
        os.mkdir(os.path.join(place, folder))
        command = [sys.executable if program == "python" else program, *arguments]
        variables = {**os.environ, "PIP_CONFIG_FILE": os.devnull}  # pip then reads none of this machine's
        ended = subprocess.run(command, cwd=place, stdout=sys.stderr, env=variables, check=False)
        if ended.returncode == 0:
            with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as archive:
                archive.add(os.path.join(place, folder), ".")
        return ended.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
