"""The probed servers: nginx with one worker on loopback, and a socket that never responds."""

import contextlib
import http.client
import os
import shutil
import socket
import tempfile

from . import programs
from .programs import Unavailable, Wrong

HOST = "127.0.0.1"

CERTIFICATES = """\
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = IP:127.0.0.1
"""

# Full handshakes only: no session can be resumed. The counters of stub_status show what actually arrived.
NGINX = """\
{user}
daemon off;
worker_processes 1;
worker_rlimit_nofile {descriptors};
pid {folder}/nginx.pid;
error_log stderr error;
events {{ worker_connections 16384; }}
http {{
  access_log off;
  default_type text/plain;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  ssl_protocols TLSv1.3;
  ssl_session_tickets off;
  ssl_session_cache off;
  ssl_certificate {folder}/leaf.pem;
  ssl_certificate_key {folder}/leaf.key;
  server {{
    listen {host}:{plain} backlog=4096;
    listen {host}:{tls} ssl backlog=4096;
    location / {{ return 200 "Success\\n"; }}
    location = /page.html {{ root {folder}; }}
    location = /silent {{ proxy_pass http://{host}:{silent}; }}
  }}
  server {{
    listen {host}:{status};
    location / {{ stub_status; }}
  }}
}}
"""


class World:
    """The servers of one run and their private folder, which last until the end of the `with` block."""

    def __enter__(self):
        nginx = find("nginx", "apt-get install nginx-light")
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="probekit-bench-"))
            self.authority = make_certificates(self.folder)
            self.silent = stack.enter_context(socket.create_server((HOST, 0), backlog=4096))
            self.silent.setblocking(False)
            plain, tls, self.status_port = free_ports(3)
            self.descriptors = programs.allow_descriptors(16384)
            configuration = self.path("nginx.conf")
            with open(configuration, "w") as file:
                file.write(NGINX.format(
                    # Only its owner can read the folder, and by default, root's worker runs as another user.
                    user="user root;" if os.geteuid() == 0 else "", folder=self.folder, host=HOST,
                    plain=plain, tls=tls, status=self.status_port, silent=self.silent.getsockname()[1],
                    descriptors=self.descriptors))
            with open(self.path("page.html"), "w") as file:
                file.write("x" * 300)
            process = stack.enter_context(programs.server(
                [nginx, "-e", "stderr", "-p", self.folder, "-c", configuration], self.path("nginx.log"),
                lambda: accepts(self.status_port)))
            self.worker = worker_of(process)
            self.plain_port, self.tls_port = plain, tls
            self.plain = f"http://{HOST}:{plain}/"
            self.tls = f"https://{HOST}:{tls}/"
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._open.close()

    def path(self, file):
        return os.path.join(self.folder, file)

    def connections(self):
        """The number of connections that nginx has accepted, including that of this query."""
        status = get(self.status_port, "/")
        return int(status.split("requests", 1)[1].split()[0])

    @contextlib.contextmanager
    def expecting(self, count):
        """Checks that the block makes exactly `count` connections."""
        before = self.connections()
        yield
        made = self.connections() - before - 1
        if made != count:
            raise Wrong(f"expected {count} connections, but nginx accepted {made}")

    def take_silent(self):
        """Closes the connections to the silent socket, and returns their number."""
        count = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                self.silent.accept()[0].close()
                count += 1
        return count


def worker_of(process):
    """The process ID of the only worker of a running nginx."""
    with open(f"/proc/{process}/task/{process}/children") as file:
        children = file.read().split()
    if len(children) != 1:
        raise Wrong(f"expected one worker of nginx, but it has {len(children)}")
    return int(children[0])


def find(program, remedy):
    """The path of an installed program."""
    path = shutil.which(program, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")
    if not path:
        raise Unavailable(f"{program} is not installed: {remedy}")
    return path


def make_certificates(folder):
    """Creates an authority and a P-256 certificate for loopback; returns the path of the authority."""
    openssl = find("openssl", "apt-get install openssl")

    def path(file):
        return os.path.join(folder, file)

    with open(path("openssl.cnf"), "w") as file:
        file.write(CERTIFICATES)
    base = [
        openssl, "req", "-x509", "-config", path("openssl.cnf"), "-days", "2", "-noenc",
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    programs.run(base + [
        "-subj", "/CN=ProbeKit benchmark authority", "-extensions", "ca",
        "-keyout", path("ca.key"), "-out", path("ca.pem")])
    programs.run(base + [
        "-subj", "/CN=127.0.0.1", "-extensions", "leaf", "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
        "-keyout", path("leaf.key"), "-out", path("leaf.pem")])
    return path("ca.pem")


def free_ports(count):
    """Different free ports on loopback."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server((HOST, 0))) for _ in range(count)]
        return [socket.getsockname()[1] for socket in sockets]


def accepts(port):
    """Whether a program listens on a port of loopback."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
        return True
    except OSError:
        return False


def get(port, path):
    """The body of a response with status 200."""
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read().decode()
    finally:
        connection.close()
    if answer.status != 200:
        raise Wrong(f"port {port} answered {path} with status {answer.status}")
    return body
