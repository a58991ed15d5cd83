"""Looks for the run's database and logs, the programs of its neighbours, and their sockets."""

import rogue

SECRETS = (b"the-secret-of-the-run", b"sits next to every hostile bot")


def peek() -> None:
    for path in rogue.surroundings():
        try:
            content = path.read_bytes() if path.is_file() and path.stat().st_size < 1_000_000 else b""
        except OSError:
            continue  # it may not be read, as intended
        if any(secret in content for secret in SECRETS) or path.name in ("hostile.log", "verdict.toml"):
            print("FOUND", path.name)
    print("has looked")


rogue.attack_and_play(peek)
