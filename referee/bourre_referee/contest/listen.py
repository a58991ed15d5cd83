"""The section [listen] of a contest file: where remote bots connect, and how the referee proves its name to them."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

from bourre_referee.contest.contest_keys import Section, Word
from bourre_referee.model.door_spec import LOOPBACK, Listen, TlsFiles

_ANY_HOST = ("0.0.0.0", "::")
_HIGHEST_PORT = 65_535


class ListenSection(Section):
    """[listen]"""

    address: Word = LOOPBACK
    tls_cert: Word | None = None
    tls_key: Word | None = None
    client_ca: Word | None = None
    insecure: bool = False


def listen_of(written: ListenSection, folder: Path) -> Listen:
    """Converts a section without problems; paths are relative to this folder, that of the contest file."""
    if written.tls_cert is None or written.tls_key is None:
        return Listen(written.address)
    client_ca = folder / written.client_ca if written.client_ca else None
    return Listen(written.address, TlsFiles(folder / written.tls_cert, folder / written.tls_key, client_ca))


def listen_problems(written: ListenSection, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields key and text of each problem with the address or the files in this folder."""
    host = _host(written.address)
    if host is None:
        yield "address", f"address = {written.address!r}: write host:port, as in 0.0.0.0:7443 or [::]:7443"
    if (written.tls_cert is None) != (written.tls_key is None):
        missing = "tls_key" if written.tls_key is None else "tls_cert"
        yield missing, f"{missing} is missing: TLS takes both a certificate and its key"
    elif written.tls_cert and written.tls_key:
        yield from _file_problems(written, folder)
        if written.insecure:
            yield "insecure", "insecure = true does not go with tls_cert: leave out one of them"
    elif written.client_ca:
        yield "client_ca", "client_ca takes TLS: give tls_cert and tls_key too"
    elif host is not None and not written.insecure and not _is_loopback(host):
        text = f"address = {written.address!r}: whoever can intercept the traffic could read tokens and cards"
        yield "address", f"{text}: give tls_cert and tls_key, or write insecure = true for a network that you trust"


def settings_for_authors(listen: Listen, address: str) -> dict[str, str]:
    """Returns the environment variables that a bot needs besides its token, given the address it is to dial.

    What only the author, or `bourre run`, can know is in capitals.
    """
    settings = {"BOURRE_ADDRESS": "AS-THE-RUN-SAYS" if address.endswith(":0") else _dialled(address)}
    if tls := listen.tls:
        settings["BOURRE_CA"] = str(tls.cert) if _is_self_signed(tls.cert) else "system"
        if tls.client_ca:
            settings |= {"BOURRE_CERT": "YOUR-CERTIFICATE.pem", "BOURRE_KEY": "YOUR-KEY.pem"}
    return settings


def _host(address: str) -> str | None:
    """Returns the host of `host:port` without brackets; None if this is no such address."""
    host, _, port = address.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    brackets = host != bare
    sound = port.isascii() and port.isdigit() and int(port) <= _HIGHEST_PORT
    return bare if bare and sound and brackets == (":" in bare) else None


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, which may mean any machine
        return False


def _dialled(address: str) -> str:
    """Puts this machine's name in place of a host that stands for all its addresses."""
    host, _, port = address.rpartition(":")
    return f"{socket.getfqdn()}:{port}" if host.strip("[]") in _ANY_HOST else address


def _file_problems(written: ListenSection, folder: Path) -> Iterator[tuple[str, str]]:
    for key in ("tls_cert", "tls_key", "client_ca"):
        name = getattr(written, key)
        if name and (problem := _unreadable(folder / name)):
            yield key, f"{key} = {name!r}: {problem}"
            return
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(folder / str(written.tls_cert), folder / str(written.tls_key), lambda: "")
    except (ssl.SSLError, ValueError) as error:
        yield "tls_cert", _explain(written, error)
    try:
        if written.client_ca:
            context.load_verify_locations(folder / written.client_ca)
    except ssl.SSLError:
        yield "client_ca", f"client_ca = {written.client_ca!r}: it holds no certificate: give a PEM file"


def _unreadable(path: Path) -> str:
    try:
        path.read_bytes()
    except OSError as error:
        return f"{error.strerror}: correct the path, or its permissions"
    return ""


def _explain(written: ListenSection, error: ssl.SSLError | ValueError) -> str:
    files = f"tls_cert = {written.tls_cert!r} and tls_key = {written.tls_key!r}"
    if isinstance(error, ssl.SSLError) and error.reason == "KEY_VALUES_MISMATCH":
        return f"{files}: the key is another certificate's: give the key that this certificate was made for"
    return f"{files}: they must be a PEM certificate and its PEM key, without a passphrase"


def _is_self_signed(cert: Path) -> bool:
    """Whether bots can trust this certificate itself; any other is signed by an authority that they know."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cert)
    return any(known["subject"] == known["issuer"] for known in context.get_ca_certs())
