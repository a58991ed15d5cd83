"""`/health`, `/ready` and `/metrics` of the host of a ladder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bourre_referee.ladder.host.host_vitals import HostVitals
from bourre_referee.ladder.host.joining import Newcomer, add_remote
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.model.errors import StoreGone
from bourre_referee.runner.room_reports import RefusedHellos, RemotePresence, WorkerLoad
from bourre_referee.web.monitor.database_probe import DatabaseProbe
from bourre_referee.web.monitor.ladder_metrics import LadderMetrics
from bourre_referee.web.monitor.monitor_server import HostCheck, serve_monitor
from tests.referee.ladder.host.hosts import Host, host
from tests.referee.ladder.host.ladder_folders import NOW, make_ladder, with_bots


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    ladder = with_bots(make_ladder(tmp_path), tmp_path, "ada", "bob", "cy")
    add_remote(ladder, Newcomer("far"), lambda: NOW)
    return ladder


@pytest.fixture
def serving(ladder: LadderFolder) -> Iterator[Host]:
    with host(ladder) as serving:
        yield serving


def measured(serving: Host, folder: Path) -> dict[str, float]:
    """The metrics by name, and by the value of their labels."""
    probe = DatabaseProbe(lambda: None)
    probe.ask()
    text = LadderMetrics(serving.vitals, probe, folder, lambda: 0, lambda: serving.now).text().decode()
    families = text_string_to_metric_families(text)
    found = [sample for family in families for sample in family.samples]
    return {" ".join([sample.name.removeprefix("bourre_"), *sample.labels.values()]): sample.value for sample in found}


def test_the_metrics_count_what_happens_in_rooms(serving: Host, tmp_path: Path) -> None:
    serving.rooms.load = (WorkerLoad("this machine", 2, 1, 3),)
    refused = (RefusedHellos("unknown token", "", 5), RefusedHellos("revoked token", "far", 1))
    serving.rooms.come = [RemotePresence(("far",), frozenset({"far"}), refused=refused)]
    serving.steps(6)
    serving.rooms.away = "far"
    serving.steps(3)
    serving.rooms.fails = True
    serving.steps(3)
    found = measured(serving, tmp_path)
    assert found["rooms_finished_total"] >= 3
    assert (found["rooms_void_total bots away"], found["rooms_void_total host"]) >= (1, 1)
    assert found["rooms_lost_total"] >= 3
    assert (found["refusals_total unknown token"], found["refusals_total revoked token"]) == (5, 1)
    assert found["worker_rooms playing this machine"] == 1
    assert found["worker_rooms waiting this machine"] == 3
    assert found["worker_slots this machine"] == 2
    assert not {"far", "ada"} & {word for name in found for word in name.split()}


def test_the_metrics_tell_how_long_rooms_last_and_bots_wait(serving: Host, tmp_path: Path) -> None:
    serving.steps(4)
    serving.rooms.stuck = True
    serving.steps(2)
    serving.now += timedelta(minutes=7)
    serving.steps(1)
    found = measured(serving, tmp_path)
    assert found["oldest_room_seconds"] == found["longest_wait_seconds"] == found["last_match_age_seconds"] == 420
    assert found["rooms waiting"] == 1  # this executor never says that it plays
    assert found["bots playing"] + found["bots waiting"] == 3
    assert (found["bots away"], found["step_age_seconds"]) == (1, 0)


def test_a_host_is_ready_while_it_leads_and_steps_and_its_storage_answers(serving: Host) -> None:
    gone = [StoreGone("connection refused\nhint: start it")]
    probe = DatabaseProbe(lambda: None if not gone else raise_first(gone))
    check = HostCheck(serving.vitals, probe, lambda: serving.now)
    probe.ask()
    assert check.unready() == "connection refused"
    gone.clear()
    probe.ask()
    assert "another host leads" in check.unready()
    serving.vitals.leads = True
    assert "reading the log" in check.unready()
    serving.steps(1)
    assert (check.unready(), check.stuck()) == ("", "")
    serving.now += timedelta(seconds=60)
    assert (check.unready(), check.stuck()) == ("the host's last step was 60 s ago", "")
    serving.now += timedelta(seconds=90)
    assert check.stuck() == "the host's last step was 150 s ago"
    gone.append(StoreGone("connection refused"))
    probe.ask()
    assert check.stuck() == ""  # a restart would not help


def raise_first(errors: list[StoreGone]) -> None:
    raise errors[0]


def test_the_monitor_answers_on_a_port_of_its_own(ladder: LadderFolder) -> None:
    vitals = HostVitals(lambda: datetime.now(NOW.tzinfo))
    with serve_monitor(ladder, vitals, "127.0.0.1", 0, lambda: 3) as url, httpx.Client(trust_env=False) as client:
        assert (client.get(f"{url}health").text, client.get(f"{url}health").status_code) == ("ok\n", 200)
        assert client.get(f"{url}ready").status_code == 503
        text = client.get(f"{url}metrics").text
        assert "bourre_masked_secrets_total 3.0" in text
        assert "bourre_leads 0.0" in text
        assert "process_resident_memory_bytes" in text
        assert client.get(f"{url}").status_code == 404
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}health", trust_env=False)
