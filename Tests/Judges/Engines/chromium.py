"""Chromium, driven over the DevTools protocol: the page that it shows after a certificate error.

Chromium looks for a portal when a certificate is invalid. If there is one, it shows "Connect to network", with the host
of the login URL; otherwise "Your connection is not private".
"""

import contextlib
import itertools
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

from engine import Engine
from network import GATEWAY, OWN_PORT, gateway, run

PROBE_HOST = "connectivitycheck.gstatic.com"
# Background requests would change the states of fixtures.
QUIET = [
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-domain-reliability", "--disable-gpu", "--disable-sync", "--metrics-recording-only", "--no-pings",
]

# The type of the page and its text, once the page is there.
SHOWN = "typeof loadTimeDataRaw == 'undefined' ? null : [loadTimeDataRaw.type, loadTimeDataRaw.primaryParagraph]"


class DevTools:
    """A newly started browser, and its protocol over a pipe: JSON, terminated by a NUL."""

    def __init__(self, folder, environment):
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        self._numbers = itertools.count(1)
        self._read = b""
        arguments = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={folder}", *QUIET]
        # Chromium reads from descriptor 3 and writes to 4.
        script = f'exec 3<&{commands} 4>&{answers}; exec chromium "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "chromium", *arguments, "about:blank"], pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        os.close(commands)
        os.close(answers)
        self("Browser.getVersion")

    def close(self):
        self("Browser.close")
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)

    def __call__(self, method, session=None, **parameters):
        message = {"id": next(self._numbers), "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    sys.exit(f"chromium: {method}: {answer['error'].get('message')}")
                return answer["result"]

    def _message(self):
        while b"\0" not in self._read:
            part = os.read(self._answers, 1 << 16)
            if not part:
                sys.exit("chromium has ended")
            self._read += part
        message, self._read = self._read.split(b"\0", 1)
        return json.loads(message)


def serve_wrong_certificate(folder):
    """Starts a server on the gateway with a self-signed certificate."""
    pem = folder / "wrong.pem"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=wrong.example", "-days", "1",
        "-keyout", pem, "-out", pem, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with gateway():
        listener = socket.create_server((GATEWAY, OWN_PORT))

    def serve():
        while True:
            connection, _ = listener.accept()
            connection.settimeout(5)
            with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as stream:
                stream.recv(1)

    threading.Thread(target=serve, daemon=True).start()


def redirects_to_https(fixture):
    return any(re.search(rb"(?i)location:\s*https:", file.read_bytes()) for file in fixture.iterdir() if file.is_file())


class Chromium(Engine):
    profile = "chromium"
    programs = ["chromium", "openssl"]

    @staticmethod
    def version():
        text = subprocess.run(["chromium", "--version"], capture_output=True, text=True).stdout.split()
        return f"Chromium {text[1]}"

    def start(self, network):
        self._network = network
        self._policies = network.cover("/etc/chromium") / "policies/managed"
        self._policies.mkdir(parents=True)
        serve_wrong_certificate(network.folder)
        self._start()

    def _start(self):
        folder = self._network.folder / "chromium"
        shutil.rmtree(folder, ignore_errors=True)
        self._tools = DevTools(folder, self._network.environment())

    def _trust(self, authority):
        """Restarts the browser with a policy that adds a certificate authority."""
        certificate = re.search(r"-----BEGIN CERTIFICATE-----(.*?)-----END", authority.read_text(), re.DOTALL)
        self._tools.close()
        policy = {"CACertificates": ["".join(certificate[1].split())]}
        (self._policies / "authority.json").write_text(json.dumps(policy))
        self._start()

    def ask(self, fixture, authority):
        """The verdict, and the host of the login URL, or of the probe if the page names none."""
        if redirects_to_https(fixture):
            self._trust(authority)
        # Each context has its own captive portal service, without earlier results.
        context = self._tools("Target.createBrowserContext")["browserContextId"]
        target = self._tools("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self._tools("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._tools("Page.navigate", session, url=f"https://{GATEWAY}:{OWN_PORT}/")
        kind, text = self._shown(session)
        self._tools("Target.disposeBrowserContext", browserContextId=context)
        if kind != "CAPTIVE_PORTAL":
            return "no portal", None
        host = re.search(r"<strong>(.*?)</strong>", text)
        return "captivePortal", host[1].strip("[]") if host else PROBE_HOST

    def _shown(self, session):
        for _ in range(300):
            shown = self._tools("Runtime.evaluate", session, expression=SHOWN, returnByValue=True)["result"]
            if shown.get("value"):
                return shown["value"]
            time.sleep(0.03)
        sys.exit("chromium shows no page after a certificate error")

    @staticmethod
    def verdict(verdict):
        """The part of a verdict that the page shows: it does not show why there is no portal."""
        return verdict if verdict == "captivePortal" else "no portal"

    @staticmethod
    def login(url):
        return urlsplit(url).hostname


ENGINES = [Chromium()]
