"""The tests' own server ends with the tests, even if these are killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

import dev
from tests.postgres_server import PostgresServer

PROGRAM = """
import sys
from tests.postgres_server import PostgresServer, find_programs
server = PostgresServer(find_programs())
print(server.folder, server.url, flush=True)
sys.stdin.read()
"""


def test_a_server_ends_with_tests_that_are_killed(postgres: PostgresServer) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=dev.ROOT
    ) as tests:
        assert tests.stdout is not None
        folder, url = tests.stdout.readline().split()
        psycopg.connect(url).close()
        tests.kill()
        assert tests.stdout.read() == ""  # it ends when the program that cleans up does
    assert not Path(folder).exists()
    with pytest.raises(psycopg.OperationalError, match="refused"):
        psycopg.connect(url)
