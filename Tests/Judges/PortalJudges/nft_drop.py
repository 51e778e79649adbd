"""A portal with two faults: no HTTPS response, and a redirect that may be cached forever. Guests reach one server."""

import internet
import portal


def check(world):
    network = portal.Filter(
        world, f"location / {{ return 301 {portal.PAGE}; }}", rules="tcp dport 443 drop",
        garden=f"ip daddr {internet.ADDRESSES['pay.example']} accept")
    world.resolve()
    world.join()
    world.put("client", "names", "pay.example\nwww.google.com\nno.such.example\n")
    world.report("before", "--names", "/etc/names")
    network.log_in()
    world.report("after")
