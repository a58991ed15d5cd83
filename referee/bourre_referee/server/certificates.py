"""A listener's certificate, and the names in a bot's certificate with mutual TLS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import grpc.aio

from bourre_referee.model.listener_spec import Pems

ReadPems = Callable[[], Pems]
"""Returns the listener's files: the same object unless they changed. Any thread may call it."""

_NAMES = ("x509_common_name", "x509_subject_alternative_name")
"""gRPC's keys for the names in a verified certificate."""


def server_credentials(read: ReadPems) -> grpc.ServerCredentials:
    """Returns credentials that use the current files in each handshake."""
    shown = read()

    def fetch_if_changed() -> grpc.ServerCertificateConfiguration | None:
        """gRPC calls it before each handshake, in its own threads."""
        nonlocal shown
        before, shown = shown, read()
        return None if shown is before else _configuration(shown)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(shown),
        fetch_if_changed,  # type: ignore[arg-type]  # the stub leaves out that None changes nothing
        require_client_authentication=shown.client_ca is not None,
    )


def _configuration(pems: Pems) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(pems.key, pems.cert)], pems.client_ca)


def names_in_certificate(context: grpc.aio.ServicerContext[Any, Any]) -> frozenset[str]:
    """Returns the common name and the alternative names in a bot's certificate."""
    proven = context.auth_context()
    return frozenset(name.decode(errors="replace") for key in _NAMES for name in proven.get(key, ()))
