"""Dovecot, with IMAP."""

import contextlib

from service import CERTIFIED, HOSTS, direct_cases, server, upgrade_cases

PROGRAMS = ["dovecot"]
PORT, TLS_PORT = 143, 993

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = {addresses}
ssl = yes
ssl_cert = <{plain_crt}
ssl_key = <{plain_key}
mail_location = maildir:{folder}/mail
default_login_user = dovenull
default_internal_user = dovecot
passdb {{
  driver = static
  args = nopassword=y
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
{locals}
"""
LOCAL = """
local {address} {{
  ssl_cert = <{crt}
  ssl_key = <{key}
}}
"""


@contextlib.contextmanager
def started(folder, ca):
    texts = [
        LOCAL.format(address=HOSTS[host], crt=ca.path(host, "crt"), key=ca.path(host, "key")) for host in CERTIFIED]
    texts.append(f"local {HOSTS['plain.example']} {{\n  ssl = no\n}}\n")
    file = folder / "configuration"
    file.write_text(CONFIGURATION.format(
        folder=folder, addresses=" ".join(sorted(set(HOSTS.values()))), port=PORT, tls_port=TLS_PORT, locals="".join(texts),
        plain_crt=ca.path("valid.example", "crt"), plain_key=ca.path("valid.example", "key")))
    with server(["dovecot", "-F", "-c", file], HOSTS["plain.example"], PORT, folder / "output"):
        yield


def cases(folder, ca):
    return [
        *upgrade_cases(ca, "imap", PORT, plain="failed dialog.rejected"),
        *direct_cases(ca, TLS_PORT, validate={"startsWith": "* OK "})]
