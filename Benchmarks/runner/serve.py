"""The rows for `probekit serve`, compared with Debian's blackbox_exporter: probes for Prometheus, 256 at a time."""

import contextlib
import re
import subprocess
import sys
import urllib.parse

from . import load, programs, report, world
from .clients import BLACKBOX, OURS, alternate
from .programs import Wrong
from .report import BARS, compare

CONNECTIONS = 256


def serve(bench):
    """`/probe` of both exporters, requested by wrk on 256 connections, in turns."""
    exporter = world.find("prometheus-blackbox-exporter", "apt-get install prometheus-blackbox-exporter")
    probekit = bench.clients.program("probekit")
    configuration = bench.world.path("serve-blackbox.yml")
    with open(configuration, "w") as file:
        file.write(
            "modules:\n"
            "  plain: { prober: http, timeout: 30s, http: { preferred_ip_protocol: ip4 } }\n"
            "  tls: { prober: http, timeout: 30s, http: { preferred_ip_protocol: ip4, enable_http2: false, tls_config: "
            f"{{ ca_file: {bench.world.authority} }} }} }}\n")
    with contextlib.ExitStack() as stack:
        servers = {
            OURS: stack.enter_context(_running([probekit, "serve"], configuration, bench, "serve-ours.log")),
            BLACKBOX: stack.enter_context(
                _running([exporter, "--log.level=error"], configuration, bench, "serve-blackbox.log"))}
        for module, target, rate_bar, cpu_bar in [
                ("plain", bench.world.plain, "serve, rate", "serve, cpu"), ("tls", bench.world.tls, None, "serve, TLS, cpu")]:
            samples = alternate(bench.turns, {
                name: lambda server=server, module=module, target=target: _measure(bench, *server, module, target)
                for name, server in servers.items()})
            yield compare(
                f"serve, {module}: probes/s", report.per_second, [rate for rate, _ in samples[OURS]], BLACKBOX,
                [rate for rate, _ in samples[BLACKBOX]], BARS.get(rate_bar))
            yield compare(
                f"serve, {module}: CPU for 10 000", report.seconds, [cpu for _, cpu in samples[OURS]], BLACKBOX,
                [cpu for _, cpu in samples[BLACKBOX]], BARS[cpu_bar])
        yield from _growth(bench, *servers[OURS])


def _growth(bench, port, process):
    """Peak memory of ours after many probes, compared with that after few."""
    few, many = (500, 2000) if bench.smoke else (10_000, 1_000_000)
    done, few_peak = 0, None
    while done < many:
        # The earlier rows have already made some thousands of probes.
        rate, _ = _measure(bench, port, process, "plain", bench.world.plain, 1 if few_peak is None or bench.smoke else 30)
        done += rate * (1 if few_peak is None or bench.smoke else 30)
        if few_peak is None and done >= few:
            few_peak = load.peak(process)
    if not bench.smoke:
        yield compare(
            f"serve, peak memory after {report.count(many)} probes", report.mebibytes, [load.peak(process) / 1024],
            f"after {report.count(few)}", [few_peak / 1024], BARS["growth"])


@contextlib.contextmanager
def _running(command, configuration, bench, log):
    """An exporter; yields its port and its process."""
    port, = world.free_ports(1)
    is_there = [sys.executable, "-c", f"import socket; socket.create_connection(('{world.HOST}', {port}), 1)"]
    with programs.server(
            [*command, f"--config.file={configuration}", f"--web.listen-address={world.HOST}:{port}"],
            bench.world.path(log),
            lambda: subprocess.run(is_there, stderr=subprocess.DEVNULL).returncode == 0) as process:
        yield port, process


def _measure(bench, port, process, module, target, seconds=None):
    """Probes a second, and the exporter's CPU seconds for 10 000 of them."""
    seconds = seconds or (1 if bench.smoke else 5)
    query = urllib.parse.urlencode({"module": module, "target": target})
    url = f"http://{world.HOST}:{port}/probe?{query}"
    shown = programs.run(["curl", "-qs", url]).output
    if "\nprobe_success 1" not in shown:
        raise Wrong(f"{url}: the probe fails: {shown[-300:]}")
    wrk = world.find("wrk", "apt-get install wrk")
    connections = 8 if bench.smoke else CONNECTIONS
    before = load.cpu(process)
    output = programs.run([wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", url], timeout=120).output
    used = load.cpu(process) - before
    found = re.search(r"Requests/sec:\s+([0-9.]+)", output)
    if not found or "Non-2xx" in output or "Socket errors" in output:
        raise Wrong(f"wrk at {url}: {output.strip()[-300:]}")
    rate = float(found[1])
    return rate, used / (rate * seconds) * 10_000
