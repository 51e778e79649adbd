"""The network of an engine: two network namespaces, with a replayed fixture behind the gateway.

The namespaces have no route out. The namespace of this process is the engine's; in the other one, the gateway, every
address and port is redirected to `probekit replay`.
"""

import contextlib
import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

from names import NameServer

# Benchmarking addresses (RFC 2544, RFC 5180), which no fixture uses.
ENGINE, GATEWAY = "198.18.0.2", "198.18.0.1"
ENGINE_V6, GATEWAY_V6 = "2001:2::2", "2001:2::1"
INTERFACE = "eth0"
# The port of Chromium's page with an invalid certificate, which is not part of the fixture.
OWN_PORT = 65443

# Everything is private to the process: its mounts, its processes and its network.
APART = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]

RULES = f"""
table inet replay {{
  set tls {{ type inet_service; }}
  chain prerouting {{
    type nat hook prerouting priority dstnat;
    tcp dport {OWN_PORT} return
    tcp dport 53 return
    tcp dport @tls redirect to :443
    tcp dport 1-65535 redirect to :80
  }}
}}
"""


def apart():
    """The command that starts another one in separate namespaces."""
    return APART if os.geteuid() == 0 else [*APART, "--map-root-user"]


def run(*command, **options):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **options)


@contextlib.contextmanager
def gateway():
    """Enters the network namespace of the gateway, for the sockets that are created in the meantime."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/thread-self/ns/net") as here, open("/run/netns/gateway") as there:
        if libc.setns(there.fileno(), 0):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            yield
        finally:
            if libc.setns(here.fileno(), 0):
                sys.exit("cannot return to the engine's network namespace")


class Network:
    """Both namespaces. To be entered once, in a process that was started by `apart`."""

    def __init__(self, probekit):
        self._probekit = probekit
        # On an in-memory file system that disappears with the mount namespace.
        self.folder = Path("/run/engine")
        self._replay = None

    def __enter__(self):
        self.cover("/run")
        # A read-only /sys keeps NetworkManager and ConnMan from waiting for udev.
        run("mount", "-t", "sysfs", "-o", "ro", "sysfs", "/sys")
        self.folder.mkdir()
        Path("/run/lock").mkdir()
        self.replace("/etc/resolv.conf", f"nameserver {GATEWAY}\noptions timeout:5 attempts:1\n")
        run("ip", "link", "set", "lo", "up")
        run("ip", "netns", "add", "gateway")
        run("ip", "link", "add", INTERFACE, "type", "veth", "peer", "name", INTERFACE, "netns", "gateway")
        self._in_gateway("ip", "link", "set", "lo", "up")
        self._in_gateway("ip", "link", "set", INTERFACE, "up")
        self._in_gateway("ip", "address", "add", f"{GATEWAY}/30", "dev", INTERFACE)
        self._in_gateway("ip", "address", "add", f"{GATEWAY_V6}/64", "dev", INTERFACE, "nodad")
        run("ip", "address", "add", f"{ENGINE}/30", "dev", INTERFACE)
        run("ip", "link", "set", INTERFACE, "up")
        run("ip", "address", "add", f"{ENGINE_V6}/64", "dev", INTERFACE, "nodad")
        run("ip", "route", "add", "default", "via", GATEWAY)
        run("ip", "route", "add", "default", "via", GATEWAY_V6)
        self._in_gateway("nft", "-f", "-", input=RULES)
        with gateway():
            self.names = NameServer(GATEWAY)
        return self

    def __exit__(self, *_):
        self._stop()
        self.names.close()

    def replace(self, path, text):
        """Replaces the file at a path, for this process and its children only."""
        file = self.folder / path.strip("/").replace("/", "-")
        file.write_text(text)
        real = Path(path).resolve()
        if not real.exists():
            # In /run, which is empty now.
            real.parent.mkdir(parents=True, exist_ok=True)
            real.touch()
        run("mount", "--bind", file, real)

    @staticmethod
    def cover(path):
        """Covers a path with an empty folder, for this process and its children only."""
        run("mount", "-t", "tmpfs", "tmpfs", path)
        return Path(path)

    def environment(self):
        """The environment of a program that keeps all its files in the network's folder."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
        return kept | {name: str(self.folder) for name in ("HOME", "TMPDIR", "XDG_RUNTIME_DIR")}

    @staticmethod
    def _inside(*command):
        return ["ip", "netns", "exec", "gateway", *command]

    def _in_gateway(self, *command, input=None):
        subprocess.run(self._inside(*command), input=input, text=True, check=True)

    def _stop(self):
        if self._replay:
            self._replay.kill()
            self._replay.wait()
            self._replay.stdout.close()
            self._replay = None

    @contextlib.contextmanager
    def replayed(self, folder):
        """Replays the fixture of a folder in the network.

        :returns: the certificate authority's file.
        """
        document = yaml.safe_load((folder / "fixture.yaml").read_text())
        ports = tls_ports(folder)
        elements = f"add element inet replay tls {{ {', '.join(map(str, ports))} }}\n"
        self._in_gateway("nft", "-f", "-", input=f"flush set inet replay tls\n{elements}")
        self.names.answers = document.get("dns") or {}
        log = self.folder / "replay.log"
        with open(log, "wb") as errors:
            self._replay = subprocess.Popen(
                self._inside(
                    self._probekit, "replay", "--format", "json", "--listen", "::", "--http-port", "80",
                    "--https-port", "443", folder),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=self.environment())
        line = self._replay.stdout.readline()
        if not line:
            sys.exit(f"cannot replay {folder}: {log.read_text()}")
        try:
            yield Path(json.loads(line)["ca"])
        finally:
            self._stop()


def tls_ports(folder):
    """The ports of the https:// URLs in the files of a fixture, and 443."""
    ports = {443}
    for file in folder.iterdir():
        if file.is_file():
            ports |= {int(port) for port in re.findall(rb"https://[^/\s\"']*:(\d{1,5})(?!\d)", file.read_bytes())}
    return sorted(port for port in ports if 0 < port < 65536)
