"""The groups of rows: what runs, how often, and what is compared."""

import os
import re
import statistics

from . import programs, report, world
from .clients import C_LOOP, ONE_LOOP, OURS, PIPELINE, RAW, alternate
from .contests import COMMAND, SCAN, Contest
from .programs import Unavailable, Wrong
from .lint import load
from .peers import peers
from .plugins import plugins
from .replay import replay
from .report import BARS, Row, compare
from .serve import serve

CONCURRENCIES = [1, 32, 256, 1000]
# A start takes only milliseconds, so many more turns are cheap.
STARTS = 40


def plain(bench):
    """Plain HTTP: rate and CPU, compared with the C loop and raw epoll."""
    counts = {1: 5000, 32: 12000, 256: 12000, 1000: 12000}
    bars = {
        256: {"rate": "plain, rate at 256", "raw rate": "plain, rate at 256, sockets", "cpu": "plain, cpu"},
        1000: {"cpu": "plain, cpu"}}
    yield from _fresh_connections(bench, "plain", bench.world.plain, counts, bars)


def tls(bench):
    """HTTPS, TLS 1.3, full handshakes, verified certificates: compared with the C loop and bare OpenSSL."""
    counts = {1: 500, 32: 1500, 256: 1500, 1000: 2000}
    bars = {concurrency: {"cpu": "TLS, cpu", "raw cpu": "TLS, cpu, OpenSSL"} for concurrency in CONCURRENCIES}
    yield from _fresh_connections(bench, "TLS", bench.world.tls, counts, bars)


def _fresh_connections(bench, what, url, counts, bars):
    """`bars` names the bars of each concurrency; the rate compared with the C loop has a default bar."""
    clients = [ONE_LOOP, C_LOOP, RAW]
    for concurrency in [1, 32] if bench.smoke else CONCURRENCIES:
        if 2 * concurrency > bench.world.descriptors:
            allowed = bench.world.descriptors
            bench.leave_out(
                f"{what}, {concurrency} at a time: the limit of {allowed} descriptors is too low: "
                "raise it with ulimit -n")
            continue
        count = 200 if bench.smoke else counts[concurrency]
        samples = alternate(bench.turns, {
            client: lambda client=client: bench.clients.probe(client, url, count, concurrency)
            for client in clients})
        rate, cpu = ({
            client: [sample[figure] for sample in samples[client]] for client in clients
        } for figure in ("rate", "cpuPer10000"))
        label = f"{what}, {concurrency} at a time, one loop"
        names = {"rate": "rate"} | bars.get(concurrency, {})
        for figure, write, samples, title in [
                ("rate", report.per_second, rate, "probes/s"), ("cpu", report.seconds, cpu, "CPU for 10 000")]:
            for yardstick, prefix in [(C_LOOP, ""), (RAW, "raw ")]:
                yield compare(
                    f"{label}: {title}", write, samples[ONE_LOOP], yardstick, samples[yardstick],
                    BARS.get(names.get(prefix + figure)))


def bundle(bench):
    """HTTPS with the system's bundle and the benchmark's authority, compared with that authority alone.

    ProbeKit has no option to trust less than the system does, so the second run is in a separate mount namespace in
    which the bundles are empty files; there, the same program trusts only the given authority.
    """
    unshare = world.find("unshare", "apt-get install util-linux")
    found = [path for path in system_bundles() if os.path.exists(path)]
    if not found:
        raise Unavailable("this system has no bundle of authorities: apt-get install ca-certificates")
    namespace = [unshare, "--mount"] if os.geteuid() == 0 else [unshare, "--map-root-user", "--mount"]
    hide = " && ".join(f"mount --bind /dev/null '{path}'" for path in found)
    prefixes = {
        "system": [*namespace, "sh", "-c", 'exec "$@"', "sh"],
        "one": [*namespace, "sh", "-c", f'{hide} && exec "$@"', "sh"]}
    try:
        programs.run([*prefixes["one"], "true"])
    except Wrong as error:
        raise Unavailable(f"the bundle cannot be hidden in a mount namespace here: {error}") from None
    count = 100 if bench.smoke else 2000
    samples = alternate(bench.turns, {
        name: lambda prefix=prefix: bench.clients.probe(OURS, bench.world.tls, count, 32, prefix)["rate"]
        for name, prefix in prefixes.items()})
    yield compare(
        "TLS, 32 at a time, system's bundle: probes/s", report.per_second, samples["system"], "one authority",
        samples["one"], BARS["bundle"])


def system_bundles():
    """The paths where ProbeKit looks for the system's bundle, read from its source, so that none is missed."""
    source = os.path.join(os.path.dirname(__file__), "../../Sources/System/ProbeTLS/TrustStore.swift")
    with open(source) as file:
        listed = re.search(r"systemBundles = \[(.*?)\]", file.read(), re.DOTALL)
    return re.findall(r'"(/[^"]+)"', listed[1])


def memory(bench):
    """Memory for each probe in flight without a response: peak at 1000 less peak at 1, divided by 999."""
    many = 20 if bench.smoke else 1000
    for what, url, milliseconds in [("plain", bench.world.plain, 2000), ("TLS", bench.world.tls, 6000)]:
        def measure(client):
            one = bench.clients.peak_unanswered(client, url, 1, 1000)
            peak = bench.clients.peak_unanswered(client, url, many, 2000 if bench.smoke else milliseconds)
            return (peak - one) / (many - 1)

        samples = alternate(bench.turns, {
            client: lambda client=client: measure(client) for client in [OURS, C_LOOP]})
        # The few probes of a smoke run may need no more memory than one.
        if not bench.smoke:
            yield compare(
                f"{what}: memory for each probe in flight", report.kibibytes, samples[OURS], C_LOOP,
                samples[C_LOOP], own=BARS[f"memory, {what}"])


def growth(bench):
    """Peak memory after 10 000 and after 200 000 probes, and the descriptors that are open at the end."""
    few, many = (200, 1000) if bench.smoke else (10_000, 200_000)
    samples = alternate(bench.turns, {
        count: lambda count=count: bench.clients.probe(OURS, bench.world.plain, count, 256)
        for count in [few, many]})
    peak = {count: [sample["peakKiB"] for sample in samples[count]] for count in samples}
    yield compare(
        f"peak memory after {report.count(many)} probes", report.mebibytes, peak[many],
        f"after {report.count(few)}", peak[few], BARS["growth"])
    left = max(sample["descriptors"] for sample in samples[many])
    if left < 3:
        raise Wrong(f"ours: the number of descriptors is impossible: {left}")
    yield Row("descriptors open at the end", str(left), "", "", BARS["descriptors"], left)


def urls(bench):
    """Pipelines of increasing size: rate and memory with more and more different URLs."""
    counts = [20, 200] if bench.smoke else [100, 1000, 10_000, 100_000]
    url = bench.world.plain + "?{n}"
    samples = alternate(bench.turns, {
        count: lambda count=count: bench.clients.probe(PIPELINE, url, count, 256) for count in counts})
    for count in counts:
        yield compare(
            f"pipeline of {report.count(count)} URLs: probes/s", report.per_second,
            [sample["rate"] for sample in samples[count]], f"of {report.count(counts[-1])}",
            [sample["rate"] for sample in samples[counts[-1]]])
        memory = [sample["peakKiB"] for sample in samples[count]]
        yield Row(
            f"pipeline of {report.count(count)} URLs: peak memory", report.mebibytes(statistics.median(memory)), "", "")


def pipeline(bench):
    """A plan of many probes run to its verdict, compared with the same probes by the transport alone."""
    count = 200 if bench.smoke else 20_000
    samples = alternate(bench.turns, {
        client: lambda client=client: bench.clients.probe(client, bench.world.plain, count, 256)
        for client in [PIPELINE, OURS]})
    rate, cpu = ({
        client: [sample[figure] for sample in samples[client]] for client in samples
    } for figure in ("rate", "cpuPer10000"))
    label = f"pipeline of {report.count(count)}, 256 at a time"
    yield compare(
        f"{label}: probes/s", report.per_second, rate[PIPELINE], "transport alone", rate[OURS],
        BARS["pipeline"])
    yield compare(
        f"{label}: CPU for 10 000", report.seconds, cpu[PIPELINE], "transport alone", cpu[OURS])


def command(bench):
    """The command compared with the library: the same probes, as whole processes."""
    count = 200 if bench.smoke else 20_000
    contest = Contest(bench, "command", bench.world.plain, count, 256)
    samples = contest.run([COMMAND, PIPELINE])
    cpu = {client: [sample.cpu for sample in samples[client]] for client in samples}
    yield compare(
        f"probekit check of {report.count(count)}, 256 at a time: CPU for 10 000", report.seconds, cpu[COMMAND],
        PIPELINE, cpu[PIPELINE], BARS["command"])


def scan(bench):
    """A scan compared with the library for the same probes, and its memory after few and after many lines."""
    count = 200 if bench.smoke else 20_000
    samples = Contest(bench, "scan", bench.world.plain, count, 256).run([SCAN, PIPELINE])
    cpu = {client: [sample.cpu for sample in samples[client]] for client in samples}
    yield compare(
        f"probekit scan of {report.count(count)}, 256 at a time: CPU for 10 000", report.seconds, cpu[SCAN],
        PIPELINE, cpu[PIPELINE], BARS["scan"])
    few, many = (200, 1000) if bench.smoke else (10_000, 1_000_000)
    memory = {
        count: Contest(bench, "scan", bench.world.plain, count, 256).run([SCAN], turns=1)[SCAN][0].memory / 1024
        for count in [few, many]}
    yield compare(
        f"probekit scan, peak memory after {report.count(many)} URLs", report.mebibytes, [memory[many]],
        f"after {report.count(few)}", [memory[few]], BARS["growth"])
    if not bench.smoke:
        peak = memory[many] / 1024
        yield Row("probekit scan, 256 in flight: peak memory", f"{peak:.1f} MiB", "", "", BARS["scan, memory"], peak)


def monitor(bench):
    """A monitor's own cost and what it holds, with simulated responses and times."""
    program = bench.clients.program("monitor-bench")
    count = 1000 if bench.smoke else 1_000_000
    turns = 1

    def measure(what, times):
        result = programs.run_for_json([program, what, str(times)], timeout=900)
        if not result["firstKiB"] > 0:
            raise Wrong(f"monitor-bench {what} wrote impossible figures: {result}")
        return result

    samples = alternate(turns, {what: lambda what=what: measure(what, count) for what in ["polls", "runs"]})
    label = f"monitor, {report.count(count)} polls"
    yield compare(
        f"{label}: CPU", report.seconds, [sample["cpu"] for sample in samples["polls"]],
        "runs without a monitor", [sample["cpu"] for sample in samples["runs"]])
    for what, times in [("polls", count), ("changes", 100 if bench.smoke else 10_000)]:
        taken = samples["polls"][0] if what == "polls" else measure(what, times)
        yield compare(
            f"monitor, memory after {report.count(times)} {what}", report.mebibytes, [taken["lastKiB"]],
            f"after {report.count(times // 10)}", [taken["firstKiB"]], BARS["growth"])
    cycles = 50 if bench.smoke else 1000
    left = measure("cycles", cycles)
    yield Row(
        f"monitor, threads and descriptors left by {report.count(cycles)} starts and stops",
        f"{left['threads']} and {left['descriptors']}", "", "", BARS["monitor, left"],
        left["threads"] + left["descriptors"])


def matching(bench):
    """The text validators, compared with direct calls of PCRE2 and the C library."""
    yield from _in_one_process(bench, "matching-bench", [], "direct call")


def analysis(bench):
    """The analysis of responses, compared with gumbo parsing the same pages."""
    folder = os.path.join(os.path.dirname(__file__), "../../fixtures")
    pages = ["portals/terms", "blocked/law-indonesian", "portals/large-page"]
    files = [os.path.join(folder, page, "page.html") for page in pages]
    yield from _in_one_process(bench, "analysis-bench", files, "gumbo")


def _in_one_process(bench, name, arguments, yardstick_name):
    """The rows of a program that measures both sides by itself, in turns."""
    program = bench.clients.program(name)
    if bench.smoke:
        programs.run([program, "--smoke", *arguments])
        return
    lines = programs.run([program, *arguments]).output.splitlines()[1:]
    for line in lines:
        cells = re.split(r"\s{2,}", line.strip())
        limit = re.fullmatch(r"([≥≤]) ([0-9.]+)", cells[4]) if len(cells) == 5 else None
        if len(cells) not in (4, 5) or (len(cells) == 5 and not limit):
            raise Wrong(f"{name} wrote an unexpected line: {line!r}")
        what, ours, yardstick, ratio = cells[:4]
        bar = (limit[1], float(limit[2])) if limit else None
        yield Row(what, ours, f"{yardstick_name} {yardstick}", ratio, bar, float(ratio))
    if not lines:
        raise Wrong(f"{name} wrote no rows")


def startup(bench):
    """`probekit --version` compared with `curl --version`, from start to end."""
    curl = world.find("curl", "apt-get install curl")
    probekit = bench.clients.program("probekit")
    for program, word in [(probekit, "probekit"), (curl, "curl")]:
        if word not in programs.run([program, "--version"]).output:
            raise Wrong(f"{program} --version does not print its name")
    samples = alternate(bench.turns if bench.smoke else max(STARTS, bench.turns), {
        name: lambda program=program: programs.start_and_end_seconds(program, "--version")
        for name, program in [(OURS, probekit), ("curl", curl)]})
    yield compare(
        "probekit --version", report.milliseconds, samples[OURS], "curl --version", samples["curl"],
        BARS["start-up"])


GROUPS = {
    group.__name__: group for group in [
        plain, tls, bundle, peers, memory, growth, urls, pipeline, command, scan, serve, load, monitor, matching, analysis, startup, replay, plugins]}
