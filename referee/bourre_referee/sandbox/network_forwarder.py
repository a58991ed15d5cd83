"""Runs in a sandbox with a network: `python -IS network_forwarder.py COMMAND ...` becomes the command, and leaves
a process that carries connections from the port of a web proxy to the socket of the referee's.

It uses only the standard library, from CPython 3.9 on.
"""

import os
import signal
import socket
import sys

PORT = 3128
SOCKET = "/run/network.sock"


def main(command: list[str]) -> None:
    """Listens, so that the command can connect from its first moment, and becomes it."""
    listening = socket.create_server(("127.0.0.1", PORT), backlog=64)
    child = os.fork()
    if child == 0:
        if os.fork() == 0:  # an orphan, which the supervisor adopts, so that the bot has no child that it did not make
            carry_all(listening)
        os._exit(0)
    os.waitpid(child, 0)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them; a bot decides for itself
        signal.signal(ignored, signal.SIG_DFL)
    os.execv(command[0], command)


def carry_all(listening: socket.socket) -> None:
    """Carries every connection until the supervisor ends this process."""
    import asyncio

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while chunk := await source.read(65536):
            target.write(chunk)
            await target.drain()
        target.write_eof()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, to_there = await asyncio.open_unix_connection(SOCKET)
            try:
                await asyncio.gather(copy(reader, to_there), copy(there, writer))
            finally:
                to_there.close()
        except OSError:
            return  # one side hung up
        finally:
            writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(carry, sock=listening)
        await server.serve_forever()

    asyncio.run(serve())


if __name__ == "__main__":
    main(sys.argv[1:])
