#!/usr/bin/env python3
"""Records which cookies Chromium and curl send in generated series of requests.

The series and the results are stored in Tests/Unit/ProbeCoreTests/Cookies/seen.json, with which CookieReferenceTests compares
CookieJar. Usage: cookies.py [NUMBER] [SEED]
"""
import http.server
import json
import os
import random
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.parse

PLACE = os.path.join(os.path.dirname(__file__), "../../Unit/ProbeCoreTests/Cookies/seen.json")
PATHS = ["/", "/a", "/a/", "/a/b", "/a/b/c", "/ab"]


def series(number, numbers):
    """A series of requests to hosts of one site, each with the Set-Cookie fields of its response."""
    pick = numbers.choice
    site = f"s{number}.test"
    steps = []
    for _ in range(numbers.randint(4, 7)):
        fields = []
        for _ in range(numbers.choice([0, 1, 1, 2, 2])):
            name = pick(["a"] * 7 + ["b", "b", "__Secure-a", "__Host-a", "__host-b", ""])
            value = pick(["1", "2", "3 4", '"5"', "", "x=y"])
            parts = [pick([f"{name}={value}", f"{name}={value}", f" {name} = {value} "])]
            if numbers.random() < 0.6:
                parts.append("Path=" + pick(PATHS + ["/", "/", "/", "/a", "", "a"]))
            if numbers.random() < 0.35:
                parts.append("Domain=" + pick([site, site, "." + site, "www." + site, "test", "other.test", "", site.upper()]))
            if numbers.random() < 0.35:
                parts.append(pick(["Secure", "secure", "Secure=no"]))
            if numbers.random() < 0.25:
                ages = ["60", "0", "-1", "3000000000", "99999999999999999999", "+60", "6 0", "", "0x10", "1.5"]
                parts.append("Max-Age=" + pick(ages))
            if numbers.random() < 0.2:
                parts.append("Expires=" + pick([
                    "Wed, 09 Jun 2021 10:18:14 GMT", "Wed, 09 Jun 2090 10:18:14 GMT", "Wednesday, 09-Jun-90 10:18:14 GMT",
                    "Wed, 09-Jun-21 10:18:14 GMT", "Fri Jun  9 10:18:14 2090", "2090 jun 09 10:18:14", "nonsense", "",
                    "Wed, 31 Jun 2090 10:18:14 GMT", "Wed, 09 June 2090 1:2:3 UTC"]))
            if numbers.random() < 0.1:
                parts.append(pick(["HttpOnly", "SameSite=Lax", "x", "Path", "=", ""]))
            fields.append(";".join(parts) if numbers.random() < 0.5 else "; ".join(parts))
        host = pick(["www." + site] * 4 + ["api." + site, site])
        scheme = pick(["https", "https", "http"])
        steps.append({"url": f"{scheme}://{host}{pick(PATHS)}", "set": fields})
    return steps


class Server:
    """Serves the steps over http and https, and records the cookies of each request."""

    def __init__(self, every, folder):
        self.every, self.seen, self.done = every, {}, threading.Event()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
             "-keyout", f"{folder}/key", "-out", f"{folder}/cert", "-subj", "/CN=test"], check=True, capture_output=True)
        self.ports = {}
        for scheme in "http", "https":
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
            if scheme == "https":
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(f"{folder}/cert", f"{folder}/key")
                server.socket = context.wrap_socket(server.socket, server_side=True)
            self.ports[scheme] = server.server_port
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def url(self, number, step):
        parts = urllib.parse.urlsplit(self.every[number][step]["url"])
        return f"{parts.scheme}://{parts.netloc}:{self.ports[parts.scheme]}{parts.path}?step={number}.{step}"

    def handler(outer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                _, _, query = self.path.partition("?step=")
                if not query:
                    self.send_error(404)
                    return
                number, step = map(int, query.split("."))
                outer.seen[number, step] = self.headers.get("Cookie")
                body = b""
                last = step + 1 == len(outer.every[number])
                self.send_response(200 if last else 302)
                for field in outer.every[number][step]["set"]:
                    self.send_header("Set-Cookie", field)
                if not last:
                    self.send_header("Location", outer.url(number, step + 1))
                elif number + 1 < len(outer.every):
                    body = f"<script>location.href = '{outer.url(number + 1, 0)}'</script>".encode()
                else:
                    outer.done.set()
                self.send_header("Content-Type", "text/html")
                self.send_header("Cache-Control", "no-store")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler

    def take(self, program):
        for (number, step), cookies in self.seen.items():
            self.every[number][step][program] = cookies
        self.seen = {}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 250
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 6265
    numbers = random.Random(seed)
    every = [series(number, numbers) for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(every, folder)
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
             "--ignore-certificate-errors", "--host-resolver-rules=MAP * 127.0.0.1", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-port=0",
             "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable", server.url(0, 0)],
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        finished = server.done.wait(300)
        browser.terminate()
        browser.wait()
        if not finished:
            sys.exit(f"chromium stopped at {max(server.seen, default=None)}")
        server.take("chromium")
        for number in range(count):
            urls = [server.url(number, step) for step in range(len(every[number]))]
            subprocess.run(
                ["curl", "-sk", "--noproxy", "*", "-b", "", "--resolve", f"*:{server.ports['http']}:127.0.0.1", "--resolve",
                 f"*:{server.ports['https']}:127.0.0.1", *urls], check=True, stdout=subprocess.DEVNULL)
        server.take("curl")

    def version(program):
        return subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split("\n")[0].strip()

    os.makedirs(os.path.dirname(PLACE), exist_ok=True)
    with open(PLACE, "w") as file:
        file.write("{\n" + f'"programs": {json.dumps([version("chromium"), version("curl").split(" (")[0]])},\n')
        file.write(f'"seed": {seed},\n"series": [\n')
        file.write(",\n".join(json.dumps(steps, separators=(",", ":")) for steps in every))
        file.write("\n]}\n")


main()
