"""A correct portal: DHCP announces its API (RFC 8910), which responds over HTTPS as RFC 8908 requires."""

import internet
import portal
from world import PORTAL


def check(world):
    network = portal.Filter(world, f"location / {{ add_header Cache-Control no-store always; return 302 {portal.PAGE}; }}")
    world.resolve(f"dhcp-option=114,https://{PORTAL}/api")
    world.join()
    found = world.report("before", "--probe-leaks", internet.TESTER)["findings"]
    world.check("there are no findings before the login", not found, found)
    network.log_in()
    found = world.report("after")["findings"]
    world.check("there are no findings after the login", not found, found)
    network.log_out()
    world.report("end")
    world.watch("watch", network.log_in, network.log_out)
