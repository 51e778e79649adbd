"""TLS from the first byte: nginx and OpenSSL's s_server."""

import contextlib

from service import CERTIFIED, HOSTS, Case, pipeline, server

PROGRAMS = ["nginx", "openssl"]
PORT, CLIENT_PORT, ECHO_PORT = 993, 994, 995

CONFIGURATION = """
load_module /usr/lib/nginx/modules/ngx_stream_module.so;
daemon off; pid {folder}/pid; error_log {folder}/log; worker_processes 1;
events {{}}
stream {{
{servers}
  server {{ listen {plain}:{port}; return "* OK ready\\r\\n"; }}
}}
"""
SERVER = """
  server {{
    listen {address}:{port} ssl; ssl_protocols TLSv1.3;
    ssl_certificate {pem}; ssl_certificate_key {pem};
    return "* OK ready by $ssl_protocol for $ssl_server_name\\r\\n";
  }}
"""


@contextlib.contextmanager
def started(folder, ca):
    servers = [SERVER.format(address=HOSTS[host], port=PORT, pem=ca.path(host, "pem")) for host in CERTIFIED]
    file = folder / "configuration"
    file.write_text(CONFIGURATION.format(
        folder=folder, servers="".join(servers), plain=HOSTS["plain.example"], port=PORT))
    pem, address = ca.path("valid.example", "pem"), HOSTS["valid.example"]
    openssl = ["openssl", "s_server", "-cert", pem, "-key", pem, "-rev", "-quiet"]
    verified = ["-Verify", "1", "-verify_return_error", "-CAfile", ca.file]
    with (
        server(["nginx", "-p", folder, "-c", file], HOSTS["plain.example"], PORT, folder / "output"),
        server([*openssl, *verified, "-accept", f"{address}:{CLIENT_PORT}"], address, CLIENT_PORT, folder / "client"),
        server([*openssl, "-tls1_2", "-accept", f"{address}:{ECHO_PORT}"], address, ECHO_PORT, folder / "echo"),
    ):
        yield


def cases(folder, ca):
    found = []

    def add(name, host, expected, port=PORT, ca=ca, **settings):
        found.append(Case(name, pipeline("tls", f"tls://{host}:{port}", ca, **settings), [expected]))

    add("a handshake", "valid.example", "accepted")
    add("a greeting", "valid.example", "accepted", validate={"startsWith": "* OK ready by TLSv1.3 for valid.example"})
    add("another greeting", "valid.example", "failed body.mismatch", validate={"startsWith": "* BYE"})
    add("a wrong name", "wrong.example", "failed tls.wrongHost")
    add("an expired certificate", "expired.example", "failed tls.expired")
    add("an untrusted certificate", "untrusted.example", "failed tls.untrusted")
    add("an unknown authority", "valid.example", "failed tls.untrusted", ca=None)
    add("no TLS", "plain.example", "failed tls.notTLS")
    add("nothing listens", "valid.example", "failed connect.refused", port=1)
    add("valid for long enough", "valid.example", "accepted", validate={"certificate": {"expiresAfter": "14d"}})
    add("valid for too short", "valid.example", "failed tls.expiresSoon", validate={"certificate": "60d"})
    echo = [{"send": "straw\n"}, {"expect": "warts\n"}]
    add("a dialog in TLS 1.2", "valid.example", "accepted", ECHO_PORT, dialog=echo)
    add("no client certificate", "valid.example", "failed tls.handshake", CLIENT_PORT, dialog=echo)
    add("a client certificate", "valid.example", "accepted", CLIENT_PORT, dialog=echo,
        clientCertificate=str(ca.path("valid.example", "pem")))
    return found
