"""The channel from a bot to its referee: with TLS or without, and what gRPC's errors about it mean in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc
import grpc.aio

from bourre.rules.errors import BourreError

SYSTEM = "system"
"""What BOURRE_CA says if the system's own authorities vouch for the referee."""
_OPTIONS = (
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 20_000),  # a busy port may delay an attempt this long
    ("grpc.max_reconnect_backoff_ms", 1000),
)
_REMOTE_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),  # several bots of one program have a connection each
    ("grpc.keepalive_time_ms", 60_000),  # a bot that waits between rooms must notice that its referee is gone
    ("grpc.keepalive_timeout_ms", 20_000),
)
_ASK_ORGANISER = "ask the organiser for the right file"
_NO_TLS = "WRONG_VERSION_NUMBER"
_EXPLANATIONS = {
    _NO_TLS: "it does not use TLS: unset BOURRE_CA",
    "certificate has expired": "its certificate has expired: ask the organiser to renew it",
    "certificate is not yet valid": "its certificate is not valid yet: check this machine's clock",
    "CERTIFICATE_VERIFY_FAILED": f"BOURRE_CA does not vouch for its certificate: {_ASK_ORGANISER}",
    "Hostname Verification Check failed": "its certificate is for another name: use the host of the invitation",
    "security handshaker": "gRPC cannot read the certificates: BOURRE_CA, BOURRE_CERT and BOURRE_KEY must be PEM files",
}
"""What is wrong for good, by a part of gRPC's message; the first that fits counts."""


class TlsError(BourreError):
    """The bot's certificates cannot be used, or the referee's cannot be trusted; the message says why."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The PEM texts that a bot uses: who vouches for the referee, and with mutual TLS the bot's own certificate."""

    ca: bytes | None
    """None leaves it to gRPC's own list of authorities."""
    cert: bytes | None = None
    key: bytes | None = None


def tls_from(environment: Mapping[str, str]) -> Tls | None:
    """Reads the files that BOURRE_CA, BOURRE_CERT and BOURRE_KEY name; None without BOURRE_CA. Raises TlsError."""
    ca, cert, key = (environment.get(name) for name in ("BOURRE_CA", "BOURRE_CERT", "BOURRE_KEY"))
    if bool(cert) != bool(key):
        raise TlsError("BOURRE_CERT and BOURRE_KEY go together: set both, or neither")
    if not ca:
        if cert:
            raise TlsError(f"BOURRE_CERT takes BOURRE_CA: set it to a PEM file, or to {SYSTEM}")
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
        return Path(path).read_bytes()
    except OSError as error:
        raise TlsError(f"{name}={path}: {error.strerror}: give the path of a PEM file") from error


def is_local(address: str) -> bool:
    """Whether an address is a socket file, where the referee that started the bot listens."""
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
    """Says what is wrong for good if gRPC's message is about TLS; otherwise returns an empty text."""
    return next((words for part, words in _EXPLANATIONS.items() if part in details), "")


def hint(details: str, tls: Tls | None) -> str:
    """Says what may be wrong with a referee that ends every connection at once; otherwise an empty text."""
    if "Socket closed" not in details and "Connection reset" not in details:
        return ""
    if tls is None:
        return "it ends every connection: if it uses TLS, set BOURRE_CA as the invitation says"
    own = "it may not know the certificate in BOURRE_CERT" if tls.cert else "it may want a certificate: set BOURRE_CERT"
    return f"it ends every connection: {own}"
