"""One Prometheus and one serve, configured as in the recipe."""

import re
from datetime import datetime, timezone

import page
from prometheus import Prometheus
from world import until

SHOP = """
version: 1
name: shop
question: services
request: {{ ca: {ca} }}
sets: [{{ name: pages, urls: ["https://example.com/"] }}]
"""


def check(world):
    """Scrapes a good target, one that refuses, a pipeline and the exporter itself until the rule fires."""
    good, refused = "https://example.com", "https://shop.example.com"
    world.hosts(example_com="127.0.0.1", shop_example_com="127.0.0.2")
    world.web("127.0.0.1:443", "example.com", "shop.example.com")
    world.serve(page.MODULES.format(ca=world.ca), world.file("shop.yaml", SHOP.format(ca=world.ca)))
    scrapes = page.replaced(page.scrapes(), "rule_files:", page.block("- job_name: shop") + "rule_files:")
    prometheus = Prometheus(world, f"global: {{ {page.INTERVALS} }}\n{scrapes}")

    expected = {("web", good), ("web", refused), ("probekit", "127.0.0.1:9115"), ("shop", "127.0.0.1:9115")}
    def up():
        return {(labels["job"], labels["instance"]): value for labels, value in prometheus.query("up")}
    seen = until(lambda: up() if len(up()) == len(expected) else None)
    world.check("both jobs of the page and its pipeline are up", seen == dict.fromkeys(expected, 1), seen or up())
    succeeded = {(labels["job"], labels["instance"]): value for labels, value in prometheus.query("probe_success")}
    expected = {("web", good): 1, ("web", refused): 0, ("shop", "127.0.0.1:9115"): 1}
    world.check("probe_success is correct for each", succeeded == expected, succeeded)
    verdicts = prometheus.values('probekit_verdict{pipeline="shop"} == 1', "verdict")
    world.check("the pipeline's verdict is healthy", verdicts == {"healthy": 1}, verdicts)
    reasons = prometheus.reasons(page.block("(probe_success == 0)"))
    world.check("the page's expression has the reason of the failure", reasons == {refused: "connect.refused"}, reasons)
    for rule in re.findall(r"record: (\S+)", page.RULES.read_text()):
        values = until(lambda: prometheus.query(rule))
        world.check(f"{rule} has values", values and all(value == value for _, value in values), values)
    firing = prometheus.firing("TargetDown", 90)
    world.check("TargetDown fires only for the target that refuses", firing == [refused], firing)
    alerts = {alert["labels"]["alertname"] for alert in prometheus.alerts()}
    world.check("no other alert is pending", alerts == {"TargetDown"}, alerts)
    since = datetime.fromisoformat(prometheus.alerts("TargetDown")[0]["activeAt"][:23]).replace(tzinfo=timezone.utc).timestamp()
    record = f'timestamp(instance:probe_success:places_failed{{instance="{refused}"}})'
    recorded = prometheus.values(record, time=since)
    world.check("it uses the records of the same evaluation", recorded == {refused: since}, (recorded, since))
    failed = prometheus.values("min_over_time(up[10m]) == 0")
    errors = [target["lastError"] for target in prometheus.targets()]
    world.check("no scrape had an error", not failed and errors == [""] * 4, (failed, errors))
    complaints = re.findall(r".*level=(?:warn|error).*", world.log("prometheus"))
    world.check("Prometheus logs no warning", not complaints, complaints[:3])
