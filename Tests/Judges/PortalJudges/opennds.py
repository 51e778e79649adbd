"""Debian's openNDS with its own pages and no announcement: before the login, after it, and after the session."""

import nds


def check(world):
    portal = nds.OpenNDS(world, "dhcp_default_url_enable 0\n")
    world.join()
    world.report("before")
    page = portal.log_in()
    world.check("openNDS lets the guest in", "Success" in page, page)
    world.report("after")
    portal.end()
    world.report("end")
    world.watch("watch", portal.log_in, portal.end)
