"""Exim."""

import contextlib

from service import HOSTS, certificates_by_address, direct_cases, give, server, upgrade_cases

PROGRAMS = ["exim4"]
PORT, TLS_PORT = 25, 465

CONFIGURATION = """
primary_hostname = mail.example
local_interfaces = {addresses}
daemon_smtp_ports = {port} : {tls_port}
tls_on_connect_ports = {tls_port}
tls_advertise_hosts = ${{if exists{{{folder}/$received_ip_address.pem}}{{*}}{{}}}}
tls_certificate = {folder}/$received_ip_address.pem
spool_directory = {folder}/spool
log_file_path = {folder}/spool/log-%s
"""


@contextlib.contextmanager
def started(folder, ca):
    certificates_by_address(folder, ca)
    file = folder / "configuration"
    addresses = " : ".join(sorted(set(HOSTS.values())))
    file.write_text(CONFIGURATION.format(folder=folder, addresses=addresses, port=PORT, tls_port=TLS_PORT))
    # The configuration must be owned by root.
    (folder / "spool").mkdir()
    give(folder / "spool", "Debian-exim")
    with server(["exim4", "-bdf", "-C", file], HOSTS["plain.example"], PORT, folder / "output"):
        yield


def cases(folder, ca):
    return [
        *upgrade_cases(ca, "smtp-starttls", PORT, plain="failed dialog.rejected"),
        *direct_cases(ca, TLS_PORT, validate={"startsWith": "220 mail.example "})]
