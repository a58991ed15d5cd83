"""Tries every way out of its box, prints as one line of JSON how each ended, and plays by the defaults."""

import json
import os
import socket
import sys
from collections.abc import Callable
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from bourre import Bot, run


def fetched(url: str) -> str:
    try:
        with urlopen(url, timeout=20) as answer:
            return str(answer.read().decode())
    except HTTPError as error:
        return f"{error.code} {error.read().decode().strip()}"
    except (URLError, OSError) as error:
        return f"no way: {error}"


def tunnelled(destination: str, request: str = "GET / HTTP/1.0\r\n\r\n") -> str:
    try:
        with socket.create_connection(("127.0.0.1", 3128), 20) as tunnel, tunnel.makefile("rw", newline="") as lines:
            lines.write(f"CONNECT {destination} HTTP/1.1\r\nHost: {destination}\r\n\r\n")
            lines.flush()
            status = lines.readline().strip()
            if " 200 " not in status:
                return f"{status} {lines.read().splitlines()[-1]}"
            lines.readline()
            lines.write(request)
            lines.flush()
            tunnel.shutdown(socket.SHUT_WR)
            return lines.read().splitlines()[-1]
    except OSError as error:
        return f"no way: {error.strerror}"


def direct(place: str) -> str:
    host, _, port = place.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), 5):
            return "FOUND a way"
    except OSError as error:
        return f"no way: {error.strerror}"


def on_socket(path: str) -> str:
    try:
        with socket.socket(socket.AF_UNIX) as trying:
            trying.connect(path)
            return "FOUND a way"
    except OSError as error:
        return f"no way: {error.strerror}"


def listed(folder: str) -> str:
    return " ".join(sorted(os.listdir(folder)))


def variable(name: str) -> str:
    return os.environ.get(name, "")


WAYS: "dict[str, Callable[[str], str]]" = {
    "fetch": fetched,
    "tunnel": tunnelled,
    "direct": direct,
    "unix": on_socket,
    "list": listed,
    "variable": variable,
}
print(json.dumps({f"{way} {where}": WAYS[way](where) for way, where in json.loads(sys.argv[1])}), flush=True)
run(Bot)
