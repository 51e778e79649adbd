#!/usr/bin/python3
"""Probes a list through a queue: a Redis stream, whose entries are parts of the list.

usage: redis_scan.py add LIST LINES
       redis_scan.py work FOLDER [OPTION OF PROBEKIT SCAN]...

REDIS_URL is the server. "add" puts the list into the stream, LINES in each entry; started again, it continues. "work" takes
one entry at a time until none is left, on as many machines as you like. An entry whose worker dies goes to another one.
FOLDER gets a file for each entry once that is complete. Its name is the number of the part, so a part that two workers have
done is one file, also when the folders of several machines are put together.
"""

import hashlib
import itertools
import os
import subprocess
import sys
import tempfile
import time

import redis

STREAM, GROUP = "scan:parts", "scan:workers"
# The producer waits while this many entries are not done, because the stream is in memory.
LIMIT = 100
# A worker shows every second that it is alive. After this time in milliseconds, its entry goes to another one.
LOST = 5000

server = redis.Redis.from_url(os.environ.get("REDIS_URL", "redis://127.0.0.1:6379"))


def create_group():
    """Creates the stream and its group, unless they exist."""
    try:
        server.xgroup_create(STREAM, GROUP, id="0", mkstream=True)
    except redis.ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise


def add(path, count):
    """Adds the parts of the list that are not yet in the stream."""
    with open(path, "rb") as lines:
        source = f"{hashlib.file_digest(lines, 'sha256').hexdigest()} {count}".encode()
        # The number of a part identifies the same lines only with the same list and part size.
        if not server.set(STREAM + ":input", source, nx=True) and server.get(STREAM + ":input") != source:
            sys.exit(
                "redis_scan.py: the stream has parts of another list or size: delete the keys scan:*, or use another server")
        last = int(server.xinfo_stream(STREAM)["last-generated-id"].split(b"-")[0])
        lines.seek(0)
        for number in itertools.count(1):
            part = b"".join(itertools.islice(lines, count))
            if not part:
                break
            if number > last:
                while server.xlen(STREAM) >= LIMIT:
                    time.sleep(0.1)
                # Redis refuses an ID that was used before.
                server.xadd(STREAM, {"lines": part}, id=f"{number}-1")
    server.set(STREAM + ":ended", number - 1)


def next_entry(worker):
    """A new entry, or one of a worker that died, as ID and lines; None if there is none at the moment."""
    lost = server.xautoclaim(STREAM, GROUP, worker, min_idle_time=LOST, count=1)[1]
    new = server.xreadgroup(GROUP, worker, {STREAM: ">"}, count=1, block=500) if not lost else None
    entries = lost or (new[0][1] if new else [])
    return (entries[0][0].decode(), entries[0][1][b"lines"]) if entries else None


def scan(worker, entry, lines, file, options):
    """The exit code of a scan of the lines. With 0, its file is there; a file without an end line never appears."""
    with tempfile.TemporaryFile() as source:
        source.write(lines)
        source.seek(0)
        process = subprocess.Popen(["probekit", "scan", "--quiet", "--output", file, *options], stdin=source)
        while True:
            try:
                return process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                # Claims its own entry, which sets the time since the last sign of life to zero.
                server.xclaim(STREAM, GROUP, worker, min_idle_time=0, message_ids=[entry], justid=True)


def work(folder, options):
    """Processes entries until all are done."""
    os.makedirs(folder, exist_ok=True)
    worker = f"{os.uname().nodename}-{os.getpid()}"
    while server.xlen(STREAM) or not server.exists(STREAM + ":ended"):
        found = next_entry(worker)
        if not found:
            continue
        entry, lines = found
        number = int(entry.split("-")[0])
        code = scan(worker, entry, lines, f"{folder}/part-{number:06}.ndjson", options)
        if code == 0:
            server.pipeline().xack(STREAM, GROUP, entry).xdel(STREAM, entry).execute()
        elif code < 0 or code == 75:
            print(f"redis_scan.py: the scan of part {number} was interrupted; the part will be repeated", file=sys.stderr)
        else:
            # Wrong options or a machine that lacks something would fail for every part.
            sys.exit(f"redis_scan.py: the scan of part {number} failed with exit code {code}; this worker stops")


create_group()
if sys.argv[1:2] == ["add"] and len(sys.argv) == 4:
    add(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1:2] == ["work"] and len(sys.argv) > 2:
    work(sys.argv[2], sys.argv[3:])
else:
    sys.exit(__doc__)
