"""PostgreSQL."""

import contextlib
import glob
import os
import shutil
import subprocess

from service import CERTIFIED, HOSTS, Failed, give, server, upgrade_cases

# Debian has it outside of the path.
os.environ["PATH"] = ":".join([*glob.glob("/usr/lib/postgresql/*/bin"), os.environ["PATH"]])
PROGRAMS = ["postgres", "initdb"]
PORT = 5432
USER = "postgres"


@contextlib.contextmanager
def started(folder, ca):
    give(folder, USER)
    first = folder / "valid.example"
    done = subprocess.run(
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", "initdb", "--no-sync", "-A", "trust", "-D",
         first], capture_output=True, text=True, cwd=folder)
    if done.returncode:
        raise Failed(f"initdb: {done.stderr}")
    with contextlib.ExitStack() as stack:
        hosts = [*CERTIFIED, "plain.example"]
        for host in hosts[1:]:
            shutil.copytree(first, folder / host)
        for host in hosts:
            settings = {"listen_addresses": HOSTS[host], "unix_socket_directories": "", "port": PORT, "fsync": "off"}
            if host in CERTIFIED:
                for kind in ("crt", "key"):
                    copy = folder / host / f"server.{kind}"
                    shutil.copy(ca.path(host, kind), copy)
                    copy.chmod(0o600)
                settings["ssl"] = "on"
            give(folder / host, USER)
            options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
            stack.enter_context(server(
                ["postgres", "-D", folder / host, *options], HOSTS[host], PORT, folder / f"{host}.log", USER))
        yield


def cases(folder, ca):
    return upgrade_cases(ca, "postgresql", PORT, plain="failed dialog.rejected")
