"""Checks of a door's PEM files, and what its bots need to trust it; found by shaking hands with it in memory."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bourre_referee.model.door_spec import TlsFiles

SYSTEM = "system"
"""What BOURRE_CA says if the authorities that every machine knows vouch for the door."""
_SOME_AUTHORITY = "AUTHORITY-OF-THE-CERTIFICATE.pem"
_EXPLANATIONS = {
    9: "it is not valid yet: check this machine's clock",
    10: "it has expired: renew it",
    26: "it is not for a server: its extended key usage must allow serverAuth, or be left out",
}
"""What is wrong with a certificate, by OpenSSL's number (X509_V_ERR_...)."""


def tls_problems(files: TlsFiles) -> Iterator[tuple[str, str]]:
    """Yields the key in the section [listen] of each file that a door cannot use, with the reason and a hint."""
    unreadable = [(name, why) for name, path in files.by_name.items() if (why := _unreadable(path))]
    if unreadable:
        yield from unreadable
        return
    try:
        _shake_hands(files, files.cert)
    except (ssl.SSLError, ValueError) as error:
        yield "tls_cert", _explain(error)
    try:
        if files.client_ca:
            _client(files.client_ca)
    except ssl.SSLError:
        yield "client_ca", "it holds no certificate: give a PEM file"


def host_names(files: TlsFiles) -> list[str]:
    """Returns the hosts that the certificate names, without patterns; the files must have no problem."""
    names = (name for _, name in _shake_hands(files, files.cert).get("subjectAltName", ()))
    return [name for name in names if not {"*", ":"}.intersection(name)]


def trusted_file(files: TlsFiles) -> str:
    """Returns what BOURRE_CA must say, in capitals if only the organiser can know; the files must have no problem."""
    shown = _shake_hands(files, files.cert)
    if shown["subject"] == shown["issuer"]:
        return str(files.cert)
    for authority in (files.client_ca, None):
        with suppress(ssl.SSLCertVerificationError):  # another authority has signed it
            _shake_hands(files, authority)
            return str(authority or SYSTEM)
    return _SOME_AUTHORITY


def _shake_hands(files: TlsFiles, trusted: Path | None) -> dict[str, Any]:
    """Returns what the certificate says to a bot that trusts this file, by default the machine's authorities.

    Raises SSLError or ValueError if the bot would not trust it, or the files cannot be used.
    """
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(files.cert, files.key, lambda: "")
    to_bot, to_door = ssl.MemoryBIO(), ssl.MemoryBIO()
    door = server.wrap_bio(to_door, to_bot, server_side=True)
    bot = _client(trusted).wrap_bio(to_bot, to_door)
    for end in (bot, door):
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
        return f"{error.strerror}: correct the path, or its permissions"
    return ""


def _explain(error: ssl.SSLError | ValueError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _EXPLANATIONS.get(error.verify_code, f"bots would not trust it ({error.verify_message}): give another")
    if isinstance(error, ssl.SSLError) and error.reason == "KEY_VALUES_MISMATCH":
        return "tls_key is another certificate's key: give the key that this certificate was made for"
    return "it and tls_key must be a PEM certificate and its PEM key, without a passphrase"
