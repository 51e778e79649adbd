"""Three places with an agent each, and a centre that alerts when most of them agree."""

import time

import page
from prometheus import Prometheus
from world import until

PLACES = {"berlin": "10.77.0.11", "paris": "10.77.0.12", "oslo": "10.77.0.13"}
CENTRE, GOOD, SHOP = "10.77.0.20", "10.77.0.30", "10.77.0.31"
WEB, TARGET = "https://example.com", "https://shop.example.com"


def check(world):
    """Cuts off one place from a target, then a second one, and restores both."""
    world.bridge("10.77.0.1", GOOD, SHOP)
    world.hosts(example_com=GOOD, shop_example_com=SHOP)
    world.web("443", "example.com", "shop.example.com")
    world.place("centre", CENTRE)
    centre = Prometheus(
        world, f"global: {{ {page.INTERVALS} }}\nrule_files: [{page.RULES}]\n", "--web.enable-remote-write-receiver",
        name="centre", address=f"{CENTRE}:9090", place="centre")
    for place, address in PLACES.items():
        world.place(place, address)
        world.serve(page.MODULES.format(ca=world.ca), name=f"serve-{place}", place=place)
        sends = page.replaced(page.block("global: { external_labels"), "global: {", "global: { scrape_interval: 1s,")
        sends = page.replaced(sends, "https://centre.example.com/", f"{centre.url}/")
        Prometheus(
            world, page.replaced(sends, "berlin", place) + page.scrapes(rules=None), "--enable-feature=agent",
            name=f"agent-{place}", place=place)

    def ratios():
        return centre.values("instance:probe_success:ratio")
    def in_one_place():
        alerts = centre.alerts("TargetDownInOnePlace")
        return [(alert["labels"]["place"], alert["labels"]["instance"]) for alert in alerts]
    def ever(name):
        return centre.query(f'count_over_time(ALERTS{{alertname="{name}"}}[10m])')

    until(lambda: len(centre.query("probe_success == 1")) == 6 and ratios() == {WEB: 1, TARGET: 1})
    succeeded = {(labels["place"], labels["instance"]): value for labels, value in centre.query("probe_success")}
    expected = {(place, target): 1 for place in PLACES for target in (WEB, TARGET)}
    world.check("the centre has the probes of all places", succeeded == expected, succeeded)

    world.run("nft", "add table ip cut; add chain ip cut out { type filter hook output priority 0; }; "
              f"add rule ip cut out ip daddr {SHOP} drop", place="berlin")
    until(lambda: in_one_place() == [("berlin", TARGET)])
    alone = in_one_place()
    world.check("one place without the target: TargetDownInOnePlace is pending", alone == [("berlin", TARGET)], alone)
    # Longer than the minute of TargetDown.
    time.sleep(70)
    world.check("TargetDown has never been pending in 70 s", not ever("TargetDown"), ever("TargetDown"))

    world.run("ip", "route", "add", "unreachable", SHOP, place="paris")
    firing = centre.firing("TargetDown", 100)
    world.check("two places without it: TargetDown fires, and only for it", firing == [TARGET], firing)
    summaries = [alert["annotations"]["summary"] for alert in centre.alerts("TargetDown")]
    world.check("its summary has their number", summaries == [f"{TARGET} fails in 2 places"], summaries)
    reasons = centre.reasons(page.block("(probe_success == 0)"), "place")
    expected = {"berlin": "timeout.connect", "paris": "connect.unreachable"}
    world.check("the page's expression has the reason of each place", reasons == expected, reasons)

    world.run("nft", "delete table ip cut", place="berlin")
    until(lambda: not centre.alerts("TargetDown"))
    left = centre.alerts("TargetDown")
    world.check("one place can reach it again: TargetDown is resolved", not left, left)
    world.run("ip", "route", "delete", "unreachable", SHOP, place="paris")
    until(lambda: ratios() == {WEB: 1, TARGET: 1} and not centre.alerts())
    world.check("all places can reach it: no alert is left", not centre.alerts(), centre.alerts())
    world.check("the target is up in all of them", ratios() == {WEB: 1, TARGET: 1}, ratios())
    up = centre.query("min_over_time(up[10m]) == 0")
    world.check("no scrape has failed in any place", not up and len(centre.query("up")) == 9, up)
