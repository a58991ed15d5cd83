"""Write the report of the bench as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from bourre_referee.diagnostics.bench.bench_report import Contest, Engine, Report, Wire
from bourre_referee.diagnostics.bench.regression import Regression

ENOUGH = 8
"""How many pairs make a median worth keeping."""


def document(report: Report) -> str:
    """Write the report as one JSON document."""
    return json.dumps(asdict(report), indent=2)


def lines(report: Report) -> Iterator[str]:
    """Yield a table for the wire, then a line for each other figure."""
    machine = report.machine
    load = "" if machine.load is None else f", load {machine.load}"
    host = f"{machine.cores} cores, {machine.system} {machine.processor}{load}"
    yield f"{host}, {machine.python}, grpcio {machine.grpcio}"
    yield f"medians of {report.pairs} pair{'s' if report.pairs != 1 else ''}{_caveat(report)}"
    yield from _wire(report.wire)
    yield ""
    yield f"{'practice':10} {_rate(report.practice.decisions_per_s)} decisions/s"
    yield from _engine(report.engine)
    yield from _contest(report.contest)


def regression_line(regression: Regression) -> str:
    """Write a line about a ratio that fell."""
    share = 1 - regression.now / regression.before
    return f"{regression.ratio} fell from {regression.before} to {regression.now}, by {100 * share:.0f} %"


def _caveat(report: Report) -> str:
    if report.quick:
        return ", little played: for a first look"
    return "" if report.pairs >= ENOUGH else f": {ENOUGH} or more make figures to keep"


def _wire(wire: Wire) -> Iterator[str]:
    yield ""
    yield "five trivial bots, one Unix socket; ratios to a bare gRPC echo of the same routing"
    yield f"{'tables':>8} {'asks/s':>9} {'decisions/s':>12} {'echo/s':>9} {'asks':>7} {'decisions':>10}"
    for at in wire.tables:
        yield (
            f"{at.tables:8} {_rate(at.asks_per_s):>9} {_rate(at.decisions_per_s):>12} {_rate(at.echo_per_s):>9} "
            f"{at.asks_to_echo:7.2f} {at.ratio_to_echo:10.2f}"
        )
    yield (
        f"asks of 64 tables together, against each by itself: {wire.ratio_to_single:.2f} "
        f"({_rate(wire.single_decisions_per_s)} decisions/s)"
    )


def _engine(engine: Engine) -> Iterator[str]:
    beside = "OpenSpiel is not installed"
    if engine.ratio_to_openspiel is not None and engine.openspiel_decisions_per_s is not None:
        rate = _rate(engine.openspiel_decisions_per_s)
        beside = f"{engine.ratio_to_openspiel:.2f} of OpenSpiel's euchre, {rate}"
    kind = "compiled" if engine.compiled else "plain Python"
    yield f"{'rules':10} {_rate(engine.decisions_per_s)} decisions/s, {kind}; {beside}"


def _contest(contest: Contest) -> Iterator[str]:
    yield (
        f"{'contest':10} {_rate(contest.decisions_per_s)} decisions/s to stored standings, {contest.ratio_to_wire:.2f} "
        "of the room at 64 tables"
    )
    yield (
        f"{'':10} {contest.bytes_per_deal:.0f} bytes of record a deal; ten times the deals ({contest.deals:,}) took "
        f"{contest.time_growth:.1f} times as long"
    )
    yield f"{'':10} and {contest.rss_growth_mib:+.1f} MiB of memory, {contest.peak_mib:.0f} at the peak"


def _rate(rate: float) -> str:
    return f"{rate:,.0f}"
