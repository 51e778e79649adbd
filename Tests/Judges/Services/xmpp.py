"""Prosody, with a virtual host for each name."""

import contextlib
import json

from service import CERTIFIED, HOSTS, dialog, server, upgrade_cases

PROGRAMS = ["prosody"]
PORT = 5222

CONFIGURATION = """
run_as_root = true
pidfile = "{folder}/pid"
data_path = "{folder}/data"
certificates = "{folder}/certificates"
interfaces = {{ {addresses} }}
c2s_ports = {{ {port} }}
modules_enabled = {{ "tls", "saslauth" }}
modules_disabled = {{ "s2s" }}
authentication = "internal_hashed"
log = {{ info = "*console" }}
"""
HOST = """
VirtualHost "{host}"
  ssl = {{ certificate = "{crt}", key = "{key}" }}
"""


@contextlib.contextmanager
def started(folder, ca):
    (folder / "data").mkdir()
    (folder / "certificates").mkdir()
    text = CONFIGURATION.format(
        folder=folder, addresses=", ".join(f'"{address}"' for address in sorted(set(HOSTS.values()))), port=PORT)
    for host in CERTIFIED:
        text += HOST.format(host=host, crt=ca.path(host, "crt"), key=ca.path(host, "key"))
    text += 'VirtualHost "plain.example"\n  modules_disabled = { "tls" }\n'
    file = folder / "configuration.lua"
    file.write_text(text)
    with server(["prosody", "-F", "--config", file], HOSTS["plain.example"], PORT, folder / "output"):
        yield


def cases(folder, ca):
    def steps(host):
        # The server does not know wrong.example, so the dialog requests the name that it has.
        name = "valid.example" if host == "wrong.example" else host
        return json.loads(json.dumps(dialog("xmpp")).replace("example.com", name))

    return upgrade_cases(ca, steps, PORT, plain="failed dialog.rejected")
