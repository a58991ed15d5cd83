"""Opens the channel from a bot to its referee, with TLS or without, and explains gRPC's errors about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import grpc
import grpc.aio

from bourre.rules.errors import BourreError

SYSTEM = "system"
"""The value of BOURRE_CA that trusts the system's own authorities."""
_OPTIONS = (
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 20_000),  # a busy port may delay an attempt this long
    ("grpc.max_reconnect_backoff_ms", 1000),
)
_REMOTE_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # each bot of a program has its own connection
    ("grpc.keepalive_time_ms", 60_000),  # a waiting bot must notice that its referee is gone
    ("grpc.keepalive_timeout_ms", 20_000),
)
_NO_TLS = "WRONG_VERSION_NUMBER"
_EXPLANATIONS = {
    _NO_TLS: "it does not use TLS.\nhint: unset BOURRE_CA",
    "certificate has expired": "its certificate has expired.\nhint: ask the organiser to renew it",
    "certificate is not yet valid": "its certificate is not valid yet.\nhint: set this machine's clock",
    "CERTIFICATE_VERIFY_FAILED": "BOURRE_CA does not vouch for its certificate.\nhint: ask the organiser for its CA",
    "Hostname Verification Check failed": "its certificate has another name.\nhint: use the host of the invitation",
    "security handshaker": "a certificate is not PEM.\nhint: set BOURRE_CA, BOURRE_CERT and BOURRE_KEY to PEM files",
}
"""Explanations of permanent errors by a part of gRPC's message. The first match counts."""


class TlsError(BourreError):
    """The bot's certificates cannot be used, or the referee's cannot be trusted. The message says why."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The PEM texts that a bot uses: the authority of the referee, and for mutual TLS the bot's own certificate."""

    ca: bytes | None
    """None uses gRPC's own list of authorities."""
    cert: bytes | None = None
    key: bytes | None = None


def tls_from(environment: Mapping[str, str]) -> Tls | None:
    """Reads the files in BOURRE_CA, BOURRE_CERT and BOURRE_KEY; None without BOURRE_CA. Raises TlsError."""
    ca, cert, key = (environment.get(name) for name in ("BOURRE_CA", "BOURRE_CERT", "BOURRE_KEY"))
    if bool(cert) != bool(key):
        raise TlsError("BOURRE_CERT and BOURRE_KEY need each other.\nhint: set both, or neither")
    if not ca:
        if cert:
            raise TlsError(f"BOURRE_CERT needs BOURRE_CA too.\nhint: set BOURRE_CA to a PEM file, or to {SYSTEM}")
        return None
    trusted = _system_authorities() if ca == SYSTEM else ca
    return Tls(
        _read("BOURRE_CA", trusted) if trusted else None,
        _read("BOURRE_CERT", cert) if cert else None,
        _read("BOURRE_KEY", key) if key else None,
    )


def _system_authorities() -> str | None:
    import ssl  # slow to load, and few bots need it

    return ssl.get_default_verify_paths().cafile


def _read(name: str, path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # without pathlib, whose import is a thirtieth of a bot's start
            return file.read()
    except OSError as error:
        raise TlsError(f"Cannot read {name}={path}: {error.strerror}.\nhint: set it to a PEM file") from error


def is_local(address: str) -> bool:
    """Returns whether an address is a socket file of the referee that started the bot."""
    return address.startswith("unix:")


def open_channel(address: str, tls: Tls | None) -> grpc.aio.Channel:
    """Opens a channel to the referee at this address (`unix:...` or `host:port`)."""
    if is_local(address):
        return grpc.aio.insecure_channel(address, options=_OPTIONS)
    options = (*_OPTIONS, *_REMOTE_OPTIONS)
    if tls is None:
        return grpc.aio.insecure_channel(address, options=options)
    credentials = grpc.ssl_channel_credentials(tls.ca, tls.key, tls.cert)
    return grpc.aio.secure_channel(address, credentials, options=options)


def explain(details: str) -> str:
    """Returns the permanent error that gRPC's message means; empty if it is not about TLS."""
    return next((words for part, words in _EXPLANATIONS.items() if part in details), "")


def hint(details: str, tls: Tls | None) -> str:
    """Returns the likely cause and its fix if the referee ends every connection at once; otherwise an empty text."""
    if "Socket closed" not in details and "Connection reset" not in details:
        return ""
    if tls is None:
        return "The referee may use TLS.\nhint: set BOURRE_CA as the invitation says"
    if tls.cert:
        return "The referee may not know the certificate.\nhint: set BOURRE_CERT to the file of the invitation"
    return "The referee may require a certificate.\nhint: set BOURRE_CERT and BOURRE_KEY"
