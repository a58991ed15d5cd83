"""Prepares the ladder of compose.yaml: passwords, certificates, terms and bots.

What exists stays as it is, so it may start again after any interruption. Every secret is a file in a volume of its
own, which only the containers that need it can read.
"""

import datetime
import json
import os
import re
import secrets
import subprocess
import sys
import time
from pathlib import Path

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

KEYS = Path("/keys")
LADDER = Path("/runs/ladder")
DATABASE = "postgresql://bourre@database/bourre"
HOSTED = {"counter": "counter.py", "follower": "follower.py"}
"""The bots that the ladder starts itself, in sandboxes; their files are in the folder of the examples."""
GUEST = "guest"
"""The remote bot, which another container starts."""
DOOR = ("door", "localhost")
"""The names by which remote bots know the ladder; add your machine's before the first start."""
DAYS = 3_650
_PATIENCE_S = 120


def main() -> None:
    """Makes what is missing, in the order in which the other containers wait for it."""
    make_password(KEYS / "database")
    certify(KEYS / "cluster", ["scheduler"])
    certify(KEYS / "door", os.environ.get("BOURRE_NAMES", "").split() or list(DOOR))
    wait_for_database()
    open_ladder()
    known = {row["name"].partition(".")[0] for row in json.loads(bourre("status", "--json"))["bots"]}
    for bot, file in HOSTED.items():
        if bot not in known:
            bourre("add", bot, "--command", f"python {file}", "--from", "/contest", "--files", file)
    invite(GUEST, new=GUEST not in known)


def make_password(folder: Path) -> None:
    """Makes the password of the database, last in the form that the server reads, which waits for it."""
    if not (folder / "password").exists():
        password = secrets.token_hex(32)
        write(folder / "pgpass", f"*:*:*:bourre:{password}\n".encode())
        write(folder / "password", password.encode())


def write(path: Path, content: bytes) -> None:
    """Writes a file that only this user can read: whole, or not at all."""
    half = path.with_suffix(".new")
    half.unlink(missing_ok=True)
    with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400), "wb") as file:
        file.write(content)
    half.rename(path)


def certify(folder: Path, names: list[str]) -> None:
    """Makes a key, and a certificate with these names that vouches for itself; its file comes last."""
    if (folder / "cert.pem").exists():
        return
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(known) for known in names]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write(folder / "key.pem", key.private_bytes(*form))
    write(folder / "cert.pem", certificate.public_bytes(serialization.Encoding.PEM))


def wait_for_database() -> None:
    """Returns once the database answers. Raises OperationalError if it does not within two minutes."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            psycopg.connect(DATABASE, connect_timeout=5).close()
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
        else:
            return


def open_ladder() -> None:
    """Makes the ladder. If an earlier attempt was interrupted, nobody has played yet, and what it stored goes first."""
    begun = LADDER.with_suffix(".begun")
    if not LADDER.exists():
        if begun.exists():
            with psycopg.connect(DATABASE) as database:
                database.execute("DROP SCHEMA public CASCADE")
                database.execute("CREATE SCHEMA public")
        begun.touch()
        bourre("init", "/contest/ladder.toml", "--db", DATABASE)
    begun.unlink(missing_ok=True)


def invite(bot: str, *, new: bool) -> None:
    """Gives the bot's container its token, and the certificate that it must trust."""
    token = KEYS / bot / "token"
    if new or not token.exists():
        said = bourre("add", bot, "--remote", "--owner", bot) if new else bourre("token", bot, "--renew")
        found = re.search(r"BOURRE_TOKEN=(\S+)", said)
        if not found:
            sys.exit(f"there is no token in {said!r}")
        write(KEYS / bot / "cert.pem", (KEYS / "door/cert.pem").read_bytes())
        write(token, found[1].encode())


def bourre(command: str, *words: str) -> str:
    """Runs a command of the ladder, and returns its output. The rest of what it tells, such as keys, is not logged."""
    done = subprocess.run(["bourre", "ladder", command, LADDER, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
