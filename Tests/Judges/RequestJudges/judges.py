"""The servers that are compared, each on loopback: where do they see requests in the same bytes?"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NODE = """
const http = require('http');
const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(request.url === '/marker' ? 204 : 200);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
"""

NGINX = """
daemon off; pid {folder}/pid; error_log /dev/null crit; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; large_client_header_buffers 4 64k;
  proxy_temp_path {folder}/1; fastcgi_temp_path {folder}/2; uwsgi_temp_path {folder}/3; scgi_temp_path {folder}/4;
  server {{
    listen 127.0.0.1:{port};
    location = /marker {{ return 204; }}
    location / {{ return 200; }}
  }}
}}
"""

FIXTURE = """
version: 1
name: judged
source: { kind: synthetic, reference: "made for the judges of requests", date: "2026-11-23" }
expect: { verdict: intercepted }
routes:
  - id: marker
    when: { path: /marker }
    respond: { status: 204 }
  - id: anything
    respond: { status: 200 }
"""


class Judge:
    """A server that answers 204 for /marker and 200 for anything else."""

    def __init__(self, name, port, process=None, server=None):
        self.name, self.port, self.process, self.server = name, port, process, server

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
        if self.server:
            self.server.close()


def replay(probekit, folder):
    fixture = Path(folder, "judged")
    fixture.mkdir()
    (fixture / "fixture.yaml").write_text(FIXTURE.lstrip())
    process = subprocess.Popen(
        [probekit, "replay", fixture], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        words = line.split()
        if words[:1] == ["http"]:
            return Judge("replay", int(words[1].rsplit(":")[-1]), process)
    sys.exit("probekit replay did not start")


def node():
    process = subprocess.Popen(["node", "-e", NODE], stdout=subprocess.PIPE, text=True)
    return Judge("node", int(process.stdout.readline()), process)


async def nginx(folder):
    folder = Path(folder, "nginx")
    folder.mkdir()
    # nginx does not accept port 0, so a free port is determined first.
    finder = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = finder.sockets[0].getsockname()[1]
    finder.close()
    await finder.wait_closed()
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return Judge("nginx", port, process)
        except OSError:
            await asyncio.sleep(0.02)
    sys.exit("nginx did not start")


async def h11_server():
    import h11

    async def serve(reader, writer):
        connection = h11.Connection(h11.SERVER)
        target = None

        def send(event):
            writer.write(connection.send(event) or b"")

        try:
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    connection.receive_data(await reader.read(65536))
                elif isinstance(event, h11.Request):
                    target = event.target
                elif isinstance(event, h11.EndOfMessage):
                    marker = target == b"/marker"
                    fields = [] if marker else [("Content-Length", "0")]
                    send(h11.Response(status_code=204 if marker else 200, headers=fields))
                    send(h11.EndOfMessage())
                    if connection.our_state is not h11.DONE:
                        break
                    connection.start_next_cycle()
                elif isinstance(event, h11.ConnectionClosed):
                    break
        except h11.RemoteProtocolError as error:
            if connection.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                send(h11.Response(status_code=error.error_status_hint, headers=[("Connection", "close")]))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    return Judge("h11", server.sockets[0].getsockname()[1], server=server)


async def statuses(judge, stream):
    """The statuses of the final responses to a stream of bytes, after which the sending side is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", judge.port)
    try:
        writer.write(stream)
        writer.write_eof()
        answer = await asyncio.wait_for(reader.read(-1), 5)
    except (ConnectionError, asyncio.TimeoutError):
        answer = b""
    finally:
        writer.close()
    lines = [line for line in answer.split(b"\n") if line.startswith(b"HTTP/1.")]
    found = [int(line.split()[1]) for line in lines]
    return tuple(status for status in found if status >= 200)
