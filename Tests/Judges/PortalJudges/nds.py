"""Debian's openNDS as a gateway's portal: it creates iptables rules, and serves its pages on port 2050."""

import re
from pathlib import Path

from world import CLIENT, GATEWAY, Failed, until

OPTIONS = """
GatewayInterface lan
GatewayName Guests
login_option_enabled 1
"""


class OpenNDS:
    """openNDS, which writes its announcements to the configuration of dnsmasq, and restarts dnsmasq."""

    def __init__(self, world, options=""):
        self.world = world
        # systemd would create this folder, in which openNDS prepares a new /etc/hosts.
        Path("/run/tmpfiles.d").mkdir()
        # openNDS creates chains to which the nftables variant of iptables cannot add rules on newer kernels.
        (world.folder / "gateway/bin/iptables").symlink_to("/usr/sbin/iptables-legacy")
        world.resolve()
        file = Path("/etc/opennds/opennds.conf")
        world.put("gateway", "opennds/opennds.conf", file.read_text() + OPTIONS + options)
        world.start("opennds", "gateway", "opennds", "-f", "-d", "1")
        if not until(lambda: "Version" in self.control("status")):
            raise Failed("openNDS did not start")

    def control(self, *arguments):
        return self.world.run("ndsctl", *arguments, place="gateway", accept=range(100))

    def log_in(self):
        """Goes through the pages as a guest does, who accepts the terms and continues. Returns the page behind the portal.

        openNDS 9.10 may send an error page although the script of the page succeeded: while the script ran, another thread
        restored the handler of SIGCHLD, which took the script's exit status. The guest starts again, or is already let in.
        """
        for _ in range(3):
            page = self.world.get("-L", "http://captive.apple.com/hotspot-detect.html")
            if "Success" in page:
                break
            for _ in range(2):
                page = self.world.get(f"http://{GATEWAY}:2050/opennds_preauth/?{query(page)}")
        return page

    def end(self):
        """Ends the session."""
        return self.control("deauth", CLIENT)


def query(page):
    """The query that the first form of a page sends."""
    form = page.split("</form>")[0]
    return "&".join(f"{name}={value}" for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form))
