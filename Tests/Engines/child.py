"""Asks one engine about fixtures, in a network of its own; `run` starts it.

usage: child.py PROBEKIT ENGINE

Reads the folder of one fixture a line, and writes a line of JSON for it: the verdict, the login URL and the seconds that it
took. The first line has the engine's version. It must be the first process of a PID namespace, so that what it starts ends
with it.
"""

import json
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True

from engines import ENGINES
from network import Network


def tell(**record):
    print(json.dumps(record), flush=True)


def main():
    probekit, name = sys.argv[1:]
    engine = ENGINES[name]
    with Network(probekit) as network:
        engine.start(network)
        tell(version=engine.version())
        for line in sys.stdin:
            folder = Path(line.rstrip("\n"))
            began = time.monotonic()
            with network.replayed(folder) as authority:
                verdict, login = engine.ask(folder, authority)
            tell(verdict=verdict, login=login, seconds=time.monotonic() - began)


main()
