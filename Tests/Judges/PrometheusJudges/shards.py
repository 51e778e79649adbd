"""Two shards by hashmod: each target is probed once."""

import page
from prometheus import Prometheus
from world import until

TARGETS = [f"http://127.0.0.1:8080/{number}" for number in range(200)]


def check(world):
    """Two servers with the same 200 targets, and the page's relabeling."""
    world.web("127.0.0.1:8080")
    world.serve("modules: { http_2xx: { prober: http } }")
    scrapes = page.replaced(page.scrapes(), "[https://example.com, https://shop.example.com]", str(TARGETS))
    block = page.block("- { source_labels: [__address__], modulus: 2")
    shards = []
    for shard in ("0", "1"):
        own = page.replaced(scrapes, "relabel_configs:\n", "relabel_configs:\n" + page.replaced(block, "'0'", f"'{shard}'"))
        shards.append(Prometheus(
            world, f"global: {{ {page.INTERVALS} }}\n{own}", name=f"shard-{shard}", address=f"127.0.0.1:909{shard}"))

    def probed():
        return sorted(target for shard in shards for target in shard.values('probe_success{job="web"} == 1'))
    until(lambda: probed() == sorted(TARGETS))
    world.check("each of 200 targets is probed by exactly one of them", probed() == sorted(TARGETS), probed())
    each = [[target["labels"]["instance"] for target in shard.targets() if target["labels"]["job"] == "web"] for shard in shards]
    world.check("each is a target of one of them", sorted(each[0] + each[1]) == sorted(TARGETS), each)
    world.check("both have targets", all(each), each)
