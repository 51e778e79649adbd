"""OpenLDAP without a directory. It uses GnuTLS."""

import contextlib

from service import CERTIFIED, HOSTS, direct_cases, server, upgrade_cases

PROGRAMS = ["slapd"]
PORT, TLS_PORT = 389, 636


@contextlib.contextmanager
def started(folder, ca):
    with contextlib.ExitStack() as stack:
        for host in [*CERTIFIED, "plain.example"]:
            lines = [f"pidfile {folder}/{host}.pid", f"argsfile {folder}/{host}.args"]
            places = f"ldap://{HOSTS[host]}:{PORT}"
            if host in CERTIFIED:
                places += f" ldaps://{HOSTS[host]}:{TLS_PORT}"
                lines += [
                    f"TLSCertificateFile {ca.path(host, 'crt')}", f"TLSCertificateKeyFile {ca.path(host, 'key')}"]
            file = folder / f"{host}.conf"
            file.write_text("\n".join([*lines, ""]))
            stack.enter_context(server(
                ["slapd", "-d", "0", "-h", places, "-f", file], HOSTS[host], PORT,
                folder / f"{host}.log"))
        yield


def cases(folder, ca):
    return [*upgrade_cases(ca, "ldap", PORT, plain="failed dialog.rejected"), *direct_cases(ca, TLS_PORT)]
