"""Runs one engine on fixtures, in a separate network; `run` starts it.

usage: child.py PROBEKIT ENGINE

Reads one fixture's folder per line, and writes a line of JSON for it: the verdict, the login URL and the duration in
seconds. The first line of output has the engine's version. This must be the first process of a PID namespace, so that
the processes it starts end with it.
"""

import json
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

from engines import ENGINES
from network import Network


def report(**record):
    print(json.dumps(record), flush=True)


def main():
    probekit, name = sys.argv[1:]
    engine = ENGINES[name]
    with Network(probekit) as network:
        engine.start(network)
        report(version=engine.version())
        for line in sys.stdin:
            folder = Path(line.rstrip("\n"))
            began = time.monotonic()
            with network.replayed(folder) as authority:
                verdict, login = engine.ask(folder, authority)
            report(verdict=verdict, login=login, seconds=time.monotonic() - began)


main()
