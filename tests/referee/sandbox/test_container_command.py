"""The command line of a container: everything it is denied, and the few options in which engines differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from bourre_referee.model.spec import Limits
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.container.container_command import ContainerSpec, command_line

SPEC = ContainerSpec(
    name="bourre-1",
    image="bots",
    files=Path("/host/files"),
    socket=Path("/host/socket"),
    folder="/bot/mine",
    command=("python3", "tight.py"),
    variables=("BOURRE_ADDRESS", "BOURRE_TOKEN"),
)
LIMITS = Limits(memory_mib=256, processes=32, disk_mib=16)
SAME = """
run --interactive --rm --pull=never --stop-signal=KILL --name bourre-1 --label bourre.bot
--network=none --ipc=private --cgroupns=private --hostname=bot --read-only --cap-drop=ALL
--security-opt=no-new-privileges --user 65534:65534 --no-healthcheck --log-driver=none
--memory=256m --memory-swap=256m --pids-limit=32 --cpus=1
--ulimit=nofile=128:128 --ulimit=nproc=4096:4096 --ulimit=fsize=16777216:16777216 --ulimit=core=0:0
--tmpfs=/tmp:rw,nosuid,nodev,exec,size=16m,mode=1777 --shm-size=1m
--mount=type=bind,src=/host/files,dst=/bot,readonly
--mount=type=bind,src=/host/socket,dst=/run/referee.sock,readonly
--env=HOME=/tmp --env=BOURRE_ADDRESS --env=BOURRE_TOKEN --workdir /bot/mine --entrypoint python3
"""
PODMAN = ["--read-only-tmpfs=false", "--no-hosts", "--http-proxy=false"]
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY")
DOCKER = [f"--env={name}=" for proxy in PROXIES for name in (proxy, proxy.lower())]


@pytest.mark.parametrize(
    ("engine", "own"), [("/usr/bin/podman", PODMAN), ("/usr/local/bin/docker", DOCKER)], ids=["podman", "docker"]
)
def test_every_word_that_an_engine_is_told(engine: str, own: list[str]) -> None:
    program, *words = command_line(engine, SPEC, LIMITS)
    at = words.index("bots")
    assert program == engine
    assert sorted(words[:at]) == sorted([*SAME.split(), *own])
    source = Path(supervisor.__file__).read_text()
    assert words[at:] == ["bots", "-IS", "-c", source, "python3", "tight.py"]
