#!/usr/bin/env python3
"""A transport for redis://HOST:PORT URLs: sends PING, and gives the reply as the body."""
import concurrent.futures
import json
import os
import socket
import sys
import threading
import time
import urllib.parse

# The server that `probekit plugin test` probes.
EXAMPLE = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379")
lock = threading.Lock()


def send(message):
    with lock:
        print(json.dumps(message), flush=True)


def ping(url, seconds):
    """The members of an answer, besides its id."""
    place, start = urllib.parse.urlsplit(url), time.monotonic()
    try:
        with socket.create_connection((place.hostname, place.port or 6379), seconds) as connection:
            connected = time.monotonic() - start
            address, port = connection.getpeername()[:2]
            connection.sendall(b"PING\r\n")
            reply = connection.makefile("rb").readline(1000)
    except ConnectionRefusedError:
        return {"failure": {"reason": "connect.refused", "detail": "the server refused the connection"}}
    except (OSError, ValueError) as error:
        return {"failure": {"reason": "redis.failed", "detail": str(error)}}
    if not reply.startswith(b"+"):
        return {"failure": {"reason": "redis.error", "detail": ascii(reply[:100])}}
    return {"response": {
        "text": reply[1:].decode(errors="replace").strip(),
        "remoteAddress": f"[{address}]:{port}" if ":" in address else f"{address}:{port}",
        "timings": {"connect": connected, "total": time.monotonic() - start},
    }}


def answer(message):
    send({"id": message["id"], **ping(message["request"]["url"], message["deadlineMs"] / 1000)})


send({"hello": 1, "kind": "transport", "name": "redis", "examples": [{"request": {"url": EXAMPLE}}]})
# Servers that respond late delay no others.
with concurrent.futures.ThreadPoolExecutor(64) as threads:
    for line in sys.stdin:
        if "request" in (message := json.loads(line)):
            threads.submit(answer, message)
