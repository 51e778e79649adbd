"""The rows for the replay server, compared with nginx and mitmproxy's replay of the same bytes."""

import contextlib
import json
import os

from . import load, programs, report, world
from .clients import OURS, alternate
from .programs import Unavailable, Wrong
from .report import BARS, Row, compare

NGINX, MITMPROXY, RAW = "nginx", "mitmproxy", "raw server"
# Installed by `Benchmarks/install mitmproxy`.
MITMDUMP = os.path.join(os.path.dirname(__file__), "../.build/mitmproxy/bin/mitmdump")


def replay(bench):
    """One server thread and wrk with 64 connections; then starts and stops, and idle connections."""
    for part in [_requests, _other_worlds, _handshakes, _mitmproxy, _cycles, _idle]:
        try:
            yield from part(bench)
        except Unavailable as error:
            bench.leave_out(f"replay: {error}")


def _seconds(bench):
    return 1 if bench.smoke else 2


def _requests(bench):
    """Requests on persistent connections: rate, and CPU of the server alone."""
    page = load.ask(bench.world.plain_port)
    with _server(bench, page) as ours, _server(bench, page, program="raw-server") as raw:
        _check(ours["http"], page)
        samples = _alternate_wrk(bench, {
            OURS: (ours["http"], ours["process"]), NGINX: (bench.world.plain_port, bench.world.worker),
            RAW: (raw["http"], raw["process"])})
    yield from _compare(samples, "replay, requests", NGINX, BARS["replay"])
    yield from _compare(samples, "replay, requests", RAW, BARS["replay, raw"])


def _other_worlds(bench):
    """Requests that match after fifty other routes, and longer responses."""
    page = load.ask(bench.world.plain_port)
    head, _, _ = page.partition(b"\r\n\r\n")
    long = head.replace(b"Content-Length: 300", b"Content-Length: 30000") + b"\r\n\r\n" + b"x" * 30_000
    with _server(bench, page) as usual, _server(bench, page, 50) as many, _server(bench, long) as large:
        _check(large["http"], long)
        samples = _alternate_wrk(bench, {
            name: (server["http"], server["process"])
            for name, server in [("usual", usual), ("many", many), ("large", large)]})
    for name, what in [("many", "with 50 routes for other hosts"), ("large", "with answers of 30 000 bytes")]:
        yield compare(
            f"replay, requests {what}", report.per_second, samples[name]["rate"], "one route, 300 bytes",
            samples["usual"]["rate"])


def _handshakes(bench):
    """A new connection with a full TLS handshake for each request."""
    page = load.ask(bench.world.plain_port, keeps=False)
    with _server(bench, page) as ours:
        samples = _alternate_wrk(bench, {
            OURS: (ours["https"], ours["process"]), NGINX: (bench.world.tls_port, bench.world.worker)}, tls=True)
    yield from _compare(samples, "replay, TLS handshakes", NGINX, BARS["replay, TLS"])


def _mitmproxy(bench):
    """mitmproxy's server replay of one recorded response, compared with ours."""
    page = load.ask(bench.world.plain_port)
    with _server(bench, page) as ours, _replaying_mitmproxy(bench) as (port, process):
        samples = _alternate_wrk(bench, {OURS: (ours["http"], ours["process"]), MITMPROXY: (port, process)})
    yield compare(
        "replay, requests: a second", report.per_second, samples[OURS]["rate"], MITMPROXY,
        samples[MITMPROXY]["rate"], BARS["replay, mitmproxy"])


def _cycles(bench):
    """Servers that start, answer one probe over HTTPS and stop, and what they leave behind."""
    count = 20 if bench.smoke else 1000
    result = programs.run_for_json([bench.clients.program("replay-bench"), "cycles", str(count)], timeout=300)
    if result["failed"]:
        raise Wrong(f"replay-bench: {result['failed']} of {count} probes failed")
    label = f"replay, {report.count(count)} starts and stops with TLS"
    yield Row(f"{label}: each", report.milliseconds(result["seconds"] / count), "", "")
    for what in ["threads", "descriptors"]:
        yield Row(f"{label}: {what} left", str(result[what]), "", "", BARS["replay, left"], result[what])


def _idle(bench):
    """Memory of the whole server with connections that are idle after one request."""
    count = 50 if bench.smoke else 10_000
    if bench.world.descriptors < count + 100:
        raise Unavailable(
            f"{count} idle connections: the limit of {bench.world.descriptors} descriptors is too low: "
            "raise it with ulimit -n")
    page = load.ask(bench.world.plain_port)
    for what, listener, port in [("plain", "http", bench.world.plain_port), ("TLS", "https", bench.world.tls_port)]:
        tls = listener == "https"
        with _server(bench, page) as ours, load.idle(ours[listener], count, tls):
            mine = load.resident(ours["process"])
        before = load.resident(bench.world.worker)
        with load.idle(port, count, tls):
            theirs = load.resident(bench.world.worker)
        if not bench.smoke:
            yield Row(
                f"replay, {report.count(count)} idle connections, {what}: memory", report.megabytes(mine),
                f"nginx {report.megabytes(theirs)}, {report.megabytes(before)} before", "",
                None if tls else BARS["replay, idle"], mine / 1e6)


def _compare(samples, what, yardstick, bar=None):
    """The rate of ours and of a yardstick, and the CPU of both for each request."""
    ours, other = samples[OURS], samples[yardstick]
    yield compare(f"{what}: a second", report.per_second, ours["rate"], yardstick, other["rate"], bar)
    yield compare(f"{what}: server's CPU for each", report.microseconds, ours["cpu"], yardstick, other["cpu"])


def _alternate_wrk(bench, servers, tls=False):
    """Measures servers in turns: requests per second, and CPU seconds for each. A server is a port and a process."""
    seconds = _seconds(bench)

    def measure(port, process):
        before = load.cpu(process)
        rate = load.wrk(port, seconds, tls)
        return rate, (load.cpu(process) - before) / (rate * seconds)

    samples = alternate(bench.turns, {
        name: lambda server=server: measure(*server) for name, server in servers.items()})
    return {
        name: {"rate": [rate for rate, _ in taken], "cpu": [cpu for _, cpu in taken]}
        for name, taken in samples.items()}


@contextlib.contextmanager
def _server(bench, answer, routes=0, program="replay-bench"):
    """A server that responds with the given bytes; yields its ports and its process."""
    file, log = (bench.world.path(f"{program}-{routes}-{len(answer)}.{end}") for end in ["answer", "json"])
    with open(file, "wb") as output:
        output.write(answer)
    arguments = ["serve", file, str(routes)] if program == "replay-bench" else [file]

    def is_ready():
        with open(log) as lines:
            return lines.read().endswith("\n")

    with programs.server([bench.clients.program(program), *arguments], log, is_ready) as process:
        with open(log) as lines:
            ports = json.load(lines)
        yield ports | {"process": process}


def _check(port, expected):
    found = load.ask(port)
    if found != expected:
        raise Wrong(f"the replay server did not send the given bytes, but {found[:200]!r}")


@contextlib.contextmanager
def _replaying_mitmproxy(bench):
    """mitmproxy that replays a recorded response of nginx; yields its port and its process."""
    try:
        program = world.find("mitmdump", "")
    except Unavailable:
        program = MITMDUMP
        if not os.path.exists(program):
            raise Unavailable("mitmproxy is not installed: Benchmarks/install mitmproxy") from None
    flows, log = bench.world.path("flows"), bench.world.path("mitmproxy.log")
    common = [
        program, "-q", "--listen-host", world.HOST, "--mode", f"reverse:http://{world.HOST}:{bench.world.plain_port}",
        "--set", f"confdir={bench.world.path('mitmproxy')}"]
    port, = world.free_ports(1)
    recording = [*common, "--listen-port", str(port), "-w", flows]
    with programs.server(recording, log, lambda: world.accepts(port), patience=30):
        recorded = load.ask(port)
    replaying = [
        *common, "--listen-port", str(port), "--server-replay", flows, "--set", "server_replay_reuse=true",
        "--set", "server_replay_extra=kill", "--set", "server_replay_refresh=false"]
    with programs.server(replaying, log, lambda: world.accepts(port), patience=30) as process:
        if load.ask(port).partition(b"\r\n\r\n")[2] != recorded.partition(b"\r\n\r\n")[2]:
            raise Wrong("mitmproxy did not replay the recorded response")
        yield port, process
