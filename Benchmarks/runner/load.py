"""Load for the replay server and its yardsticks: wrk, idle connections, and what a process uses meanwhile."""

import contextlib
import os
import re
import socket
import ssl

from . import programs, world
from .programs import Wrong

REQUEST = f"GET /page.html HTTP/1.1\r\nHost: {world.HOST}\r\nConnection: {{}}\r\n\r\n"
TICKS = os.sysconf("SC_CLK_TCK")


def wrk(port, seconds, tls=False):
    """Requests per second of one wrk thread with 64 connections; over TLS, each request has a new connection."""
    program = world.find("wrk", "apt-get install wrk")
    scheme, headers = ("https", ["-H", "Connection: close"]) if tls else ("http", [])
    url = f"{scheme}://{world.HOST}:{port}/page.html"
    output = programs.run([program, "-t1", "-c64", f"-d{seconds}s", "--timeout", "10s", *headers, url]).output
    found = re.search(r"Requests/sec:\s+([0-9.]+)", output)
    if not found or "Non-2xx" in output or "Socket errors" in output:
        raise Wrong(f"wrk at {url}: {output.strip()[-300:]}")
    return float(found[1])


def cpu(process):
    """CPU seconds a process has used so far."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(process):
    """The resident memory of a process in bytes."""
    return _memory(process, "VmRSS")


def peak(process):
    """The peak resident memory of a process so far, in bytes."""
    return _memory(process, "VmHWM")


def _memory(process, field):
    with open(f"/proc/{process}/status") as file:
        return int(re.search(field + r":\s+(\d+) kB", file.read())[1]) * 1024


def answer(connection, keeps=True):
    """Sends a request on an open connection, and returns the bytes of the response, head and content."""
    connection.sendall(REQUEST.format("keep-alive" if keeps else "close").encode())
    received = b""
    while True:
        head, end, content = received.partition(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE) if end else None
        if length and len(content) >= int(length[1]):
            return received
        part = connection.recv(65536)
        if not part:
            raise Wrong(f"a connection ended within a response: {received[:200]!r}")
        received += part


def ask(port, keeps=True):
    """Sends a request on a new connection, and returns the bytes of the response."""
    with socket.create_connection((world.HOST, port), timeout=10) as connection:
        return answer(connection, keeps)


@contextlib.contextmanager
def idle(port, count, tls):
    """Opens `count` connections that are idle after one answered request."""
    context = ssl.create_default_context() if tls else None
    if context:
        # Only the memory of the server is measured.
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(count):
            connection = stack.enter_context(socket.create_connection((world.HOST, port), timeout=10))
            # Otherwise, the request would wait 40 ms for the acknowledgment of the end of the handshake.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context:
                connection = stack.enter_context(context.wrap_socket(connection))
            answer(connection)
            connections.append(connection)
        yield
        for connection in connections[:: max(1, count // 100)]:
            answer(connection)
