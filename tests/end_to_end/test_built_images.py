"""The images of docker/ can be built and play; the containers of compose.yaml make a board that survives any kill."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.board_of_containers import Board, running_board, state
from tests.end_to_end.built_images import MIB, ULIMITS, build, make_base, size, told
from tests.end_to_end.engines import contest_file, run, standings

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]
CONTAINED = (
    "--network=none",
    "--read-only",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--user=10001:10001",
)
SERVICES = ("database", "first_start", "scheduler", "worker", "ladder", "guest")
REACHED = """
import socket, sys
for place in sys.argv[1:]:
    host, port = place.split(":")
    try:
        socket.create_connection((host, int(port)), 3)
        print(place)
    except OSError:
        pass
"""


@pytest.fixture(scope="module")
def images() -> dict[str, str]:
    """The name of each image, newly built."""
    for program in ("podman", "runc", "debootstrap"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here; fix, as root: apt-get install podman runc debootstrap")
    make_base()
    return {name: build(name) for name in MIB}


@pytest.fixture(scope="module")
def board(images: dict[str, str]) -> Iterator[Board]:
    """A board on which every bot has played."""
    del images
    with running_board() as board:
        board.wait_for_games(1)
        yield board


def test_no_image_is_larger_than_noted(images: dict[str, str]) -> None:
    sizes = {name: size(image) for name, image in images.items()}
    assert {name: found for name, found in sizes.items() if found > MIB[name]} == {}, sizes


def test_no_setting_of_this_machine_is_in_an_image(images: dict[str, str]) -> None:
    for image in images.values():
        shown = ("run", "--rm", *ULIMITS, "--network=none", "--entrypoint=sh", image, "-c")
        assert told("podman", *shown, "cat /etc/pip.conf /etc/xdg/pip/* 2>/dev/null; env | grep -i pip; true") == ""


def test_buildah_builds_the_same(images: dict[str, str]) -> None:
    if shutil.which("buildah") is None:
        pytest.skip("there is no buildah here; fix, as root: apt-get install buildah")
    before = size(images["bot"])
    assert size(build("bot", "buildah")) == before


def test_a_contest_comes_to_the_same_in_the_images(images: dict[str, str], tmp_path: Path) -> None:
    here = standings(run(contest_file(tmp_path / "here", 'level = "none"')))
    boxed = run(contest_file(tmp_path / "boxed", f'level = "container"\nimage = "{images["bot"]}"'))
    assert standings(boxed) == here
    contest = contest_file(tmp_path / "referee", 'level = "none"').parent
    mounts = (f"--volume={contest}:/contest:ro", "--tmpfs=/tmp:mode=1777")
    command = ("run", "contest.toml", "--out", "/tmp/run", "--jobs", "1", "--json")
    words = ["podman", "run", "--rm", *ULIMITS, *CONTAINED, *mounts, images["referee"], *command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert standings(done) == here


def test_every_bot_plays_and_every_container_is_well(board: Board) -> None:
    assert set(board.games()) == {"tight", "drawer", "counter", "follower", "guest"}
    for service in set(SERVICES) - {"first_start"}:
        told("podman", "healthcheck", "run", board.container(service))
    assert "key" not in board.log_of("first_start")


def test_a_bot_reaches_its_door_alone(board: Board) -> None:
    networks = state(board.container("ladder"))["NetworkSettings"]["Networks"]
    addresses = [network["IPAddress"] for network in networks.values()]
    hosts = ["door", "ladder", "pages", "database", "scheduler", "worker", *addresses]
    places = [f"{host}:{port}" for host in hosts for port in (5432, 7443, 8000, 8786, 8787, 9464)]
    reached = {place.partition(":")[2] for place in board.inside("guest", "python3", "-c", REACHED, *places).split()}
    assert reached == {"7443"}
    assert board.inside("guest", "sh", "-c", "tail -n +2 /proc/net/route | cut -f 2 | grep -x 00000000 || true") == ""


def test_a_killed_container_starts_again_and_nothing_is_lost(board: Board) -> None:
    heads = []
    for service in SERVICES:
        heads.append(f"--published={board.head()}")
        board.kill(service)
        board.wait_for_games(1)
    told_of = board.inside("ladder", "bourre", "ladder", "verify", "/runs/ladder", "--jobs", "1", *heads)
    assert "no difference" in told_of
