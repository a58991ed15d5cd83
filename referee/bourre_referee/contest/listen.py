"""The section [listen] of a contest file: where remote bots connect, and the referee's certificate."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from shlex import quote
from typing import Any

from bourre_referee.contest.certificate_dates import expiry_in_words
from bourre_referee.contest.contest_keys import Section, Word
from bourre_referee.model.listener_spec import LOOPBACK, Listen, TlsFiles

SYSTEM = "system"
"""The value of BOURRE_CA if an authority that every machine knows has signed the certificate."""
_SOME_AUTHORITY = "AUTHORITY-OF-THE-CERTIFICATE.pem"
_EXPLANATIONS = {
    9: "it is not valid yet.\nhint: check this machine's clock",
    26: "it is not for a server.\nhint: use a certificate whose extended key usage is absent or allows serverAuth",
}
"""The problem with a certificate, by OpenSSL's number (X509_V_ERR_...)."""
_EXPIRED = 10


def tls_problems(files: TlsFiles) -> Iterator[tuple[str, str]]:
    """Yields the key in the section [listen] of each file that a listener cannot use, and the problem."""
    unreadable = [(name, why) for name, path in files.by_name.items() if (why := _unreadable(path))]
    if unreadable:
        yield from unreadable
        return
    try:
        _shake_hands(files, files.cert)
    except (ssl.SSLError, ValueError) as error:
        yield "tls_cert", _explain(error, files.cert)
    try:
        if files.client_ca:
            _client(files.client_ca)
    except ssl.SSLError:
        yield "client_ca", "it has no certificate.\nhint: use a PEM file"


def host_names(files: TlsFiles) -> list[str]:
    """Returns the hosts in the certificate, without patterns. The files must have no problem."""
    names = (name for _, name in _shake_hands(files, files.cert).get("subjectAltName", ()))
    return [name for name in names if not {"*", ":"}.intersection(name)]


def trusted_file(files: TlsFiles) -> str:
    """Returns the value for BOURRE_CA, in capitals if only the organiser knows it. The files must have no problem."""
    shown = _shake_hands(files, files.cert)
    if shown["subject"] == shown["issuer"]:
        return str(files.cert)
    for authority in (files.client_ca, None):
        with suppress(ssl.SSLCertVerificationError):  # another authority has signed it
            _shake_hands(files, authority)
            return str(authority or SYSTEM)
    return _SOME_AUTHORITY


def _shake_hands(files: TlsFiles, trusted: Path | None) -> dict[str, Any]:
    """Returns the certificate as a bot sees it that trusts this file, or by default the machine's authorities.

    Raises SSLError or ValueError if the bot would not trust it, or if the files cannot be used.
    """
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(files.cert, files.key, lambda: "")
    to_bot, to_listener = ssl.MemoryBIO(), ssl.MemoryBIO()
    listener = server.wrap_bio(to_listener, to_bot, server_side=True)
    bot = _client(trusted).wrap_bio(to_bot, to_listener)
    for end in (bot, listener):
        with suppress(ssl.SSLWantReadError):
            end.do_handshake()
    bot.do_handshake()
    return bot.getpeercert() or {}


def _client(trusted: Path | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # a certificate may vouch for itself
    if trusted:
        context.load_verify_locations(trusted)
    else:
        context.load_default_certs()
    return context


def _unreadable(path: Path) -> str:
    try:
        path.read_bytes()
    except OSError as error:
        return f"{error.strerror}.\nhint: use another path, or change its permissions"
    return ""


def _explain(error: ssl.SSLError | ValueError, cert: Path) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code == _EXPIRED:
            return f"it expired on {expiry_in_words(cert.read_bytes())}.\nhint: renew it"
        return _EXPLANATIONS.get(
            error.verify_code, f"bots do not trust it ({error.verify_message}).\nhint: use another"
        )
    if isinstance(error, ssl.SSLError) and error.reason == "KEY_VALUES_MISMATCH":
        return "tls_key is another certificate's key.\nhint: use the key of this certificate"
    return "it and tls_key must be a PEM certificate and its PEM key, without a passphrase"


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
    """Converts a section without problems. Its paths are relative to `folder`."""
    return Listen(written.address, _tls_files(written, folder))


def listen_problems(written: ListenSection, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields key and text of each problem with the address or the files in this folder."""
    host = _host(written.address)
    if host is None:
        yield "address", f"address = {written.address!r}: must be host:port, such as 0.0.0.0:7443 or [::]:7443"
    if (written.tls_cert is None) != (written.tls_key is None):
        missing = "tls_key" if written.tls_key is None else "tls_cert"
        yield missing, f"{missing} is missing. TLS needs a certificate and its key."
    elif files := _tls_files(written, folder):
        for key, why in tls_problems(files):
            yield key, f"{key} = {getattr(written, key)!r}: {why}"
        if written.insecure:
            yield "insecure", "insecure = true contradicts tls_cert.\nhint: remove one of them"
    elif written.client_ca:
        yield "client_ca", "client_ca needs TLS.\nhint: set tls_cert and tls_key"
    elif host is not None and not written.insecure and not _is_loopback(host):
        text = f"address = {written.address!r}: anyone who intercepts the traffic could read tokens and cards"
        yield "address", f"{text}.\nhint: set tls_cert and tls_key, or insecure = true for a network that you trust"


def settings_for_authors(listen: Listen, address: str, bots: Iterable[str]) -> dict[str, dict[str, str]]:
    """Returns the environment variables that each bot needs in addition to its token, given the listener's address.

    Values that only the organiser or `bourre run` can know are in capitals.
    """
    shared = {"BOURRE_ADDRESS": "AS-THE-RUN-SAYS" if address.endswith(":0") else _dialled(address, listen.tls)}
    if listen.tls is None:
        return dict.fromkeys(bots, shared)
    shared["BOURRE_CA"] = trusted_file(listen.tls)
    if listen.tls.client_ca is None:
        return dict.fromkeys(bots, shared)
    return {bot: {**shared, "BOURRE_CERT": f"{bot}.pem", "BOURRE_KEY": f"{bot}.key"} for bot in bots}


def certificate_commands(client_ca: Path, bot: str) -> tuple[str, str]:
    """Returns commands that make a bot's certificate: first for the author, then for the authority."""
    new_key = "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    ask = f"{new_key} -subj /CN={bot} -keyout {bot}.key -out {bot}.csr"
    sign = f"openssl x509 -req -in {bot}.csr -CA {quote(str(client_ca))} -CAkey ITS-KEY.pem -CAcreateserial"
    return ask, f"{sign} -days 365 -out {bot}.pem"


def _host(address: str) -> str | None:
    """Returns the host of `host:port` without brackets; None if the address has another form."""
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


def _dialled(address: str, tls: TlsFiles | None) -> str:
    """Puts the certificate's host, or this machine's name, in place of a host that stands for all addresses."""
    host, _, port = address.rpartition(":")
    if host.strip("[]") not in _ANY_HOST:
        return address
    names = host_names(tls) if tls else []
    return f"{names[0] if names else socket.getfqdn()}:{port}"


def _tls_files(written: ListenSection, folder: Path) -> TlsFiles | None:
    """Returns the files of a section that has both certificate and key."""
    if not written.tls_cert or not written.tls_key:
        return None
    client_ca = folder / written.client_ca if written.client_ca else None
    return TlsFiles(folder / written.tls_cert, folder / written.tls_key, client_ca)
