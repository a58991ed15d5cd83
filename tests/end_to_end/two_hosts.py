"""Plays a contest on two simulated hosts: `unshare --map-root-user --net --mount python -m ... CONTEST RUN`.

The first host has the network of this process, the second a network of its own, with one cable between them. Each has
a worker; all that travels over the cable is encrypted.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

FIRST, SECOND = "10.77.0.1", "10.77.0.2"
SECOND_NAME = "second"
PORT = 8786
ADDRESS = f"tls://{FIRST}:{PORT}"


def main(contest: Path, out: Path) -> int:
    """Plays the contest with one worker on each host, and returns the exit code of `bourre run`."""
    folder = contest.parent
    environment = {**os.environ, **tls(folder)}
    with ExitStack() as started, (folder / "cluster.log").open("ab") as log:
        there = started.enter_context(second_host())
        for within, words in (
            ((), ("scheduler", "--host", FIRST, "--port", str(PORT), "--protocol", "tls")),
            ((), ("worker", ADDRESS, "--host", FIRST, "--nthreads", "1", "--no-nanny")),
            (there, ("worker", ADDRESS, "--host", SECOND, "--nthreads", "1", "--no-nanny")),
        ):
            command = [*within, sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:], "--no-dashboard"]
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)
            started.callback(_end, process)
        run = [sys.executable, "-m", "bourre_referee", "run", str(contest), "--out", str(out)]
        return subprocess.run([*run, "--cluster", ADDRESS], env=environment).returncode


def tls(folder: Path) -> dict[str, str]:
    """Makes a certificate of the cluster, and returns Dask's settings that use it."""
    cert, key = str(folder / "cluster.pem"), str(folder / "cluster.key")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    subprocess.run(
        ["openssl", "req", "-x509", *curve, "-keyout", key, "-out", cert, "-subj", "/CN=cluster"],
        check=True,
        capture_output=True,
    )
    settings = {"CA_FILE": cert}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        settings |= {f"{role}__CERT": cert, f"{role}__KEY": key}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{name}": value for name, value in settings.items()}


@contextmanager
def second_host() -> Iterator[tuple[str, ...]]:
    """Yields the words before a command that runs it on the second host, which is gone at the end of the block."""
    network = subprocess.Popen(
        ["unshare", "--net", "--uts", "sh", "-c", f"hostname {SECOND_NAME}; echo up; read end"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert network.stdout
    assert network.stdout.readline() == b"up\n"
    there = ("nsenter", "--target", str(network.pid), "--net", "--uts")
    try:
        for words in (
            "ip link set lo up",
            f"ip link add here type veth peer name there netns {network.pid}",
            f"ip address add {FIRST}/24 dev here",
            "ip link set here up",
        ):
            subprocess.run(words.split(), check=True)
        for words in ("ip link set lo up", f"ip address add {SECOND}/24 dev there", "ip link set there up"):
            subprocess.run([*there, *words.split()], check=True)
        yield there
    finally:
        network.communicate()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
