"""The rows for reading pipeline files, compared with Python's yaml.CSafeLoader and jsonschema."""

import os
import sys

from . import programs, report
from .clients import OURS, alternate
from .programs import Unavailable
from .report import BARS, Row, compare

PYTHON = "yaml + jsonschema"
# The Python that has the system's python3-yaml and python3-jsonschema.
INTERPRETER = "/usr/bin/python3"
CHECKER = os.path.join(os.path.dirname(__file__), "check_schema.py")


def load(bench):
    """A file of 10 000 URLs, and files designed to be expensive."""
    yield from _large(bench)
    yield from _hostile(bench)


def _large(bench):
    """All of `probekit lint`, compared with loading and validating alone in Python."""
    count = 100 if bench.smoke else 10_000
    probekit = bench.clients.program("probekit")
    file, schema = bench.world.path("large.yaml"), bench.world.path("schema.json")
    with open(file, "w") as output:
        output.write(_large_file(count))
    with open(schema, "w") as output:
        output.write(programs.run([probekit, "schema", "pipeline"]).output)
    try:
        programs.run([INTERPRETER, "-c", "import yaml, jsonschema; yaml.CSafeLoader"])
    except (programs.Wrong, OSError):
        raise Unavailable(
            "Python's yaml or jsonschema is missing: apt-get install python3-yaml python3-jsonschema") from None
    samples = alternate(bench.turns, {
        OURS: lambda: programs.cost([probekit, "lint", file]),
        PYTHON: lambda: programs.run_for_json([INTERPRETER, CHECKER, schema, file], timeout=600)})
    label = f"pipeline file of {report.count(count)} URLs"
    yield compare(
        f"{label}: lint, the whole process", report.seconds, [cost.seconds for cost in samples[OURS]], PYTHON,
        [result["seconds"] for result in samples[PYTHON]], BARS["load"])
    peak = max(cost.memory for cost in samples[OURS])
    yield Row(f"{label}: peak memory", report.megabytes(peak), "", "", BARS["load, memory"], peak / 1e6)


def _large_file(count):
    lines = ["version: 1", "name: large", "sets:"]
    for index in range(0, count, 100):
        lines += [f"  - name: set-{index}", "    threshold: 90%", "    validate: { status: 2xx }", "    urls:"]
        for number in range(index, min(index + 100, count)):
            if number % 4 == 0:
                lines.append(f"      - url: https://host{number}.example/path?query={number}")
                lines.append("        request: { timeout: 3s, headers: { Accept: text/html } }")
                lines.append(f"        validate: {{ all: [{{ status: 200 }}, {{ contains: \"page {number}\" }}] }}")
            else:
                lines.append(f"      - https://host{number}.example/path?query={number}")
    return "\n".join(lines) + "\n"


def _hostile(bench):
    """The most expensive of many hostile files, each checked by a separate process."""
    probekit = bench.clients.program("probekit")
    costs = {}
    for name, text in hostile_files().items():
        file = bench.world.path("hostile.yaml")
        with open(file, "w") as output:
            output.write(text)
        taken = [programs.cost([probekit, "lint", file], statuses=[0, 65]) for _ in range(bench.turns)]
        costs[name] = (min(cost.cpu for cost in taken), max(cost.memory for cost in taken))
        print(f"  {name}: {costs[name][0] * 1000:.0f} ms, {costs[name][1] / 1e6:.0f} MB", file=sys.stderr)
    for what, index, write, unit in [("CPU", 0, report.milliseconds, 1e-3), ("memory", 1, report.megabytes, 1e6)]:
        name, cost = max(((name, cost[index]) for name, cost in costs.items()), key=lambda pair: pair[1])
        yield Row(
            f"{len(costs)} hostile files: {what} of the most expensive", write(cost), name, "",
            BARS[f"load, hostile {what}"], cost / unit)


def hostile_files():
    """Files designed to be expensive, by their attack; except for the last, none exceeds the limit of what is read."""
    start = "version: 1\nname: x\nsets:\n  - name: web\n"
    one = start + "    urls: ['https://a/']\n"

    def urls(line, count):
        return start + "    urls:\n" + "".join(f"      - {line}\n" for _ in range(count))

    return {
        "aliases of aliases": "a: &k0 [x, x, x]\n" + "".join(
            f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 9)}]\n" for n in range(1, 12)),
        "aliases of sets": "version: 1\nname: x\nsets:\n  - &s { name: a, urls: ['https://a/'] }\n" + "  - *s\n" * 24_000,
        "nested lists": "a: " + "[" * 500_000,
        "nested mappings": "{a: " * 250_000,
        "nested blocks": "".join(" " * n + "a:\n" for n in range(1400)),
        "unknown keys": "".join(f"key{n}: 1\n" for n in range(80_000)),
        "a repeated key": "version: 2\n" * 90_000,
        "keys of many lengths": "".join("t" * n + "imeout: 1\n" for n in range(1400)),
        "a long text": "version: 1\nname: " + "x" * 1_000_000,
        "a long key": "x" * 1_000_000 + ": 1\n",
        "a text of escapes": 'name: "' + "\\u00e9" * 170_000 + '"\n',
        "surrogate pairs": 'name: "' + "\\ud83d\\ude00" * 80_000 + '"\n',
        "a long line of errors": "sets: [" + "x, " * 90_000 + "x]\n",
        "errors in sets": "sets:\n" + "  - { nam: x, url: 5 }\n" * 20_000,
        "errors in URLs": urls("{ url: 'http:// x/', a: b }", 14_000),
        "bad patterns": urls("{ url: 'https://a/', validate: { matches: '(' } }", 11_000),
        "patterns": start + "    urls:\n" + "".join(
            f"      - {{ url: 'https://a/', validate: {{ matches: '(a+)+{n}$' }} }}\n" for n in range(11_000)),
        "a pattern that grows": one + "    validate: { matches: '" + "(" * 12 + "a" + "{1,99})" * 12 + "' }\n",
        "patterns that grow": start + "    urls:\n" + "".join(
            f"      - {{ url: 'https://a/', validate: {{ matches: '((a{{1,90}}){{1,90}}){{1,3}}{n}' }} }}\n"
            for n in range(9_000)),
        "a long pattern": one + "    validate: { matches: '" + "(a|b)*" * 150_000 + "' }\n",
        "a wide tree of conditions": one + "    validate: { all: [" + (
            "{ any: [{ contains: x }, { cont: y }] }, " * 12_000) + "{ status: 204 }] }\n",
        "statuses": one + "    validate: { status: [" + "99, " * 90_000 + "100] }\n",
        "header fields": one + "    request: { headers: {" + "".join(
            f"n{n}: x, " for n in range(45_000)) + "a: b } }\n",
        "unknown options": one + "    validate: { matches: { pattern: x" + "".join(
            f", o{n}: x" for n in range(45_000)) + " } }\n",
        "a long dialog": "policy: { https: optional }\n" + start + "    urls: ['tcp://a:1']\n    request: { dialog: ["
            + "{ expect: { matches: '(' } }, " * 24_000 + "{ send: x }] }\n",
        "rules of unknown sets": one + "decide:\n" + "  - { when: { set: wbe, met: true }, verdict: online }\n" * 14_000,
        "sets of one name": "version: 1\nname: x\nsets:\n" + "  - { name: a, urls: ['https://a/'] }\n" * 16_000,
        "anchors": "".join(f"k{n}: &a{n} x\n" for n in range(45_000)),
        "commas and colons": "a: [" + "x: y, a,b " * 90_000 + "]\n",
        "tabs": "a:\t1\n" * 170_000,
        "settings for each URL": "request: { timeout: 1s, redirects: 1, headers: { a: b, c: d } }\n" + urls(
            "https://a.example/", 35_000),
        "a bad setting for each URL": "request: { method: 'G T', redirects: 1, headers: { a: b } }\n" + urls(
            "https://a.example/", 35_000),
        "more than is read": "# nothing\n" * 200_000,
    }
