"""Keeping pages away from every real network."""

import asyncio
import os
import socket
import struct
import subprocess
import sys

MARK = "PROBEKIT_GALLERY_ISOLATED"


def leave():
    """Starts this program anew in a network namespace with loopback alone, where the system lets it."""
    if MARK in os.environ:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    unshare = ["unshare", "--net"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    environment = dict(os.environ, PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    allowed = subprocess.run(
        [*unshare, "ip", "link", "set", "lo", "up"], env=environment, stderr=subprocess.DEVNULL)
    if allowed.returncode == 0:
        environment[MARK] = "1"
        os.execvpe(unshare[0], [*unshare, sys.executable, *sys.argv], environment)
    print("gallery: no network namespace here; only the proxy keeps pages on this machine", file=sys.stderr)


class Proxy:
    """A proxy that leads whatever is asked to a replay server: the bytes as they are, for every host and port."""

    def __init__(self, listeners):
        self._listeners = {name: address.rsplit(":", 1) for name, address in listeners.items()}
        self._server = None
        self._tasks = set()
        # The last connection that the replay server did not take.
        self.failure = None

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _serve(self, reader, writer):
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            await self._lead(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            _reset(writer)
        except asyncio.CancelledError:
            # The proxy is closed; asyncio would complain of whatever does not end by itself.
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _lead(self, reader, writer):
        start = await reader.readuntil(b"\r\n\r\n")
        listener = "http"
        if start.startswith(b"CONNECT "):
            # Whether it is TLS or, as for a WebSocket, plain HTTP, shows in the first byte (RFC 8446 §5.1).
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            start = await reader.read(1)
            listener = "https" if start == b"\x16" else "http"
        host, port = self._listeners[listener]
        try:
            far_reader, far_writer = await asyncio.open_connection(host, int(port))
        except OSError as error:
            self.failure = f"{listener}: {os.strerror(error.errno or 0).lower()}"
            raise
        try:
            far_writer.write(start)
            there = asyncio.create_task(_carry(reader, far_writer))
            try:
                await _carry(far_reader, writer)
            finally:
                there.cancel()
        finally:
            far_writer.close()


async def _carry(reader, writer):
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


def _reset(writer):
    """Ends a connection with a reset, as the replay server ended its side."""
    connection = writer.get_extra_info("socket")
    if connection and connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
