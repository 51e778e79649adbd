"""Exim, with a certificate for each address."""

import contextlib

from service import Case, CERTIFIED, HOSTS, pipeline, server

PROGRAMS = ["exim4"]

CONFIGURATION = """
primary_hostname = mail.example
local_interfaces = {addresses}
daemon_smtp_ports = 25
tls_advertise_hosts = ${{if exists{{{folder}/$received_ip_address.pem}}{{*}}{{}}}}
tls_certificate = {folder}/$received_ip_address.pem
spool_directory = {folder}/spool
log_file_path = {folder}/log-%s
acl_smtp_rcpt = deny
smtp_accept_max = 0
begin acl
deny:
  deny
"""

DIALOG = [
    {"expect": {"matches": r"(?m)^220 .*\r\n"}},
    {"send": "EHLO probe.example\r\n"},
    {"expect": {"matches": r"(?m)^250 .*\r\n"}},
]


@contextlib.contextmanager
def started(folder, ca):
    for host in CERTIFIED:
        (folder / f"{HOSTS[host]}.pem").write_text(ca.path(host, "pem").read_text())
    file = folder / "configuration"
    addresses = " : ".join(sorted(set(HOSTS.values())))
    file.write_text(CONFIGURATION.format(folder=folder, addresses=addresses))
    folder.chmod(0o777)
    file.chmod(0o644)
    with server(["exim4", "-bdf", "-C", file], HOSTS["plain.example"], 25, folder / "output"):
        yield


def cases(folder, ca):
    return [Case("greeting", pipeline("smtp", "tcp://plain.example:25", dialog=DIALOG), ["accepted"], "online")]
