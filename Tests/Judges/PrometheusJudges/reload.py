"""Reloads without a pause while 50 targets are scraped five times a second."""

import signal
import time

from prometheus import Prometheus, scrapes, wait_until
from world import SERVE, get, until

TARGETS, INTERVAL, SECONDS = 50, 0.2, 15
MODULES = "modules:\n  http_2xx: {{ prober: http, timeout: {0}s }}\n  only_{0}: {{ prober: tcp }}\n"
WRONG = "modules:\n  http_2xx: { prober: http, timeout: soon }\n"
SUCCESSFUL = "blackbox_exporter_config_last_reload_successful"


def check(world):
    """Alternates between two configurations, with an invalid one in between."""
    world.web("127.0.0.1:8080")
    world.serve(MODULES.format(4))
    prometheus = Prometheus(world, scrapes(INTERVAL, [f"http://127.0.0.1:8080/{number}" for number in range(TARGETS)]))
    all_up = until(lambda: len(prometheus.query("probe_success == 1")) == TARGETS)
    world.check(f"{TARGETS} targets succeed", all_up)
    beginning = time.time()
    reloads = refused = 0
    stale = []

    def in_force():
        return [number for number in (4, 5) if f"only_{number}:" in get(f"http://{SERVE}/config")[1]]

    def reload(number):
        world.file("serve.yml", MODULES.format(number))
        if reloads % 4 < 2:
            world.processes["serve"].send_signal(signal.SIGHUP)
        elif get(f"http://{SERVE}/-/reload", b"")[0] != 200:
            stale.append("POST /-/reload")
        if not until(lambda: in_force() == [number], 5):
            stale.append(f"{number} after {reloads} reloads")

    while time.time() < beginning + SECONDS:
        reload(4 + reloads % 2)
        reloads += 1
        if not refused and time.time() > beginning + SECONDS / 2:
            before = in_force()
            world.file("serve.yml", WRONG)
            status, words = get(f"http://{SERVE}/-/reload", b"")
            refused = until(lambda: prometheus.query(f"{SUCCESSFUL} == 0"), 5)
            world.check("a reload of invalid modules has the status 500", status == 500, (status, words))
            world.check("the log has the error", '"soon"' in world.log("serve"), world.log("serve")[-300:])
            world.check("Prometheus sees that it failed", refused)
            world.check("the previous configuration remains in effect", in_force() == before, in_force())
    world.check(f"each of {reloads} reloads takes effect", reloads > 50 and not stale, (reloads, stale))
    end = wait_until(beginning + SECONDS)
    successful = prometheus.values(SUCCESSFUL)
    world.check("the metric is 1 again", successful == {SERVE: 1}, successful)
    counts = [len(prometheus.query(f"min_over_time({name}[1m]) == 1")) for name in ("up", "probe_success")]
    world.check("no scrape and no probe fails", counts == [TARGETS + 1, TARGETS], counts)
    missed = prometheus.incomplete("probe_success", INTERVAL, round(SECONDS / INTERVAL), end)
    world.check(f"each target has {round(SECONDS / INTERVAL)} samples in {SECONDS} s", not missed, missed)
