"""The contests: the same work done by ours, by the peers, and by clients that show the limits."""

import contextlib
import json
import os
import subprocess
import sys
import time

from . import programs, world
from .clients import BLACKBOX, C_LOOP, CURL, OURS, RAW
from .contests import AIOHTTP, COMMAND, PLUGIN, TWO_LOOPS, TWO_RAW, YARDSTICKS, Contest
from .programs import Unavailable, Wrong
from .report import Duel

ALL_CLIENTS = [OURS, COMMAND, C_LOOP, TWO_LOOPS, RAW, TWO_RAW, CURL, BLACKBOX, AIOHTTP, PLUGIN]
RESOLV = "nameserver 127.0.0.1\noptions timeout:2 attempts:3\n"


def peers(bench):
    """Plain HTTP, TLS, TCP, names, slow servers, and 10 000 probes at a time."""
    for part in [_plain, _tls, _tcp, _names, _slow, _uneven, _ten_thousand]:
        try:
            yield from part(bench)
        except Unavailable as error:
            bench.leave_out(f"peers: {error}")


def _plain(bench):
    for concurrency in [32, 256]:
        yield from _contest(
            bench, f"plain, {concurrency} at a time", bench.world.plain, 10_000, concurrency, ALL_CLIENTS)


def _tls(bench):
    names = [OURS, COMMAND, C_LOOP, TWO_LOOPS, CURL, BLACKBOX, AIOHTTP, PLUGIN]
    yield from _contest(bench, "TLS, 32 at a time", bench.world.tls, 2000, 32, names)


def _tcp(bench):
    names = [OURS, COMMAND, C_LOOP, TWO_LOOPS, BLACKBOX, AIOHTTP, PLUGIN]
    url = f"tcp://{world.HOST}:{bench.world.plain_port}"
    yield from _contest(bench, "TCP, 256 at a time", url, 10_000, 256, names)


def _names(bench):
    """A name for each probe, resolved by a server in a network namespace with only loopback."""
    names = [OURS, COMMAND, C_LOOP, CURL, BLACKBOX, AIOHTTP]
    with _namespace(bench) as prefix, _slow_server(bench, 0, prefix) as port:
        yield from _contest(
            bench, "a name for each, 32 at a time", f"http://n{{n}}.bench.test:{port}/", 4000, 32, names, prefix)


def _slow(bench):
    names = [OURS, COMMAND, C_LOOP, TWO_LOOPS, RAW, CURL, BLACKBOX, AIOHTTP]
    with _slow_server(bench, 100) as port:
        yield from _contest(
            bench, "answers after 100 ms, 1000 at a time", f"http://{world.HOST}:{port}/", 20_000, 1000, names)


def _uneven(bench):
    """As in lists of real hosts: most respond soon, and some occupy a slot for seconds."""
    names = [OURS, COMMAND, C_LOOP, TWO_LOOPS, CURL, BLACKBOX, AIOHTTP]
    with _slow_server(bench, 20, late=3000) as port:
        yield from _contest(
            bench, "answers after 20 ms, each 20th after 3 s, 1000 at a time", f"http://{world.HOST}:{port}/", 20_000,
            1000, names)


def _ten_thousand(bench):
    if bench.world.descriptors < 11_000 and not bench.smoke:
        raise Unavailable(
            f"10 000 at a time: the limit of {bench.world.descriptors} descriptors is too low: raise it with ulimit -n")
    with _slow_server(bench, 2000) as port:
        yield from _contest(
            bench, "answers after 2 s, 10 000 at a time", f"http://{world.HOST}:{port}/", 20_000, 10_000,
            [OURS, COMMAND, C_LOOP, RAW, AIOHTTP])


def _contest(bench, label, url, count, concurrency, names, prefix=()):
    if bench.smoke:
        count, concurrency = 80, min(concurrency, 8)
    samples = Contest(bench, label, url, count, concurrency, prefix).run(names)
    for name in names:
        if name in samples:
            yield Duel(label, name, samples[name], samples[OURS], name in YARDSTICKS)


@contextlib.contextmanager
def _slow_server(bench, milliseconds, prefix=(), late=None):
    """A server that responds after a delay, and every twentieth time after the delay `late`; yields its port."""
    log = bench.world.path("slow-server.json")
    delays = [milliseconds] if late is None else [milliseconds, late]
    command = [*prefix, bench.clients.program("slow-server"), world.HOST, *map(str, delays)]

    def is_ready():
        with open(log) as file:
            return file.read().endswith("\n")

    with programs.server(command, log, is_ready):
        with open(log) as file:
            yield json.load(file)["http"]


@contextlib.contextmanager
def _namespace(bench):
    """Network and mount namespaces with only loopback and a resolver; yields the command that runs a program there."""
    dnsmasq = world.find("dnsmasq", "apt-get install dnsmasq-base")
    unshare, nsenter = (world.find(name, "apt-get install util-linux") for name in ["unshare", "nsenter"])
    if os.geteuid() != 0:
        raise Unavailable("names: a namespace with its own resolver requires root")
    resolv, ready = bench.world.path("resolv.conf"), bench.world.path("namespace")
    with open(resolv, "w") as file:
        file.write(RESOLV)
    setup = (
        f"ip link set lo up && mount --bind '{resolv}' \"$(readlink -f /etc/resolv.conf)\" && touch '{ready}' && "
        # One name server for all names of the test, which have no IPv6 addresses.
        f"exec '{dnsmasq}' --keep-in-foreground --conf-file=/dev/null --no-resolv --no-hosts --user=root --pid-file= "
        "--listen-address=127.0.0.1 --bind-interfaces --cache-size=0 --dns-forward-max=10000 "
        "--local=/bench.test/ --address=/bench.test/127.0.0.1")
    # unshare executes the shell, which executes the resolver: a single process holds the namespaces.
    holder = [unshare, "--net", "--mount", "sh", "-c", setup]

    def answers(pid):
        question = "import socket; socket.getaddrinfo('n0.bench.test', 80)"
        return subprocess.run(
            [nsenter, "-t", str(pid), "-n", "-m", "--", sys.executable, "-c", question],
            stderr=subprocess.DEVNULL).returncode == 0

    with programs.server(holder, bench.world.path("dnsmasq.log"), lambda: os.path.exists(ready)) as pid:
        deadline = time.monotonic() + 10
        while not answers(pid):
            if time.monotonic() > deadline:
                with open(bench.world.path("dnsmasq.log")) as lines:
                    raise Wrong(f"names: the resolver does not answer: {lines.read()[-300:]}")
            time.sleep(0.05)
        yield [nsenter, "-t", str(pid), "-n", "-m", "--"]
