"""The containers of docker/compose.yaml: none is root, has a capability, or reaches more than it must."""

from __future__ import annotations

from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import dev

COMPOSE: dict[str, Any] = yaml.safe_load((dev.ROOT / "docker/compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BOTS = {"guest"}
NETWORKS = {
    "database": {"storage"},
    "first_start": {"storage"},
    "scheduler": {"cluster"},
    "worker": {"cluster"},
    "ladder": {"front", "door", "cluster", "storage"},
    "guest": {"door"},
    "referee": set(),
}
KEYS = {
    "database": {"database-key:ro"},
    "first_start": {"database-key", "cluster-key", "door-key", "guest-key"},
    "scheduler": {"cluster-key:ro"},
    "worker": {"cluster-key:ro"},
    "ladder": {"database-key:ro", "cluster-key:ro", "door-key:ro"},
    "guest": {"guest-key:ro"},
    "referee": set(),
}
ENDS = {"first_start", "referee"}
"""What ends by itself, and so has no state to ask for."""


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_nothing_that_it_does_not_need(name: str) -> None:
    service = SERVICES[name]
    assert service["user"] == "10001:10001"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"][0] == "no-new-privileges:true"
    assert {"mem_limit", "pids_limit", "ulimits", "tmpfs", "logging"} <= service.keys()
    assert ("healthcheck" in service) == (name not in ENDS)
    assert not {"privileged", "cap_add", "devices", "pid", "ipc", "userns_mode"} & service.keys()
    assert set(service.get("networks") or ()) == NETWORKS[name]
    mounts = [mount.split(":") for mount in service["volumes"]]
    assert {":".join([source, *mode]) for source, _, *mode in mounts if source.endswith("-key")} == KEYS[name]
    assert all(mount[2:] == ["ro"] for mount in mounts if mount[0].startswith("."))


def test_only_what_starts_bots_may_make_namespaces() -> None:
    assert {name for name, service in SERVICES.items() if len(service["security_opt"]) > 1} == {"ladder", "worker"}


def test_bots_reach_their_door_alone() -> None:
    inside = {name for name, network in COMPOSE["networks"].items() if network == {"internal": True}}
    assert inside == {"door", "cluster", "storage"}
    assert {name for name in SERVICES if "door" in NETWORKS[name]} == {"ladder", *BOTS}
    (ladder,) = (service for service in SERVICES.values() if "ports" in service)
    assert all(port.startswith("${BOURRE_PUBLISH:-127.0.0.1}:") for port in ladder["ports"])
    assert "pages" in ladder["networks"]["front"]["aliases"]
    assert "--host pages " in " ".join(ladder["command"])
    assert "--monitor-host" not in ladder["command"]


def test_no_secret_is_in_the_file() -> None:
    named = {name for service in SERVICES.values() for name in service["environment"]}
    assert not [name for name in named if "PASSWORD" in name or "TOKEN" in name]
