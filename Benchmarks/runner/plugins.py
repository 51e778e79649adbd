"""The rows for plugins in other processes: messages at a constant rate, and the same lines over bare pipes."""

import base64
import json
import os

from . import programs, report
from .clients import OURS, alternate
from .programs import Unavailable, Wrong
from .report import compare

PIPES = "C loop over pipes"
RATE = 1000
EXAMPLE = os.path.join(os.path.dirname(__file__), "../../Examples/plugins/health.py")


def plugins(bench):
    """A plugin in C, and one in Python."""
    count = 200 if bench.smoke else 3000
    message = bench.world.path("plugin-message.json")
    with open(message, "w") as file:
        file.write(_message())
    loads = {OURS: bench.clients.program("plugin-load"), PIPES: bench.clients.program("pipe-load")}
    for language, plugin in [("C", [bench.clients.program("accepting-plugin")]), ("Python", _python())]:
        samples = alternate(bench.turns, {
            name: lambda load=load, plugin=plugin: _measure([load, RATE, count, message, *plugin])
            for name, load in loads.items()})
        for figure, title, write in [
                ("cpuPer10000", "CPU for 10 000 messages", report.seconds), ("p99", "time to the answer, p99", report.microseconds)]:
            yield compare(
                f"plugin in {language}, {RATE} messages/s: {title}", write, [sample[figure] for sample in samples[OURS]],
                PIPES, [sample[figure] for sample in samples[PIPES]])


def _python():
    if not os.path.exists("/usr/bin/python3"):
        raise Unavailable("/usr/bin/python3 is missing: apt-get install python3")
    return [EXAMPLE]


def _measure(command):
    result = programs.run_for_json([str(part) for part in command])
    if result["failed"]:
        raise Wrong(f"{result['failed']} messages were not accepted")
    return result | {"cpuPer10000": result["cpu"] / int(command[2]) * 10_000}


def _message():
    """The members of a message with a response of 2 KiB, on one line."""
    body = json.dumps({"status": "up", "text": "x" * 2000}).encode()
    response = {
        "url": "https://shop.example/health", "status": 200, "headers": {"content-type": ["application/json"]},
        "bodyBase64": base64.b64encode(body).decode(), "bodyIsCut": False, "tls": None, "timings": {"total": 0.02},
        "remoteAddress": "192.0.2.1:443", "redirects": [], "captures": {}, "dns": None, "ping": None}
    members = {"options": {"field": "status", "expected": "up"}, "response": response}
    return json.dumps(members, separators=(",", ":"))[1:-1]
