"""The network of a check: its places, host names, processes and their logs."""

import os
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

SERVE = "127.0.0.1:9115"
TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A check cannot continue."""


def get(url, data=None):
    """The status and the text of a response; None as the status if there is none."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, data, timeout=20) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return None, str(error)


def until(found, seconds=30):
    """Repeats a function until its result is true, and returns the last result."""
    end = time.monotonic() + seconds
    while not (result := found()) and time.monotonic() < end:
        time.sleep(0.05)
    return result


class World:
    """What a check starts, all of which ends with its namespaces."""

    def __init__(self, probekit, folder):
        self.probekit, self.folder, self.wrong, self.processes = probekit, Path(folder), 0, {}
        # The folders for files of ip and nginx, regardless of the user.
        for folder in ("/run", "/var/lib/nginx"):
            self.run("mount", "-t", "tmpfs", "none", folder)
        self.run("ip", "link", "set", "lo", "up")

    def run(self, *command, place=None):
        result = subprocess.run([*self._enter(place), *command], capture_output=True, text=True)
        if result.returncode:
            raise Failed(f"{' '.join(command)}: {result.stderr}")

    @staticmethod
    def _enter(place):
        return ["nsenter", f"--net=/run/netns/{place}"] if place else []

    def check(self, statement, holds, found=""):
        """Prints whether a statement holds, and what was found instead."""
        self.wrong += not holds
        print("  ok  " if holds else "  FAIL", statement, "" if holds else f": {str(found)[:400]}", flush=True)

    def file(self, name, text):
        """Writes a file as a whole, and returns its path."""
        path = self.folder / name
        path.with_suffix(".new").write_text(text)
        return path.with_suffix(".new").replace(path)

    def hosts(self, **addresses):
        """Replaces the host names of the machine: example.com is written as `example_com`."""
        lines = [f"{address} {name.replace('_', '.')}\n" for name, address in addresses.items()]
        self.run("mount", "--bind", str(self.file("hosts", "".join(lines))), "/etc/hosts")

    def bridge(self, *addresses):
        """Creates the network between the places, with the addresses of this namespace."""
        self.run("ip", "link", "add", "between", "type", "bridge")
        for address in addresses:
            self.run("ip", "address", "add", f"{address}/24", "dev", "between")
        self.run("ip", "link", "set", "between", "up")

    def place(self, name, address):
        """Creates a network namespace at the bridge."""
        self.run("ip", "netns", "add", name)
        self.run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        self.run("ip", "link", "set", name, "master", "between", "up")
        self.run("ip", "address", "add", f"{address}/24", "dev", "eth0", place=name)
        for device in ("eth0", "lo"):
            self.run("ip", "link", "set", device, "up", place=name)

    def start(self, name, *command, ready=None, place=None):
        """Starts a program, and waits until it is ready."""
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen([*self._enter(place), *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.processes[name] = process
        if ready and not until(lambda: ready() or process.poll() is not None) or process.poll() is not None:
            raise Failed(f"{name} does not start")
        return process

    def serve(self, modules, *pipelines, name="serve", place=None):
        """Starts `probekit serve` at its default address."""
        configuration = self.file(f"{name}.yml", modules)
        return self.start(
            name, self.probekit, "serve", "--config.file", str(configuration), *map(str, pipelines), place=place,
            ready=lambda: "listening on" in self.log(name))

    def web(self, listen, *names):
        """Starts a lightweight web server, one process; with host names, it uses TLS and a self-signed certificate."""
        self.ca, key = self.folder / "web.pem", self.folder / "web.key"
        if names:
            self.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                     "-subj", "/CN=web", "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names),
                     "-out", str(self.ca), "-keyout", str(key))
        tls = f"ssl_certificate {self.ca}; ssl_certificate_key {key};" if names else ""
        pid = self.folder / "nginx.pid"
        configuration = self.file(
            "nginx.conf",
            f"user root; daemon off; master_process off; pid {pid}; error_log {self.folder}/nginx.log;\n"
            f"events {{ worker_connections 8192; }}\nhttp {{ access_log off; server {{ "
            f"listen {listen} {'ssl' if tls else ''} backlog=4096; {tls} return 200; }} }}\n")
        return self.start("nginx", "nginx", "-c", str(configuration), ready=pid.exists)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def cpu(self):
        """The CPU seconds so far of each process, and of the whole machine without its idle time."""
        seconds = {}
        for name, process in self.processes.items():
            fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            seconds[name] = (int(fields[11]) + int(fields[12])) / TICKS
        user, nice, system, _, _, *others = map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9])
        return seconds | {"machine": (user + nice + system + sum(others)) / TICKS}
