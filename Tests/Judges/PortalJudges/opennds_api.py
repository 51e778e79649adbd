"""Debian's openNDS with the API that it announces by DHCP, over plain HTTP, which RFC 8910 does not allow."""

import nds


def check(world):
    portal = nds.OpenNDS(world)
    world.join()
    world.report("before")
    world.report("capport", "--capport", "http://status.client")
    portal.log_in()
    world.report("after")
    portal.end()
