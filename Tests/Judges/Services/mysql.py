"""MariaDB."""

import contextlib
import shutil
import subprocess

from service import CERTIFIED, HOSTS, Failed, give, server, upgrade_cases

PROGRAMS = ["mariadbd", "mariadb-install-db"]
PORT = 3306
USER = "mysql"
SMALL = ["--innodb-log-file-size=4M", "--innodb-buffer-pool-size=8M", "--innodb-flush-method=fsync"]


@contextlib.contextmanager
def started(folder, ca):
    give(folder, USER)
    first, common = folder / "valid.example", [*SMALL, f"--tmpdir={folder}"]
    done = subprocess.run(
        ["mariadb-install-db", "--no-defaults", f"--user={USER}", f"--datadir={first}", "--skip-test-db",
         "--auth-root-authentication-method=normal", *common], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"mariadb-install-db: {done.stdout}{done.stderr}")
    with contextlib.ExitStack() as stack:
        hosts = [*CERTIFIED, "plain.example"]
        for host in hosts[1:]:
            shutil.copytree(first, folder / host)
            give(folder / host, USER)
        for host in hosts:
            options = ["--skip-ssl"]
            if host in CERTIFIED:
                options = [f"--ssl-cert={ca.path(host, 'crt')}", f"--ssl-key={ca.path(host, 'key')}"]
            stack.enter_context(server(
                ["mariadbd", "--no-defaults", f"--user={USER}", f"--datadir={folder / host}", *common,
                 f"--bind-address={HOSTS[host]}", f"--port={PORT}", f"--socket={folder / host}/socket",
                 f"--pid-file={folder / host}/pid", *options], HOSTS[host], PORT, folder / f"{host}.log"))
        yield


def cases(folder, ca):
    return upgrade_cases(ca, "mysql", PORT, plain="failed tls.notTLS")
