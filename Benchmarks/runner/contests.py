"""The same work done by ours and its peers, measured as whole processes: rate, CPU and memory."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

from . import load, programs, world
from .clients import BLACKBOX, C_LOOP, CURL, OURS, PATIENCE, PIPELINE, RAW, alternate
from .programs import Unavailable, Wrong

COMMAND, SCAN, AIOHTTP, PLUGIN = "probekit check", "probekit scan", "aiohttp", "monitoring-plugins"
TWO_LOOPS, TWO_RAW = "2 C loops", "2 raw epoll"
# Installed by `Benchmarks/install aiohttp`.
PYTHON = os.path.join(os.path.dirname(__file__), "../.build/aiohttp/bin/python")
PLUGINS = "/usr/lib/nagios/plugins"
# These only show the limits of the machine or the library; ours is not expected to be ahead of them.
YARDSTICKS = {C_LOOP, TWO_LOOPS, RAW, TWO_RAW}


class Sample:
    """The figures of a run: probes per second, CPU seconds for 10 000 probes, and peak memory in bytes."""

    def __init__(self, count, seconds, cpu, memory):
        self.rate = count / seconds
        self.cpu = cpu / count * 10_000
        self.memory = memory


class Contest:
    """One kind of work, and the clients that do it; a server responds at the URL."""

    def __init__(self, bench, label, url, count, concurrency, prefix=()):
        self.bench = bench
        self.label = label
        # {n} is replaced by the number of the probe.
        self.url = url
        self.count = count
        self.concurrency = concurrency
        # The command that runs a program in the server's network namespace; empty if it has none.
        self.prefix = list(prefix)
        self.folder = bench.world.folder
        self.stack = contextlib.ExitStack()
        self.clients = {}

    def urls(self, count):
        return [self.url.replace("{n}", str(number)) for number in range(count)]

    def run(self, names, turns=None):
        """The results of each available client, by its name."""
        with self.stack:
            for name in names:
                try:
                    self.clients[name] = MAKERS[name](self)
                except Unavailable as error:
                    self.bench.leave_out(f"{self.label}: {error}")
            turns = turns or (1 if self.bench.smoke else max(3, self.bench.turns))
            return alternate(turns, self.clients)

    def finish(self, command, count, input=None, check=None, last_line=False):
        """Runs a program that makes `count` probes; `check` gets its output, or the last line of it."""
        result = whole(self.prefix + [str(part) for part in command], input, last_line=last_line)
        if check:
            check(result.output)
        return Sample(count, result.seconds, result.cpu, result.memory)

    def no_failure(self, output):
        failed = json.loads(output)["failed"]
        if failed:
            raise Wrong(f"{self.label}: {failed} of {self.count} probes failed")

    def fewer(self, part):
        """A smaller count, for clients that would take minutes for all probes."""
        return max(1, min(self.count, self.count // part))


class Whole:
    """A finished process with the children it waited for; the memory is that of the largest of them."""

    def __init__(self, output, seconds, usage, memory):
        self.output = output
        self.seconds = seconds
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = memory


def whole(command, input=None, patience=300, last_line=False):
    """Runs a program to its end. Its output goes to a file, so that no other process reads it meanwhile.

    With `last_line`, another process reads the output from a pipe and keeps only the last line, because the lines of a
    million probes would fill a disk. The CPU of that process does not count.

    GNU time starts the program, because the peak memory that the kernel reports for a process is never less than the
    memory of its parent: that of time is small, that of Python is not.
    """
    time_program = world.find("time", "apt-get install time")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, \
            tempfile.NamedTemporaryFile("r") as peak:
        feed = subprocess.DEVNULL
        if input is not None:
            feed = tempfile.TemporaryFile()
            feed.write(input.encode())
            feed.seek(0)
        tail = None
        if last_line:
            tail = subprocess.Popen(["tail", "-n", "1"], stdin=subprocess.PIPE, stdout=output)
        start = time.perf_counter()
        process = subprocess.Popen(
            [time_program, "--quiet", "-o", peak.name, "-f", "%M", "timeout", str(patience), *command],
            stdin=feed, stdout=tail.stdin if tail else output, stderr=errors)
        if tail:
            tail.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if tail:
            tail.wait()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            message = errors.read()[-300:] or output.read()[-300:]
            raise Wrong(
                f"{programs.name(command)} ended with exit code {process.returncode}: "
                f"{message.decode(errors='replace')}")
        return Whole(output.read().decode(), seconds, usage, int(peak.read()) * 1024)


def ours(contest):
    program = contest.bench.clients.program("probe-bench")
    return _library_client(contest, program)


def pipeline(contest):
    return _library_client(contest, contest.bench.clients.program("pipeline-bench"))


def c_loop(contest):
    return _library_client(contest, contest.bench.clients.program("curl-multi-loop"))


def _library_client(contest, program, parts=1):
    authority = contest.bench.world.authority
    arguments = [contest.url, contest.count, contest.concurrency, authority, PATIENCE]
    return lambda: contest.finish([program, *arguments], contest.count, check=contest.no_failure)


def _two(contest, command, count):
    """Two processes side by side, each with half of the work; a shell waits for both."""
    line = " & ".join(2 * [" ".join(f"'{part}'" for part in command)]) + " & wait"

    def check(output):
        for part in output.splitlines():
            contest.no_failure(part)

    return lambda: contest.finish(["sh", "-c", line], count, check=check)


def two_loops(contest):
    program = contest.bench.clients.program("curl-multi-loop")
    half, concurrency = contest.count // 2, max(1, contest.concurrency // 2)
    return _two(contest, [program, contest.url, half, concurrency, contest.bench.world.authority, PATIENCE], 2 * half)


def _raw_arguments(contest, count, concurrency):
    host, port = contest.url.split("/")[2].split(":")
    return [contest.bench.clients.program("raw-epoll"), host, port, "/", count, concurrency]


def raw(contest):
    arguments = _raw_arguments(contest, contest.count, contest.concurrency)
    return lambda: contest.finish(arguments, contest.count, check=contest.no_failure)


def two_raw(contest):
    half = contest.count // 2
    return _two(contest, _raw_arguments(contest, half, max(1, contest.concurrency // 2)), 2 * half)


def command(contest):
    """The command as users run it: URLs from standard input, a line of text for each probe."""
    program = contest.bench.clients.program("probekit")
    arguments = [
        program, "check", "-", "--allow-http", "--concurrency", contest.concurrency, "--per-host",
        contest.concurrency, "--timeout", "30s", "--cacert", contest.bench.world.authority]
    input = "\n".join(contest.urls(contest.count)) + "\n"
    return lambda: contest.finish(arguments, contest.count, input)


def scan(contest):
    """A list of URLs on standard input, a line of JSON for each on standard output."""
    program = contest.bench.clients.program("probekit")
    arguments = [
        program, "scan", "-s", "--allow-http", "--allow-private", "--concurrency", contest.concurrency,
        "--per-host", contest.concurrency, "--timeout", "30s", "--cacert", contest.bench.world.authority]
    input = "\n".join(contest.urls(contest.count)) + "\n"

    def check(output):
        end = json.loads(output.splitlines()[-1])
        if (end["type"], end["accepted"]) != ("end", contest.count):
            raise Wrong(f"{contest.label}: probekit scan ended with {end}")

    return lambda: contest.finish(arguments, contest.count, input, check, last_line=True)


def curl_parallel(contest):
    curl = world.find("curl", "apt-get install curl")
    if contest.url.startswith("tcp:"):
        raise Unavailable("curl -Z has no probes that only connect")
    configuration = os.path.join(contest.folder, "urls")
    with open(configuration, "w") as file:
        for url in contest.urls(contest.count):
            file.write(f'url = "{url}"\noutput = "/dev/null"\n')
    arguments = [
        curl, "-q", "-Z", "--parallel-immediate", "--parallel-max", min(300, contest.concurrency), "-K",
        configuration, "--no-progress-meter", "--noproxy", "*", "-H", "Connection: close", "--cacert",
        contest.bench.world.authority, "-w", "%{http_code}\\n"]

    def check(output):
        if output.split() != ["200"] * contest.count:
            raise Wrong(f"{contest.label}: curl -Z: not every response has status 200")

    return lambda: contest.finish(arguments, contest.count, check=check)


def aiohttp(contest):
    if not os.path.exists(PYTHON):
        raise Unavailable("aiohttp is not installed: Benchmarks/install aiohttp")
    script = os.path.join(os.path.dirname(__file__), "asyncio_client.py")
    count = contest.fewer(2) if contest.concurrency <= 1000 else contest.count
    arguments = [
        PYTHON, script, contest.url, count, contest.concurrency, contest.bench.world.authority, PATIENCE]
    return lambda: contest.finish(arguments, count, check=contest.no_failure)


def plugin(contest):
    """A process of monitoring-plugins for each probe, as Nagios and Icinga start them; 16 at a time."""
    scheme, rest = contest.url.split("://")
    name = "check_tcp" if scheme == "tcp" else "check_http"
    program = os.path.join(PLUGINS, name)
    if not os.path.exists(program):
        raise Unavailable("monitoring-plugins are not installed: apt-get install monitoring-plugins-basic")
    count = contest.fewer(40)
    host, _, port = rest.rstrip("/").partition(":")
    options = [program, "-H", host, "-p", port] + (["-S", "--sni"] if scheme == "https" else [])
    arguments = ["xargs", "-P", 16, "-n", 1, *options, "-t"]
    # xargs appends a line to each command, as the value of -t: the timeout in seconds.
    input = "30\n" * count

    def check(output):
        good = sum(" OK" in line for line in output.splitlines())
        if good != count:
            raise Wrong(f"{contest.label}: {name}: {good} of {count} were OK: {output[:200]}")

    return lambda: contest.finish(arguments, count, input, check)


def blackbox(contest):
    """A running exporter, which makes one probe for each request of ours; CPU and memory are those of the exporter."""
    exporter = world.find("prometheus-blackbox-exporter", "apt-get install prometheus-blackbox-exporter")
    configuration = os.path.join(contest.folder, "contest-blackbox.yml")
    scheme = contest.url.split(":")[0]
    prober = "tcp" if scheme == "tcp" else "http"
    tls = f", tls_config: {{ca_file: {contest.bench.world.authority}}}" if scheme == "https" else ""
    with open(configuration, "w") as file:
        file.write(
            f"modules: {{probe: {{prober: {prober}, timeout: 30s, {prober}: "
            f"{{preferred_ip_protocol: ip4, ip_protocol_fallback: false{tls}}}}}}}\n")
    port, = world.free_ports(1)
    target = contest.url.removeprefix("tcp://")
    url = f"http://{world.HOST}:{port}/probe?module=probe&target={target}"
    is_there = contest.prefix + [
        sys.executable, "-c", f"import socket; socket.create_connection(('{world.HOST}', {port}), 1)"]
    pid = contest.stack.enter_context(programs.server(
        [*contest.prefix, exporter, f"--config.file={configuration}",
         f"--web.listen-address={world.HOST}:{port}", "--log.level=error"],
        os.path.join(contest.folder, "contest-blackbox.log"),
        lambda: subprocess.run(is_there, stderr=subprocess.DEVNULL).returncode == 0))
    shown = whole(contest.prefix + ["curl", "-qs", url.replace("{n}", "0")]).output
    if "\nprobe_success 1" not in shown:
        raise Wrong(f"{contest.label}: blackbox_exporter: the probe fails")
    driver = contest.bench.clients.program("probe-bench")
    count = contest.fewer(4)

    def sample():
        before = load.cpu(pid)
        done = contest.finish(
            [driver, url, count, contest.concurrency, "", PATIENCE], count, check=contest.no_failure)
        done.cpu = (load.cpu(pid) - before) / count * 10_000
        done.memory = load.peak(pid)
        return done

    return sample


MAKERS = {
    OURS: ours, COMMAND: command, SCAN: scan, PIPELINE: pipeline, C_LOOP: c_loop, TWO_LOOPS: two_loops, RAW: raw, TWO_RAW: two_raw,
    CURL: curl_parallel, BLACKBOX: blackbox, AIOHTTP: aiohttp, PLUGIN: plugin}
