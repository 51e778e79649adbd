"""The compared clients. Each run is checked: no probe failed, and every connection was made."""

import os

from . import programs, world
from .programs import Unavailable, Wrong

OURS, C_LOOP, RAW, CURL, BLACKBOX = "ours", "C loop", "raw epoll", "curl -Z", "blackbox_exporter"
# With one loop thread, like the C loop; OURS has one for each processor.
ONE_LOOP = "ours, one loop"
PIPELINE = "ours as a pipeline"
# The timeout of a probe in milliseconds, long enough for slow machines.
PATIENCE = 30_000


class Clients:
    """Runs the built clients against a world."""

    def __init__(self, built, servers):
        self.built = built
        self.world = servers

    def program(self, name):
        path = os.path.join(self.built, name)
        if not os.path.exists(path):
            raise Unavailable(f"{path} is not built: run without --no-build")
        return path

    def probe(self, client, url, count, concurrency, prefix=()):
        """Runs ours, the C loop or raw epoll once, and returns its figures, with `rate` and `cpuPer10000`."""
        if client == RAW:
            is_tls = url == self.world.tls
            port = self.world.tls_port if is_tls else self.world.plain_port
            command = [self.program("raw-epoll"), world.HOST, port, "/", count, concurrency]
            if is_tls:
                command.append(self.world.authority)
        else:
            command = [self.library_client(client), url, count, concurrency, self.world.authority, PATIENCE]
        if client == ONE_LOOP:
            command.append(1)
        with self.world.expecting(count):
            result = programs.run_for_json([*prefix, *map(str, command)])
        if result["failed"]:
            raise Wrong(f"{client}: {result['failed']} of {count} probes failed")
        if not (result["seconds"] > 0 and result["cpu"] > 0 and result["peakKiB"] > 0):
            raise Wrong(f"{client} wrote impossible figures: {result}")
        return result | {
            "rate": count / result["seconds"], "wallRate": count / result["wall"],
            "cpuPer10000": result["cpu"] / count * 10_000}

    def library_client(self, client):
        return self.program({
            OURS: "probe-bench", ONE_LOOP: "probe-bench", PIPELINE: "pipeline-bench",
            C_LOOP: "curl-multi-loop"}[client])

    def peak_unanswered(self, client, url, count, milliseconds):
        """The peak memory in KiB with `count` probes in flight that are never answered."""
        arguments = [url + "silent", count, count, self.world.authority, milliseconds]
        self.world.take_silent()
        with self.world.expecting(count):
            result = programs.run_for_json([self.library_client(client), *map(str, arguments)])
        arrived = self.world.take_silent()
        if result["failed"] != count or arrived != count:
            raise Wrong(
                f"{client}: expected {count} waiting probes; {arrived} arrived, {result['failed']} timed out")
        return result["peakKiB"]


def alternate(turns, actions):
    """Runs the actions in turns, in alternating order, and returns the results of each by its name."""
    results = {name: [] for name in actions}
    for turn in range(turns):
        for name in list(actions) if turn % 2 == 0 else reversed(actions):
            results[name].append(actions[name]())
    return results
