"""The plugins, each with arguments for the result OK and for another result."""

import os
import time
from typing import NamedTuple

from servers import HOST, KEY, NAME_SERVER, PLAIN

# A port on which nothing listens.
CLOSED = "9"
DUMMY = "/usr/lib/nagios/plugins/check_dummy"


class Case(NamedTuple):
    """A plugin with arguments; FOLDER in them means a folder that only one run uses."""

    plugin: str
    arguments: list
    is_ok: bool

    def command(self, folder):
        return [self.plugin, *(argument.replace("FOLDER", str(folder)) for argument in self.arguments)]


# Arguments for the result OK, and for another one: a server that is down, or a threshold that is exceeded.
ARGUMENTS = {
    "check_http": (f"-I {HOST} -u /", f"-I {HOST} -u / -s nothing"),
    "check_tcp": (f"-H {HOST} -p 80", f"-H {HOST} -p {CLOSED}"),
    "check_ssh": (f"-H {HOST}", f"-p {CLOSED} {HOST}"),
    "check_by_ssh": (
        ["-H", HOST, "-i", KEY, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-q", "-C",
         f"{DUMMY} 0 fine"],
        ["-H", HOST, "-i", KEY, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-q", "-C",
         f"{DUMMY} 2 broken"]),
    "check_smtp": (f"-H {HOST}", f"-H {HOST} -e 221"),
    "check_ssmtp": (f"-H {HOST} -p 465 -S", f"-H {PLAIN} -p 25 -S"),
    "check_imap": (f"-H {HOST}", f"-H {HOST} -p {CLOSED}"),
    "check_simap": (f"-H {HOST}", f"-H {HOST} -e BYE"),
    "check_pop": (f"-H {HOST}", f"-H {HOST} -p {CLOSED}"),
    "check_spop": (f"-H {HOST} -D 10", f"-H {HOST} -D 90"),
    "check_ftp": (f"-H {HOST}", f"-H {HOST} -p {CLOSED}"),
    "check_jabber": (f"-H {PLAIN}", f"-H {PLAIN} -p {CLOSED}"),
    "check_ldap": (["-3", "-H", HOST, "-b", ""], ["-3", "-H", HOST, "-b", "", "-p", CLOSED]),
    "check_pgsql": (f"-H {PLAIN} -d postgres -l postgres", f"-H {PLAIN} -d nothing -l postgres"),
    "check_mysql": (f"-H {PLAIN} -u root", f"-H {PLAIN} -u nobody"),
    "check_mysql_query": (
        ["-H", PLAIN, "-u", "root", "-q", "SELECT 7", "-w", "0:8", "-c", "0:9"],
        ["-H", PLAIN, "-u", "root", "-q", "SELECT 7", "-w", "0:5", "-c", "0:9"]),
    "check_dns": (
        f"-H mail.probekit.test -s {NAME_SERVER} -a 192.0.2.25", f"-H mail.probekit.test -s {NAME_SERVER} -a 192.0.2.7"),
    "check_dig": (
        f"-H {NAME_SERVER} -l mail.probekit.test -a 192.0.2.25", f"-H {NAME_SERVER} -l mail.probekit.test -a 192.0.2.7"),
    "check_ntp_time": (f"-H {HOST}", f"-H {HOST} -p {CLOSED} -t 3"),
    "check_snmp": (f"-H {HOST} -C public -o .1.3.6.1.2.1.1.5.0", f"-H {HOST} -C public -o .1.3.6.1.2.1.1.5.0 -s nothing"),
    "check_ping": (f"-H {HOST} -w 500,20% -c 1000,40% -p 2", f"-H {HOST} -w 0.0001,20% -c 0.0002,40% -p 2"),
    "check_icmp": (f"-H {HOST} -n 2", "-H 192.0.2.1 -n 1 -t 2"),
    "check_fping": (f"-H {HOST} -n 2", f"-H {HOST} -n 2 -w 0.0001,20% -c 0.0002,40%"),
    "check_disk": ("-w 0% -c 0% -p /", "-w 100% -c 0% -p /"),
    "check_load": ("-w 999,999,999 -c 999,999,999", "-w 0,0,0 -c 999,999,999"),
    "check_procs": ("-w 1:9999 -c 1:9999", "-w 1:9999 -c 9999:"),
    "check_users": ("-w 99 -c 999", "-w 5:9 -c 0:999"),
    "check_swap": ("-w 1% -c 0% -n ok", "-w 1% -c 0% -n warning"),
    "check_file_age": ("-f FOLDER/new -w 3600 -c 7200", "-f FOLDER/old -w 60 -c 99999999"),
    "check_log": ("-F FOLDER/quiet -O FOLDER/quiet.seen -q panic", "-F FOLDER/loud -O FOLDER/loud.seen -q panic"),
    "check_cluster": ("--service -l web -w 0 -c 1 -d 0,0,0", "--service -l web -w 0 -c 1 -d 0,2,2"),
    "check_dummy": (["0", "all is well"], ["3", "no one knows"]),
    "negate": ([DUMMY, "2", "down"], [DUMMY, "0", "up"]),
}
PLUGINS = list(ARGUMENTS)


def prepare(folder):
    """Writes the files of FOLDER."""
    folder.mkdir()
    (folder / "new").write_text("new\n")
    (folder / "old").write_text("old\n")
    os.utime(folder / "old", (time.time() - 3600,) * 2)
    for name in ("quiet", "loud"):
        (folder / f"{name}.seen").write_text("start\n")
    (folder / "quiet").write_text("start\nall is well\n")
    (folder / "loud").write_text("start\npanic in the cellar\n")


def cases(folder):
    def words(arguments):
        return arguments.split() if isinstance(arguments, str) else [word.replace("BASE", str(folder)) for word in arguments]

    return [
        Case(plugin, words(arguments), is_ok)
        for plugin, both in ARGUMENTS.items() for arguments, is_ok in zip(both, (True, False))]
