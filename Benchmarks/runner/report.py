"""The bars, the comparison of a figure with that of a yardstick, and the tables."""

import json
import statistics

# The limits of the ratio ours ÷ yardstick, or of our own figure if there is no yardstick.
AT_LEAST, AT_MOST = "≥", "≤"
BARS = {
    "rate": (AT_LEAST, 0.95),  # of the C loop, with one loop thread
    "plain, rate at 256": (AT_LEAST, 1.4),  # of the C loop
    "plain, rate at 256, sockets": (AT_LEAST, 0.65),  # of bare sockets
    "plain, cpu": (AT_MOST, 0.7),  # of the C loop, at 256 and 1000
    "TLS, cpu": (AT_MOST, 0.95),  # of the C loop
    "TLS, cpu, OpenSSL": (AT_MOST, 1.12),  # of bare OpenSSL
    "bundle": (AT_LEAST, 0.9),  # the system's bundle of authorities ÷ one authority
    "memory, plain": (AT_MOST, 8),  # KiB for each probe in flight
    "memory, TLS": (AT_MOST, 45),
    "growth": (AT_MOST, 1.1),  # peak memory after 200 000 probes ÷ after 10 000
    "descriptors": (AT_MOST, 9),
    "start-up": (AT_MOST, 1.3),  # of curl --version
    "command": (AT_MOST, 1.15),  # CPU of the command ÷ that of the library for the same probes
    "scan": (AT_MOST, 1.15),  # CPU of a scan ÷ that of the library for the same probes
    "scan, memory": (AT_MOST, 64),  # MiB, with 256 in flight
    "serve, rate": (AT_LEAST, 4),  # of blackbox_exporter, plain HTTP
    "serve, cpu": (AT_MOST, 0.25),  # of blackbox_exporter, plain HTTP
    "serve, TLS, cpu": (AT_MOST, 0.9),  # of blackbox_exporter
    "pipeline": (AT_LEAST, 0.85),  # of the same probes without a pipeline
    "load": (AT_MOST, 3),  # of loading and validating in Python
    "load, memory": (AT_MOST, 100),  # MB, of a file with 10 000 URLs
    "load, hostile CPU": (AT_MOST, 100),  # milliseconds
    "load, hostile memory": (AT_MOST, 64),  # MB
    "monitor, left": (AT_MOST, 0),  # threads and descriptors, after 1000 starts and stops
    "replay": (AT_LEAST, 1.3),  # of nginx, requests on persistent connections
    "replay, raw": (AT_LEAST, 0.97),  # of the raw server
    "replay, TLS": (AT_LEAST, 1.0),  # of nginx, a handshake for each request
    "replay, mitmproxy": (AT_LEAST, 50),  # of mitmproxy's server replay
    "replay, left": (AT_MOST, 0),  # threads, and descriptors, after 1000 starts and stops
    "replay, idle": (AT_MOST, 100),  # MB of the whole server with 10 000 idle plain connections
}
# The share of the turns that must agree with the median; otherwise there is no verdict.
AGREEING = 5 / 7


class Row:
    """One line of the table: a figure of ours, that of a yardstick, their ratio and its bar."""

    def __init__(self, what, ours, yardstick, ratio, bar=None, measure=None, turns=()):
        self.what = what
        self.ours = ours
        self.yardstick = yardstick
        self.ratio = ratio
        self.bar = bar
        # The value that is compared with the bar, and that of each turn if there were several.
        self.measure = measure
        self.turns = turns

    def _meets(self, measure):
        relation, limit = self.bar
        return measure >= limit if relation == AT_LEAST else measure <= limit

    @property
    def verdict(self):
        if self.bar is None:
            return ""
        is_met = self._meets(self.measure)
        agreeing = sum(self._meets(turn) == is_met for turn in self.turns)
        if self.turns and agreeing < AGREEING * len(self.turns):
            return "not separable"
        return "met" if is_met else "below"

    @property
    def limit(self):
        return f"{self.bar[0]} {self.bar[1]:.3g}" if self.bar else ""

    def columns(self):
        return [self.what, self.ours, self.yardstick, self.ratio, self.limit, self.verdict]


class Duel:
    """One line of the table of peers: the figures of a client for some work, and how ours compares."""

    def __init__(self, work, client, samples, ours, is_yardstick):
        self.work = work
        self.client = client
        self.is_yardstick = is_yardstick
        self.rate, self.cpu, self.memory = (
            statistics.median(getattr(sample, name) for sample in samples) for name in ["rate", "cpu", "memory"])
        # The medians of the turns' ratios; larger is better for ours.
        turns = list(zip(ours, samples))
        self.rate_ratio = statistics.median(mine.rate / theirs.rate for mine, theirs in turns)
        self.cpu_ratio = statistics.median(theirs.cpu / mine.cpu for mine, theirs in turns)
        self.is_ours = samples is ours

    @property
    def verdict(self):
        if self.is_ours:
            return ""
        if self.is_yardstick:
            return "limit"
        lost = [
            what for what, ratio in [("rate", self.rate_ratio), ("CPU", self.cpu_ratio)] if ratio < 1]
        return "behind in " + " and ".join(lost) if lost else "ahead"

    def columns(self):
        ratios = ["", ""] if self.is_ours else [f"{self.rate_ratio:.2f} ×", f"{self.cpu_ratio:.2f} ×"]
        return [
            self.work, self.client, per_second(self.rate), ratios[0], seconds(self.cpu), ratios[1],
            mebibytes(self.memory / 1024), self.verdict]


def compare(what, write, ours, yardstick_name, yardstick, bar=None, own=None):
    """A row from the samples of both, taken in turns.

    The figures are medians. The ratio is the median of the turns' ratios, so that temporary load affects both sides.
    `bar` is for the ratio, `own` for our figure alone.
    """
    turns = [mine / theirs for mine, theirs in zip(ours, yardstick)]
    ratio = statistics.median(turns)
    measure, turns = (statistics.median(ours), ours) if own else (ratio, turns)
    return Row(
        what, write(statistics.median(ours)), f"{yardstick_name} {write(statistics.median(yardstick))}",
        f"{ratio:.3f}", own or bar, measure, turns)


ROW_TITLES = ["what", "ours", "yardstick", "ratio", "bar", ""]
DUEL_TITLES = [
    "work", "client", "probes/s", "ours: rate", "CPU for 10 000", "ours: per CPU", "peak memory", "ours is"]


def tables(rows):
    """Markdown: the rows with bars, and the contests of peers."""
    duels = [row for row in rows if isinstance(row, Duel)]
    others = [row for row in rows if not isinstance(row, Duel)]
    parts = [(ROW_TITLES, others), (DUEL_TITLES, duels)]
    return "\n\n".join(table(titles, part) for titles, part in parts if part)


def table(titles, rows):
    """A Markdown table with aligned columns, readable as plain text."""
    lines = [titles, *(row.columns() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    padded = [[cell.ljust(width) for cell, width in zip(line, widths)] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in padded)


def write_json(path, rows, left_out, machine):
    lines = []
    for row in rows:
        if isinstance(row, Duel):
            lines.append({
                "work": row.work, "client": row.client, "rate": row.rate, "cpuPer10000": row.cpu,
                "peakBytes": row.memory, "rateRatio": row.rate_ratio, "cpuRatio": row.cpu_ratio,
                "verdict": row.verdict})
        else:
            names = ["what", "ours", "yardstick", "ratio", "bar", "verdict"]
            lines.append(dict(zip(names, row.columns())) | {"measure": row.measure})
    with open(path, "w") as file:
        content = {"machine": machine, "rows": lines, "leftOut": left_out}
        json.dump(content, file, ensure_ascii=False, indent=2)
        file.write("\n")


def count(value):
    return f"{value:,.0f}".replace(",", " ")


def per_second(value):
    return f"{count(value)}/s"


def seconds(value):
    return f"{value:.2f} s"


def milliseconds(value):
    return f"{value * 1000:.1f} ms"


def microseconds(value):
    return f"{value * 1e6:.2f} µs"


def megabytes(value):
    return f"{value / 1e6:.1f} MB"


def kibibytes(value):
    return f"{value:.1f} KiB"


def mebibytes(kib):
    return f"{kib / 1024:.1f} MiB"
