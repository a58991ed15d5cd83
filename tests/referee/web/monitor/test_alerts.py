"""Each alert fires in the outage that it is for, by Prometheus's own evaluation of what a real host says of itself."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from logging import INFO, LogRecord
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.model.errors import StoreGone
from bourre_referee.text.log_format import LogFormat
from bourre_referee.web.monitor.database_probe import DatabaseProbe
from bourre_referee.web.monitor.ladder_metrics import LadderMetrics
from tests.referee.ladder.host.hosts import Host, host
from tests.referee.ladder.host.ladder_folders import make_ladder, with_bots

ROOT = Path(__file__).parents[4]
ALERTS = ROOT / "docker/alerts.yml"
UP = 'up{job="bourre",instance="one"}'


@pytest.fixture
def ladder(tmp_path: Path) -> LadderFolder:
    return with_bots(make_ladder(tmp_path), tmp_path, "ada", "bob", "cy", "dan")


class Scraped:
    """What Prometheus scrapes of a host."""

    def __init__(self, serving: Host, folder: Path) -> None:
        self.serving = serving
        self.log = LogFormat("text")
        self._folder = folder
        self.gone = False
        self.free: int | None = None
        """How many bytes the disk has left; None for those that it has."""
        serving.vitals.leads = True

    def text(self) -> str:
        probe = DatabaseProbe(self._check)
        probe.ask()
        metrics = LadderMetrics(self.serving.vitals, probe, self._folder, lambda: self.log.masked, self._now)
        with pytest.MonkeyPatch.context() as patch:
            if self.free is not None:
                patch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=1 << 40, free=self.free))
            return metrics.text().decode()

    def _check(self) -> None:
        if self.gone:
            raise StoreGone("connection refused")

    def _now(self) -> datetime:
        return self.serving.now


def samples(text: str) -> dict[str, float]:
    """The samples of a text, by the series in which Prometheus keeps them."""
    found = {UP: 1.0}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = {**sample.labels, "job": "bourre", "instance": "one"}
            named = ",".join(f"{name}={json.dumps(value)}" for name, value in labels.items())
            found[f"{sample.name}{{{named}}}"] = sample.value
    return found


def case(before: dict[str, float], after: dict[str, float], *alerts: str) -> dict[str, object]:
    """A test of the rules: after a minute of one scrape and five of another, these alerts fire and no others."""
    first = {name: f"{before[name]!r}x4" if name in before else "_x4" for name in after}
    scraped = [{"series": name, "values": f"{first[name]} {value!r}x20"} for name, value in after.items()]
    firing = [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in alerts]
    asked = {"expr": 'count by (alertname) (ALERTS{alertstate="firing"})', "eval_time": "6m", "exp_samples": firing}
    return {"interval": "15s", "input_series": scraped, "promql_expr_test": [asked]}


def fall_silent(scraped: Scraped) -> None:
    """The host stops, as on a machine that is too busy."""
    scraped.serving.now += timedelta(seconds=90)


def stand_by(scraped: Scraped) -> None:
    scraped.serving.vitals.leads = False


def hold_up(scraped: Scraped) -> None:
    """After some rooms of two seconds, a bot thinks for ten minutes while the others wait and the host goes on."""
    serving = scraped.serving
    for seconds in (2, 2, 2, 600):
        serving.rooms.stuck = True
        serving.steps(2)
        serving.now += timedelta(seconds=seconds)
        serving.rooms.stuck = seconds > 2
        serving.steps(2)


def lose_rooms(scraped: Scraped) -> None:
    scraped.serving.rooms.fails = True
    scraped.serving.steps(8)


def print_a_password(scraped: Scraped) -> None:
    address = "postgresql://me:hunter2@host/bourre"
    line = scraped.log.format(LogRecord("bourre", INFO, "", 0, f"connecting to {address}", None, None))
    assert "hunter2" not in line
    assert "postgresql://me:***@host/bourre" in line


def lose_database(scraped: Scraped) -> None:
    scraped.gone = True


def fill_the_disk(scraped: Scraped) -> None:
    scraped.free = 1 << 30


OUTAGES: dict[str, tuple[Callable[[Scraped], None], ...]] = {
    "BourreDatabaseIsGone": (lose_database,),
    "BourreHostStalls": (fall_silent, stand_by),
    "BourrePrintedAPassword": (print_a_password,),
    "BourreDiskIsNearlyFull": (fill_the_disk,),
}
"""What happens to a host, by the alert that tells of it."""
IN_ROOMS = {"BourreHostStalls": lose_rooms, "BourreBotHoldsUpOthers": hold_up}
"""What happens in its rooms."""


def outages(ladder: LadderFolder) -> Iterator[dict[str, object]]:
    """What a host says before and after each outage, and when all is well."""
    with host(ladder) as serving:
        serving.steps(4)
        calm, now = samples(Scraped(serving, ladder.path).text()), serving.now
        yield case(calm, calm)
        for alert, happens in OUTAGES.items():
            for happen in happens:
                scraped = Scraped(serving, ladder.path)
                happen(scraped)
                yield case(calm, samples(scraped.text()), alert)
                serving.now = now
    for alert, happen in IN_ROOMS.items():
        with host(ladder) as serving:
            serving.steps(2)
            scraped = Scraped(serving, ladder.path)
            before = samples(scraped.text())
            happen(scraped)
            yield case(before, samples(scraped.text()), alert)


@pytest.mark.skipif(not shutil.which("promtool"), reason="there is no promtool: apt-get install prometheus")
def test_each_alert_fires_in_its_outage_and_none_without(ladder: LadderFolder, tmp_path: Path) -> None:
    cases = [case({}, {}, "BourreIsDown"), case({}, {UP: 0.0}, "BourreIsDown"), *outages(ladder)]
    check = tmp_path / "alerts_test.json"
    check.write_text(json.dumps({"rule_files": [str(ALERTS)], "evaluation_interval": "15s", "tests": cases}))
    ended = subprocess.run(("promtool", "test", "rules", str(check)), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{ended.stdout}{ended.stderr}"
    assert set(re.findall(r"alert: (\w+)", ALERTS.read_text())) == {*OUTAGES, *IN_ROOMS, "BourreIsDown"}
