"""The servers that both exporters probe: real ones from Debian, scripted ones for behavior that no server has."""

import contextlib
import gzip
import os
import socket
import ssl
import subprocess
import threading
import time
import zlib

HOST = "127.0.0.1"


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class Certificates:
    """An authority and certificates, made with openssl."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = self._path("ca.pem")
        self._run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                  "-subj", "/CN=Judges", "-keyout", self._path("ca.key"), "-out", self.authority)
        self.good = self._signed("good", "DNS:localhost,DNS:other.test,IP:127.0.0.1")
        self.other = self._signed("other", "DNS:other.test")
        self.own = (self._path("own.pem"), self._path("own.key"))
        self._run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                  "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                  "-keyout", self.own[1], "-out", self.own[0])

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _run(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def _signed(self, name, names):
        key, request, certificate = (self._path(f"{name}.{end}") for end in ("key", "csr", "pem"))
        self._run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                  "-addext", f"subjectAltName={names}", "-keyout", key, "-out", request)
        self._run("x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", self._path("ca.key"), "-days", "20",
                  "-copy_extensions", "copy", "-out", certificate)
        return certificate, key


class Scripted:
    """A TCP server that calls a function for each connection; plain, or inside TLS."""

    def __init__(self, script, certificate=None):
        self.script = script
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
            self.context.set_alpn_protocols(["http/1.1"])
        self.socket = socket.create_server((HOST, 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(10)
        with contextlib.suppress(OSError), connection:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            self.script(connection)


def head(connection):
    """The head of a request, or the part of it that arrived."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(4096)
        if not piece:
            break
        received += piece
    return received.decode(errors="replace")


def response(status="200 OK", *fields, body=b"hello world\n", length=True):
    lines = [f"HTTP/1.1 {status}", *fields, *([f"Content-Length: {len(body)}"] if length else []), "Connection: close"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def pages(connection):
    """A site whose paths are the cases."""
    request = head(connection)
    path = request.split(" ")[1] if request.count(" ") > 1 else "/"
    if "http://" in path:
        path = "/" + path.split("/", 3)[3]
    send = connection.sendall
    match path:
        case "/missing":
            send(response("404 Not Found"))
        case "/moved":
            send(response("301 Moved Permanently", "Location: /"))
        case "/loop":
            send(response("302 Found", "Location: /loop"))
        case "/chunked":
            send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        case "/close":
            send(response(body=b"until the end", length=False))
        case "/gzip":
            send(response("200 OK", "Content-Encoding: gzip", body=gzip.compress(b"z" * 5000)))
        case "/empty":
            send(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        case "/dated":
            send(response("200 OK", "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"))
        case "/login":
            good = "Authorization: Basic dXNlcjpzZWNyZXQ=" in request
            send(response("200 OK" if good else "401 Unauthorized"))
        case "/cookie":
            seen = "Cookie: a=1" in request
            send(response("200 OK") if seen else response("302 Found", "Location: /cookie", "Set-Cookie: a=1"))
        case "/short":
            send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhalf")
        case "/slow":
            time.sleep(8)
        case "/old":
            send(b"HTTP/1.0 200 OK\r\n\r\nold")
        case _:
            send(response())


def mirror(certificate):
    """A server, or a proxy that ends its tunnels, whose response has a length that depends on what it received."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    def script(connection):
        request = head(connection)
        first, *fields = request.split("\r\n")
        seen = [first, *(field for field in fields if field.lower().startswith(("host:", "proxy-authorization:")))]
        if first.startswith("CONNECT "):
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            connection = context.wrap_socket(connection, server_side=True)
            head(connection)
        connection.sendall(response(body=b"x" * (1 + zlib.crc32("\n".join(seen).encode()) % 60000)))

    return script


def silent(connection):
    head(connection)


def smtp(certificate):
    """A mail server before and after STARTTLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    def script(connection):
        connection.sendall(b"220 mail.test ESMTP\r\n")
        connection.recv(1000)
        connection.sendall(b"250-mail.test\r\n250 STARTTLS\r\n")
        connection.recv(1000)
        connection.sendall(b"220 go ahead\r\n")
        inside = context.wrap_socket(connection, server_side=True)
        inside.recv(1000)
        inside.sendall(b"250 mail.test\r\n")
        inside.recv(1000)

    return script


def banner(connection):
    connection.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")
    with contextlib.suppress(OSError):
        connection.recv(1000)


def nginx(folder, certificate):
    """nginx with HTTP/2; returns its port."""
    port = free_port()
    configuration = os.path.join(folder, "nginx.conf")
    with open(configuration, "w") as file:
        file.write(
            f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.err; events {{}}\n"
            f"http {{ access_log off; server {{ listen {HOST}:{port} ssl http2; ssl_certificate {certificate[0]};"
            f" ssl_certificate_key {certificate[1]}; location / {{ return 200 'from nginx'; }} }} }}\n")
    process = subprocess.Popen(["nginx", "-c", configuration], stderr=subprocess.DEVNULL)
    wait_for(port)
    return port, process


def wait_for(port, seconds=20):
    for _ in range(seconds * 20):
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")
