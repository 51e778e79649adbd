"""Isolates pages from every real network."""

import asyncio
import os
import socket
import struct
import subprocess
import sys

MARK = "PROBEKIT_GALLERY_ISOLATED"


def leave():
    """Restarts this program in a network namespace with only loopback, if the system allows it."""
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
    print("gallery: network namespaces are not allowed; only the proxy keeps pages on this machine", file=sys.stderr)


class Proxy:
    """A proxy that forwards all requests to a replay server: unchanged bytes, for every host and port."""

    def __init__(self, listeners):
        self._listeners = {name: address.rsplit(":", 1) for name, address in listeners.items()}
        self._server = None
        self._tasks = set()
        # The last connection that the replay server did not accept.
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
            await self._forward(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            _reset(writer)
        except asyncio.CancelledError:
            # The proxy is being closed; asyncio would report tasks that do not end normally.
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _forward(self, reader, writer):
        start = await reader.readuntil(b"\r\n\r\n")
        listener = "http"
        if start.startswith(b"CONNECT "):
            # The first byte shows whether it is TLS or, as for a WebSocket, plain HTTP (RFC 8446 §5.1).
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
            upload = asyncio.create_task(_copy(reader, far_writer))
            try:
                await _copy(far_reader, writer)
            finally:
                upload.cancel()
        finally:
            far_writer.close()


async def _copy(reader, writer):
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


def _reset(writer):
    """Makes closing a connection reset it, as the replay server did on its side."""
    connection = writer.get_extra_info("socket")
    if connection and connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
