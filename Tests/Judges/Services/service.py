"""Shared parts of the services: cases, names, the certificate authority, and processes.

A service is a module of this folder with

- `PROGRAMS`, the programs that must be installed,
- `started(folder, ca)`, a context manager that starts its servers, with files in `folder` only,
- `cases(folder, ca)`, a list of `Case` for the started servers.

All of it runs in network and mount namespaces without a route out, so servers use their usual ports on loopback.
"""

import contextlib
import json
import os
import pwd
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent.parent
# Each host has an address, and a certificate with a property. The certificate of wrong.example is for valid.example.
HOSTS = {
    "valid.example": "127.0.0.2", "wrong.example": "127.0.0.2", "expired.example": "127.0.0.3",
    "untrusted.example": "127.0.0.4", "plain.example": "127.0.0.5",
}
# The hosts with their own certificate.
CERTIFIED = ("valid.example", "expired.example", "untrusted.example")
CA_CONFIGURATION = """
[ca]
default_ca = own
[own]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
"""
# Runs a command in separate namespaces without a route out; nothing that it starts or mounts remains.
APART = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# The time limit for a server to start, in seconds.
LIMIT = 60


class Case(NamedTuple):
    """A pipeline, and the expected result of each of its probes, in order.

    A result is `accepted`, or the outcome and the reason code, such as `failed tls.expired`.
    """

    name: str
    pipeline: str
    expected: list
    # The expected verdict, or None for any.
    verdict: str | None = None


class Failed(Exception):
    """A server or a tool did not start, or failed."""


class Authority:
    """A certificate authority in a folder: `ca.pem`, and for each host a certificate and its key, NAME.crt, NAME.key.

    NAME.pem has both. All users can read the files, because servers run as other users.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.file = self.folder / "ca.pem"
        for name in ("ca", "other"):
            self._openssl(
                "req", "-x509", "-newkey", "rsa:2048", "-noenc", "-keyout", f"{name}.key", "-out", f"{name}.pem",
                "-subj", f"/CN=ProbeKit {name}", "-days", "30")
        (self.folder / "ca.conf").write_text(CA_CONFIGURATION)
        self.issue("valid.example")
        self.issue("expired.example", (-30, -1))
        self.issue("untrusted.example", authority="other")

    def issue(self, host, days=(-1, 30), authority="ca", names=()):
        """Issues a certificate for a host and more names; `days` is its validity, relative to now."""
        start, end = (time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + day * 86400)) for day in days)
        self._openssl(
            "req", "-newkey", "rsa:2048", "-noenc", "-keyout", f"{host}.key", "-out", f"{host}.csr",
            "-subj", f"/CN={host}", "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in [host, *names]))
        (self.folder / "index").write_text("")
        self._openssl(
            "ca", "-config", "ca.conf", "-batch", "-notext", "-rand_serial", "-in", f"{host}.csr", "-out",
            f"{host}.crt", "-cert", f"{authority}.pem", "-keyfile", f"{authority}.key", "-startdate", start,
            "-enddate", end)
        self.path(host, "pem").write_text("".join(self.path(host, kind).read_text() for kind in ("crt", "key")))
        for kind in ("key", "pem"):
            self.path(host, kind).chmod(0o644)

    def path(self, host, kind):
        """The file of a host: kind is crt, key or pem."""
        return self.folder / f"{host}.{kind}"

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"openssl {arguments[0]}: {done.stderr}")


def prepare_network(hosts):
    """Brings up loopback in the namespaces of APART, and maps host names to their addresses."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # Only this process and its children see these files.
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    file, lines = Path("/run/hosts"), ["127.0.0.1 localhost", "::1 localhost"]
    file.write_text("\n".join([*lines, *(f"{address} {host}" for host, address in hosts.items()), ""]))
    subprocess.run(["mount", "--bind", file, "/etc/hosts"], check=True)


@contextlib.contextmanager
def server(command, address, port, log, user=None, **options):
    """Runs a server in the foreground, and waits until it accepts connections.

    `user` is the name of the user to run as.
    """
    if user:
        command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *command]
    with open(log, "ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
    try:
        wait(process, address, port, log)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait(process, address, port, log):
    """Waits until a server accepts connections."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError):
            socket.create_connection((address, port), 1).close()
            return
        time.sleep(0.02)
    raise Failed(f"{process.args[0]} did not start:\n{Path(log).read_text(errors='replace')}")


def give(folder, user):
    """Makes a user the owner of a folder and everything in it."""
    entry = pwd.getpwnam(user)
    for place in [folder, *Path(folder).rglob("*")]:
        os.chown(place, entry.pw_uid, entry.pw_gid)


def missing(programs):
    """The programs that are not installed."""
    return [program for program in programs if not shutil.which(program)]


def certificates_by_address(folder, ca):
    """Writes ADDRESS.pem into a folder for each host that has a certificate."""
    for host in CERTIFIED:
        shutil.copy(ca.path(host, "pem"), folder / f"{HOSTS[host]}.pem")


def dialog(name):
    """The steps of a dialog in Examples/dialogs."""
    return json.loads((ROOT / "Examples/dialogs" / f"{name}.json").read_text())


def pipeline(name, url, ca=None, dialog=None, clientCertificate=None, **settings):
    """The text of a pipeline with one URL. `settings` are keys of its set."""
    request = {"timeout": "3s", "ca": ca and str(ca.file), "dialog": dialog, "clientCertificate": clientCertificate}
    return json.dumps({
        "version": 1, "name": name, "policy": {"https": "optional"},
        "request": {key: value for key, value in request.items() if value},
        "sets": [{"name": name, "urls": [url]} | settings]}, indent=2)


def direct_cases(ca, port, **settings):
    """The cases of a server that starts with TLS. `settings` are keys of the set where the certificate is valid."""

    def case(name, host, expected, **settings):
        return Case(f"{name} on port {port}", pipeline("direct", f"tls://{host}:{port}", ca, **settings), [expected])

    return [
        case("TLS", "valid.example", "accepted", **settings),
        case("a wrong name", "wrong.example", "failed tls.wrongHost"),
        case("an expired certificate", "expired.example", "failed tls.expired"),
        case("an untrusted certificate", "untrusted.example", "failed tls.untrusted"),
    ]


def upgrade_cases(ca, steps, port, plain):
    """The cases of a server that starts TLS within its protocol.

    `steps` is the name of an example dialog, or a function from the host to its steps. `plain` is the result if the
    server has no TLS.
    """
    make = steps if callable(steps) else lambda host: dialog(steps)

    def case(name, host, expected, ca=ca, **settings):
        return Case(name, pipeline("starttls", f"tcp://{host}:{port}", ca, make(host), **settings), [expected])

    return [
        case("STARTTLS", "valid.example", "accepted"),
        case("a wrong name", "wrong.example", "failed tls.wrongHost"),
        case("an expired certificate", "expired.example", "failed tls.expired"),
        case("an untrusted certificate", "untrusted.example", "failed tls.untrusted"),
        case("an unknown authority", "valid.example", "failed tls.untrusted", None),
        case("no STARTTLS", "plain.example", plain),
        case("valid for long enough", "valid.example", "accepted", validate={"certificate": {"expiresAfter": "14d"}}),
        case("valid for too short", "valid.example", "failed tls.expiresSoon", validate={"certificate": "60d"}),
    ]
