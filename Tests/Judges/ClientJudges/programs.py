"""Servers and proxies as packaged in Debian, each a process on loopback with its own configuration."""

import asyncio
import dataclasses
import os
import random
import shutil
import socket
import subprocess
import sys
from pathlib import Path

PAGE = b"<!doctype html><title>A page</title>\n" + b"<p>The same again and again.</p>\n" * 100
# More than any server buffers to see whether the content ends, even if it is compressed.
UNENDING = random.Random(1).randbytes(1 << 20)
LONG = "x" * 4000
USER, PASSWORD = "guest", "let-me-in"

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/log; worker_processes 1;
events {{}}
http {{
  access_log off; types {{ text/html html; application/octet-stream bin; }}
  client_body_temp_path {folder}/0; proxy_temp_path {folder}/1; fastcgi_temp_path {folder}/2;
  uwsgi_temp_path {folder}/3; scgi_temp_path {folder}/4;
  server {{
    listen 127.0.0.1:{plain}; listen 127.0.0.1:{tls} ssl;
    ssl_certificate {pem}; ssl_certificate_key {pem};
    root {pages}; gzip on; gzip_http_version 1.0; gzip_proxied any;
    location /moved {{ return 301 /page.html; }}
    location /small {{ client_max_body_size 100; proxy_pass http://127.0.0.1:{origin}; }}
    location /proxied {{ proxy_pass http://127.0.0.1:{origin}; }}
    location /long/ {{ alias {pages}/; add_header X-1 {long}; add_header X-2 {long}; add_header X-3 {long}; }}
  }}
}}
"""

APACHE = """
ServerName localhost
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/pid
ErrorLog {folder}/log
User www-data
Group www-data
Listen 127.0.0.1:{plain}
Listen 127.0.0.1:{tls}
{modules}
TypesConfig /dev/null
AddType text/html .html
DocumentRoot {pages}
SetOutputFilter BROTLI_COMPRESS;DEFLATE
BrotliFilterNote Ratio ratio
Redirect permanent /moved /page.html
ProxyPass /proxied http://127.0.0.1:{origin}/proxied
Alias /small {pages}/page.html
<Location /small>
  LimitRequestBody 100
</Location>
Alias /long {pages}
<Location /long>
  Header set X-1 {long}
  Header set X-2 {long}
  Header set X-3 {long}
</Location>
<VirtualHost 127.0.0.1:{tls}>
  SSLEngine on
  SSLCertificateFile {pem}
</VirtualHost>
"""
MODULES = (
    "mpm_event", "authz_core", "mime", "filter", "brotli", "deflate", "alias", "headers", "proxy", "proxy_http",
    "socache_shmcb", "ssl",
)

LIGHTTPD = """
server.modules = ("mod_redirect", "mod_alias", "mod_setenv", "mod_deflate", "mod_proxy", "mod_openssl")
server.document-root = "{pages}"
server.bind = "127.0.0.1"
server.port = {plain}
server.errorlog = "{folder}/log"
server.upload-dirs = ("{folder}")
server.max-request-size = 1
server.stream-response-body = 1
mimetype.assign = (".html" => "text/html", ".bin" => "application/octet-stream")
deflate.mimetypes = ("text/html")
deflate.allowed-encodings = ("brotli", "gzip", "deflate")
url.redirect = ("^/moved" => "/page.html")
alias.url = ("/long/" => "{pages}/")
$HTTP["url"] =~ "^/(proxied|small)" {{ proxy.server = ("" => (("host" => "127.0.0.1", "port" => {origin}))) }}
$HTTP["url"] =~ "^/long/" {{ setenv.add-response-header = ("X-1" => "{long}", "X-2" => "{long}", "X-3" => "{long}") }}
$SERVER["socket"] == "127.0.0.1:{tls}" {{ ssl.engine = "enable" ssl.pemfile = "{pem}" }}
"""

HAPROXY = """
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend all
  bind 127.0.0.1:{plain}
  bind 127.0.0.1:{tls} ssl crt {pem}
  default_backend nginx
backend nginx
  server nginx 127.0.0.1:{nginx}
"""

VARNISH = """
vcl 4.1;
backend nginx {{ .host = "127.0.0.1"; .port = "{nginx}"; }}
sub vcl_recv {{ return (pass); }}
# Whether there is a length would depend on which side is faster.
sub vcl_backend_response {{ set beresp.do_stream = false; }}
"""

SQUID = """
http_port 127.0.0.1:{plain}
https_port 127.0.0.1:{tls} tls-cert={pem}
visible_hostname localhost
pid_filename none
cache_log {folder}/log
access_log none
cache_store_log none
coredump_dir {folder}
cache deny all
shutdown_lifetime 0 seconds
via on
{login}
http_access allow localhost
http_access deny all
"""
LOGIN = """
auth_param basic program /usr/lib/squid/basic_ncsa_auth {folder}/users
acl known proxy_auth REQUIRED
http_access deny !known
"""


@dataclasses.dataclass
class Server:
    """A started server."""

    name: str
    plain: int
    tls: int | None
    process: subprocess.Popen


class Place:
    """The folder of all servers: pages, certificates, and the started servers."""

    def __init__(self, folder):
        self.folder, self.servers = Path(folder), {}
        # Workers of the servers run as other users.
        self.folder.chmod(0o755)
        self.pages = self.folder / "pages"
        self.pages.mkdir()
        (self.pages / "page.html").write_bytes(PAGE)
        (self.pages / "large.bin").write_bytes(bytes(range(256)) * 4096)
        for file in self.pages.iterdir():
            os.utime(file, (1_600_000_000, 1_600_000_000))
        self.authority, self.pem = self.folder / "ca.pem", self.folder / "server.pem"
        self.certify()

    def certify(self):
        key = ["-newkey", "rsa:2048", "-noenc"]
        self.openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Authority")
        self.openssl(
            "req", "-x509", *key, "-keyout", "server.key", "-out", "server.crt", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:false",
            "-CA", "ca.pem", "-CAkey", "ca.key")
        self.pem.write_bytes(b"".join((self.folder / name).read_bytes() for name in ["server.crt", "server.key"]))
        self.pem.chmod(0o644)

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    async def start(self, name, program, arguments, configuration="", **values):
        """Starts a server, and waits until it accepts connections."""
        folder = self.folder / name
        folder.mkdir()
        folder.chmod(0o777)
        plain, tls = free_ports(2)
        values |= {"folder": folder, "plain": plain, "tls": tls, "pem": self.pem, "pages": self.pages, "long": LONG}
        file = folder / "configuration"
        file.write_text(configuration.format(**{"login": "", **values}))
        path = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") or sys.exit(f"{program} is not installed")
        arguments = [argument.format(file=file, **values) for argument in arguments]
        with open(folder / "output", "wb") as output:
            process = subprocess.Popen([path, *arguments], stdout=output, stderr=output, start_new_session=True)
        server = Server(name, plain, tls if "{tls}" in configuration else None, process)
        self.servers[name] = server
        for _ in range(500):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", plain)
                writer.close()
                return server
            except OSError:
                await asyncio.sleep(0.02)
            if process.poll() is not None:
                break
        texts = [file.read_text(errors="replace") for file in [folder / "output", folder / "log"] if file.exists()]
        sys.exit(f"{name} did not start: {''.join(texts)}")

    async def start_all(self, origin):
        await self.start("nginx", "nginx", ["-p", "{folder}", "-c", "{file}"], NGINX, origin=origin)
        modules = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in MODULES)
        foreground = ["-D", "FOREGROUND", "-f", "{file}"]
        await self.start("apache", "apache2", foreground, APACHE, origin=origin, modules=modules)
        await self.start("lighttpd", "lighttpd", ["-D", "-f", "{file}"], LIGHTTPD, origin=origin)
        nginx = self.servers["nginx"].plain
        await self.start("haproxy", "haproxy", ["-db", "-f", "{file}"], HAPROXY, nginx=nginx)
        await self.start("varnish", "varnishd", [
            "-F", "-j", "none", "-n", "{folder}/work", "-a", "127.0.0.1:{plain}", "-f", "{file}", "-s", "malloc,16m",
        ], VARNISH, nginx=nginx)
        await self.start("squid", "squid", ["-N", "-f", "{file}"], SQUID)
        users = self.folder / "users"
        users.write_bytes(f"{USER}:".encode() + subprocess.check_output(["openssl", "passwd", "-apr1", PASSWORD]))
        login = LOGIN.replace("{folder}/users", str(users))
        await self.start("squid with a login", "squid", ["-N", "-f", "{file}"], SQUID, login=login)

    def stop(self):
        for server in self.servers.values():
            server.process.terminate()
        for server in self.servers.values():
            try:
                server.process.wait(10)
            except subprocess.TimeoutExpired:
                server.process.kill()
                server.process.wait()


def free_ports(count):
    """Free ports; these servers do not accept port 0."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


async def origin():
    """A separate server behind the others, whose responses have no length."""

    async def serve(reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            await reader.readexactly(next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0))
            writer.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + UNENDING)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)
