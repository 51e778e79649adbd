"""PostgreSQL."""

import contextlib
import glob
import os
import shutil
import subprocess

from service import CERTIFIED, HOSTS, Failed, give, server, upgrade_cases

# Debian installs it outside of PATH.
os.environ["PATH"] = ":".join([*glob.glob("/usr/lib/postgresql/*/bin"), os.environ["PATH"]])
PROGRAMS = ["postgres", "initdb"]
PORT = 5432
USER = "postgres"


def create(folder):
    """Creates the data folder of a server."""
    folder.mkdir()
    give(folder, USER)
    done = subprocess.run(
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "initdb", "--no-sync", "-A", "trust", "-D",
         folder], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        raise Failed(f"initdb: {done.stderr}")


def running(folder, address, pem=None):
    """Runs the server of a folder, with TLS if there is a file with its certificate and key."""
    settings = {"listen_addresses": address, "unix_socket_directories": "", "port": PORT, "fsync": "off"}
    if pem:
        copy = folder / "server.pem"
        shutil.copy(pem, copy)
        copy.chmod(0o600)
        settings |= {"ssl": "on", "ssl_cert_file": copy, "ssl_key_file": copy}
    give(folder, USER)
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    return server(["postgres", "-D", folder, *options], address, PORT, f"{folder}.log", USER)


@contextlib.contextmanager
def started(folder, ca):
    first, *others = [folder / host for host in (*CERTIFIED, "plain.example")]
    create(first)
    for other in others:
        shutil.copytree(first, other)
    with contextlib.ExitStack() as stack:
        for one in [first, *others]:
            pem = ca.path(one.name, "pem") if one.name in CERTIFIED else None
            stack.enter_context(running(one, HOSTS[one.name], pem))
        yield


def cases(folder, ca):
    return upgrade_cases(ca, "postgresql", PORT, plain="failed dialog.rejected")
