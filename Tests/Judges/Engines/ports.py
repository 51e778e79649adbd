"""A relay for clients whose Host field has no port: the replay server reads the port from that field."""

import contextlib
import re
import socket
import struct
import threading

from network import GATEWAY, gateway, run

PORT = 65442
SO_ORIGINAL_DST = 80


def start():
    """Relays requests to ports other than 80 and the TLS ports, and adds the port to the Host field."""
    with gateway():
        listener = socket.create_server((GATEWAY, PORT))
    run("ip", "netns", "exec", "gateway", "nft", "insert rule inet replay prerouting",
        "tcp dport != @tls tcp dport != { 53, 80 }", f"redirect to :{PORT}")
    threading.Thread(target=_accept, args=[listener], daemon=True).start()


def _accept(listener):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=_relay, args=[client], daemon=True).start()


def _relay(client):
    address = client.getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16)
    port = struct.unpack("!2xH12x", address)[0]
    with contextlib.suppress(OSError), client:
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(1 << 16)
            if not part:
                return
            head += part
        head = re.sub(rb"(?im)^(host: *[^:\r\n]+)\r$", rb"\1:%d\r" % port, head, count=1)
        with gateway():
            server = socket.create_connection((GATEWAY, 80))
        with server:
            server.sendall(head)
            while part := server.recv(1 << 16):
                client.sendall(part)
