#!/usr/bin/python3
"""The Internet of a check: the endpoints that systems and browsers probe, with the responses that they expect.

usage: internet.py CERTIFICATE

Listens on ports 80 and 443 of every address. CERTIFICATE also contains the key.
"""

import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
# Host and path, over both schemes: the status, the fields and the body of the response.
RESPONSES = {
    "captive.apple.com/hotspot-detect.html": (200, {"Content-Type": "text/html"}, SUCCESS),
    "www.apple.com/library/test/success.html": (200, {"Content-Type": "text/html"}, SUCCESS),
    "connectivitycheck.gstatic.com/generate_204": (204, {}, ""),
    "www.google.com/generate_204": (204, {}, ""),
    "www.google.com/gen_204": (204, {}, ""),
    "firefox-portal-detection.com/success.txt": (200, {"Content-Type": "text/plain"}, "success\n"),
    "firefox-portal-detection.com/generate_204": (204, {}, ""),
    "detectportal.firefox.com/canonical.html": (
        200, {"Content-Type": "text/html"},
        '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'),
    "www.msftconnecttest.com/connecttest.txt": (200, {"Content-Type": "text/plain"}, "Microsoft Connect Test"),
    "network-test.debian.org/nm": (200, {"Content-Type": "text/plain"}, "NetworkManager is online\n"),
    "ping.archlinux.org/nm-check.txt": (200, {"Content-Type": "text/plain"}, "NetworkManager is online\n"),
    "nmcheck.gnome.org/check_network_status.txt": (200, {"Content-Type": "text/plain"}, "NetworkManager is online\n"),
    "fedoraproject.org/static/hotspot.txt": (200, {"Content-Type": "text/plain"}, "OK\n"),
    "connectivity-check.ubuntu.com/": (204, {"X-NetworkManager-Status": "online"}, ""),
    # Not an endpoint of a system, but a server that a portal lets guests reach before the login.
    "pay.example/": (200, {"Content-Type": "text/plain"}, "Pay here\n"),
    "ipv4.connman.net/online/status.html": (200, {"X-ConnMan-Status": "online", "Content-Type": "text/html"}, "online\n"),
}
HOSTS = sorted({url.split("/")[0] for url in RESPONSES})
# Its name server, that of a tester, and each host's address. No server listens on the last one.
NAME_SERVER, TESTER = "198.51.100.53", "198.51.100.54"
ADDRESSES = {host: f"198.51.100.{number}" for number, host in enumerate(HOSTS, 101)} | {"dns.msftncsi.com": "131.107.255.255"}


class Handler(BaseHTTPRequestHandler):
    """Responds as the table specifies, and with 404 to other requests."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        host = self.headers.get("Host", "").split(":")[0]
        status, fields, body = RESPONSES.get(host + self.path.split("?")[0], (404, {}, "Not found\n"))
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        """Logs nothing."""


class Secure(ThreadingHTTPServer):
    """The same inside TLS, with the handshake in the thread of the connection."""

    def finish_request(self, request, client_address):
        with self.context.wrap_socket(request, server_side=True) as connection:
            super().finish_request(connection, client_address)

    def handle_error(self, request, client_address):
        """A client that does not trust the certificate is not an error here."""


def main(certificate):
    Secure.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    Secure.context.load_cert_chain(certificate)
    servers = [ThreadingHTTPServer(("", 80), Handler), Secure(("", 443), Handler)]
    for server in servers:
        threading.Thread(target=server.serve_forever).start()


if __name__ == "__main__":
    main(sys.argv[1])
