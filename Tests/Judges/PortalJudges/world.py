"""The network of a check: a client, a gateway and an Internet, each with its own network and mount namespaces."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from service import Authority

import internet

HERE = Path(__file__).resolve().parent
# The gateway's inside address, the only address that it leases by DHCP, their network, and the host name of its portal.
GATEWAY, CLIENT, NETWORK, PORTAL = "192.168.8.1", "192.168.8.100", "192.168.8.0/24", "portal.test"
# The configuration of dnsmasq in all checks: real names come from the Internet, and clients get addresses by DHCP.
RESOLVER = f"""
no-resolv
server={internet.NAME_SERVER}
host-record={PORTAL},{GATEWAY}
interface=lan
bind-interfaces
dhcp-authoritative
dhcp-range={CLIENT},{CLIENT},1h
"""
# Debian's programs restart dnsmasq through systemd, which does not run here.
SYSTEMCTL = """#!/bin/sh
[ "$1 $2" = "restart dnsmasq" ] || exit 0
if read -r pid <{folder}/dnsmasq.pid; then
  kill "$pid"
  while grep -q . "/proc/$pid/cmdline"; do sleep 0.05; done
fi 2>/dev/null
exec dnsmasq --conf-file=/etc/dnsmasq.conf --pid-file={folder}/dnsmasq.pid --user=root
"""
# Debian's dhclient requests the URL of a portal's API (RFC 8910) only with this line from docs/portal.md.
DHCLIENT = "also request default-url, dhcp6.v6-captive-portal;\n"


class Failed(Exception):
    """A check cannot continue."""


def until(found, seconds=30):
    """Repeats a function until its result is true, and returns the last result."""
    end = time.monotonic() + seconds
    while not (result := found()) and time.monotonic() < end:
        time.sleep(0.1)
    return result


class World:
    """Everything that a check starts. It ends with the namespaces."""

    def __init__(self, folder, name, update):
        self.folder, self.name, self.update = Path(folder), name, update
        self.wrong, self.processes, self.holders = 0, {}, {}

    def build(self, probekit):
        """Creates the namespaces, and starts the servers of every check."""
        # Where programs keep files. The upper layer of an overlay needs a suitable file system, such as a tmpfs.
        for path in (str(self.folder), "/run", "/var/lib/dhcp", "/var/lib/misc", "/var/lib/nginx"):
            self.run("mount", "-t", "tmpfs", "tmpfs", path)
        self.folder.chmod(0o755)
        # The build may replace the program in the meantime.
        self.probekit = shutil.copy(probekit, self.folder / "probekit")
        self.authority = Authority(self.folder)
        self.authority.issue(internet.HOSTS[0], names=internet.HOSTS[1:])
        self.authority.issue(PORTAL)
        for place in ("client", "gateway", "internet"):
            self._place(place)
        self._connect()
        records = [f"--host-record={host},{address}" for host, address in internet.ADDRESSES.items()]
        for address, own in ((internet.NAME_SERVER, records), (internet.TESTER, ["--txt-record=probekit.test,here"])):
            self.run("ip", "address", "add", f"{address}/32", "dev", "lo", place="internet")
            self.start(f"names-{address}", "internet", "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--pid-file",
                       "--user=root", "--bind-interfaces", f"--listen-address={address}", "--no-resolv", "--no-hosts",
                       "--local=/#/", "--local-ttl=300", *own)
        self.start("servers", "internet", sys.executable, HERE / "internet.py", self.authority.path(internet.HOSTS[0], "pem"))
        self.put("gateway", "bin/systemctl", SYSTEMCTL.format(folder=self.folder), executable=True)

    def _place(self, name):
        """Creates namespaces with a writable /etc. A process keeps them alive."""
        layers = [self.folder / name / layer for layer in ("upper", "work", "bin")]
        for layer in layers:
            layer.mkdir(parents=True)
        self.holders[name] = subprocess.Popen(["unshare", "--net", "--mount", "sleep", "infinity"])
        if not until(lambda: Path(f"/proc/{self.holders[name].pid}/comm").read_text() == "sleep\n"):
            raise Failed(f"cannot create the namespaces of {name}")
        self.run("mount", "-t", "overlay", "none", "-o", f"lowerdir=/etc,upperdir={layers[0]},workdir={layers[1]}", "/etc",
                 place=name)
        # sysfs shows the interfaces of the namespace in which it was mounted.
        self.run("mount", "-t", "sysfs", "none", "/sys", place=name)
        self.put(name, "hosts", "127.0.0.1 localhost\n")
        self.run("ip", "link", "set", "lo", "up", place=name)

    def _connect(self):
        """Creates the two links; the client has no address before `join`."""
        client, gateway, far = (str(self.holders[name].pid) for name in ("client", "gateway", "internet"))
        self.run("ip", "link", "add", "eth0", "netns", client, "type", "veth", "peer", "name", "lan", "netns", gateway)
        self.run("ip", "link", "add", "eth0", "netns", far, "type", "veth", "peer", "name", "wan", "netns", gateway)
        for place, device, address in (("gateway", "lan", f"{GATEWAY}/24"), ("gateway", "wan", "203.0.113.1/24"),
                                       ("internet", "eth0", "203.0.113.2/24")):
            self.run("ip", "address", "add", address, "dev", device, place=place)
            self.run("ip", "link", "set", device, "up", place=place)
        self.run("ip", "link", "set", "eth0", "up", place="client")
        # Without a rate limit for ICMP messages, each rejected connection fails at once, however many there are.
        self.run("sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.icmp_ratelimit=0", place="gateway")
        # As systemd sets it; a new namespace allows no echo requests.
        self.run("sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647", place="client")
        self.run("ip", "route", "add", "default", "via", "203.0.113.2", place="gateway")
        self.run("ip", "route", "add", NETWORK, "via", "203.0.113.1", place="internet")
        self.run("ip", "route", "add", "local", "198.51.100.0/24", "dev", "lo", place="internet")
        self.run("ip", "route", "add", "blackhole", internet.ADDRESSES["dns.msftncsi.com"], place="internet")

    def _enter(self, place):
        path = ["env", f"PATH={self.folder}/{place}/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        return ["nsenter", f"--target={self.holders[place].pid}", "--net", "--mount", *path] if place else []

    def run(self, *command, place=None, accept=(0,)):
        """The output of a program that must succeed."""
        done = subprocess.run([*self._enter(place), *command], capture_output=True, text=True)
        if done.returncode not in accept:
            raise Failed(f"{' '.join(map(str, command))}: {done.stdout[-300:]} {done.stderr[:600]}")
        return done.stdout

    def start(self, name, place, *command):
        """Starts a program in the foreground."""
        with open(self.folder / f"{name}.log", "wb") as log:
            self.processes[name] = subprocess.Popen(
                [*self._enter(place), *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self.processes[name]

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def put(self, place, name, text, executable=False):
        """Writes a file into /etc of a place, or a program into its path."""
        root = self.folder / place if executable else Path(f"/proc/{self.holders[place].pid}/root/etc")
        (root / name).write_text(text)
        (root / name).chmod(0o755 if executable else 0o644)

    def resolve(self, *lines):
        """Restarts the gateway's dnsmasq, with additional lines."""
        self.put("gateway", "dnsmasq.conf", RESOLVER + "".join(f"{line}\n" for line in lines))
        self.run("systemctl", "restart", "dnsmasq", place="gateway")

    def join(self):
        """Gets the client's address by DHCP, with the name server and the announcements."""
        self.put("client", "dhcp/dhclient.conf", DHCLIENT)
        self.run("dhclient", "-1", "-v", "eth0", place="client")
        if not until(lambda: self.get("http://captive.apple.com/hotspot-detect.html")):
            raise Failed("nothing responds to the client")

    def get(self, *arguments):
        """The output of curl for a URL, run by the client; empty if there is no response."""
        return self.run("curl", "-sS", "-m", "10", "--cacert", self.authority.file, *arguments, place="client", accept=range(100))

    def check(self, statement, holds, found=""):
        """Prints whether a statement holds, and what was found instead."""
        self.wrong += not holds
        print("  ok  " if holds else "  FAIL", statement, "" if holds else f": {str(found)[:2000]}", flush=True)

    def command(self, *options):
        return [self.probekit, "portal", "--format", "json", "--cacert", self.authority.file, *options]

    def report(self, stage, *options):
        """Runs `probekit portal`, and compares the report with the expected one."""
        command = [*self._enter("client"), *self.command(*options)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return self.compare(stage, done.returncode, done.stdout, done.stderr)

    def watch(self, stage, *steps):
        """Runs `probekit portal --watch`, and takes a step after each stage that it reports; the last one ends the session."""
        process = self.start("watch", "client", *self.command("--watch", "--output", self.folder / "watch.json"))
        for number, step in enumerate(steps, 1):
            reported = until(lambda: process.poll() is not None or len(self.log("watch").splitlines()) >= number, 120)
            self.check(f"{stage}: stage {number} is reported", reported and process.poll() is None, self.log("watch"))
            step()
        try:
            status = process.wait(120)
        except subprocess.TimeoutExpired:
            raise Failed(f"the watch does not end: {self.log('watch')}") from None
        del self.processes["watch"]
        return self.compare(stage, status, (self.folder / "watch.json").read_text(), self.log("watch"))

    def compare(self, stage, status, output, errors):
        """Compares a report with the expected one; returns it."""
        try:
            report = json.loads(output)
        except ValueError:
            raise Failed(f"no report for {stage}, exit code {status}: {output[:500]}{errors[-1500:]}") from None
        severe = any(finding["severity"] == "error" for finding in report["findings"])
        self.check(f"{stage}: the exit code matches the findings", status == (1 if severe else 0), status)
        golden, found = HERE / "expected" / f"{self.name}-{stage}.txt", summary(report)
        if self.update:
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(found)
        expected = golden.read_text() if golden.exists() else ""
        self.check(f"{stage}: the report is the expected one", found == expected, f"\n{found}")
        return report


def summary(report):
    """A line for the verdict, and for each stage, engine, finding, name and leak."""
    lines = [f"{report['verdict']} {report.get('loginURL') or '-'}"]
    lines += [" ".join([stage["stage"], stage["verdict"], *stage["findings"]]) for stage in report["stages"]]
    lines += [f"{engine['profile']}: {engine['verdict']} {engine.get('opens') or '-'}" for engine in report["engines"]]
    lines += [f"{finding['severity']}: {finding['id']}" for finding in report["findings"]]
    lines += [f"name {name['name']}: http {name['http']}, https {name['https']}, dns {name['dns']}" for name in report["names"]]
    lines += [f"leak {leak['url']}: {leak['passes']}" for leak in report["leaks"]]
    # openNDS sends a new query with each redirect.
    return re.sub(r"\bfas=[^&\s]*", "fas=…", "".join(f"{line}\n" for line in lines))
