"""1000 targets, each probed once a second for a minute."""

import os
import time

from prometheus import Prometheus, scrapes, wait_until
from world import until

SECONDS = 60
# Each has its own address, as real targets do.
TARGETS = [f"127.1.{number // 250}.{number % 250 + 1}:8080" for number in range(1000)]


def check(world):
    """One Prometheus, one serve and one web server on one machine: no probe is missed."""
    world.web("8080")
    world.serve("modules: { http_2xx: { prober: http } }")
    prometheus = Prometheus(world, scrapes(1, TARGETS))
    until(lambda: len(prometheus.query("probe_success == 1")) == len(TARGETS))
    before, beginning = world.cpu(), time.time()
    end = wait_until(beginning + SECONDS + 1)
    cores = {name: (seconds - before[name]) / (end - beginning) for name, seconds in world.cpu().items()}
    counts = {name: len(prometheus.query(f"min_over_time({name}[{SECONDS}s]) == 1", time=end)) for name in ("up", "probe_success")}
    world.check("each scrape and each probe succeeds", counts == {"up": 1001, "probe_success": 1000}, counts)
    missed = prometheus.incomplete("probe_success", 1, SECONDS, end)
    world.check(f"each of 1000 targets has {SECONDS} samples in {SECONDS} s", not missed, f"{len(missed)} have not: {missed}")
    def longest(name):
        return prometheus.query(f"max(max_over_time({name}[{SECONDS}s]))", time=end)[0][1] * 1000
    # The check assumes an otherwise idle machine: the last figure shows whether it was.
    rest = cores.pop("machine") - sum(cores.values())
    shares = ", ".join(f"{name} {share:.2f}" for name, share in cores.items())
    print(f"       of {os.cpu_count()} processors used: {shares}, everything else {rest:.2f}; "
          f"longest probe {longest('probe_duration_seconds'):.0f} ms, longest scrape {longest('scrape_duration_seconds'):.0f} ms")
