"""Which schedulers are spoken to: those on this machine, and those behind TLS."""

from __future__ import annotations

import dask.config
import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.runner.cluster.dask_link import Seat, is_loopback, open_link


@pytest.mark.parametrize("address", ["10.0.0.5:8786", "tcp://10.0.0.5:8786", "tcp://cluster.example:8786"])
def test_a_scheduler_elsewhere_must_have_tls(address: str) -> None:
    with pytest.raises(ContestError, match="without TLS, seeds would travel readably"), open_link(address, 1):
        pass


@pytest.mark.parametrize("address", ["http://10.0.0.5:8786", "inproc://x"])
def test_an_address_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(ContestError, match="give an address such as tls://host:8786"), open_link(address, 1):
        pass


def test_where_nobody_answers_it_is_said() -> None:
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.1s"}),
        pytest.raises(ContestError, match="no scheduler answers there"),
        open_link("tcp://127.0.0.1:9", 1),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("tcp://127.0.0.1:4000", True),
        ("tcp://[::1]:4000", True),
        ("tcp://localhost:4000", True),
        ("tls://10.0.0.5:4000", True),
        ("tcp://10.0.0.5:4000", False),
        ("tcp://localhost.example:4000", False),
    ],
)
def test_a_worker_is_private_on_this_machine_or_behind_tls(address: str, private: bool) -> None:
    assert Seat(address, "/tmp", "host", 1).is_private == private
    assert is_loopback(address) == (private and not address.startswith("tls"))
