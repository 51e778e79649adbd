"""Starts `probekit replay`, controls it, and stops it: captive portals for tests. Needs only the standard library.

    with Replay("fixtures/portals/coova-chilli") as portal:
        portal.set_state("coova-chilli", "open")
        portal.wait_for("POST /login")
"""

import json
import subprocess
from urllib import error, parse, request


class ReplayError(Exception):
    """The server refused a request; the message has the reason and the fix."""


class Replay:
    """A running `probekit replay`; `http`, `https` and `tcp` are its addresses, `ca` is the file of its authority."""

    def __init__(self, *fixtures, program="probekit"):
        command = [program, "replay", "--format", "json", "--control", "127.0.0.1:0", *fixtures]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line:
            raise ReplayError(f"probekit replay ended with exit code {self._process.wait()}")
        announced = json.loads(line)
        self.http, self.https, self.tcp = (announced["listeners"][name] for name in ("http", "https", "tcp"))
        self.ca = announced["ca"]
        self._base = f"http://{announced['control']['address']}/v1"
        self._token = announced["control"]["token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def call(self, method, *path, body=None, query=None, timeout=75):
        """Sends a request to an endpoint, such as call("GET", "states")."""
        url = "/".join([self._base, *(parse.quote(part, safe="") for part in path)])
        if query:
            url += "?" + parse.urlencode(query)
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            # Ignores proxies of the environment.
            opener = request.build_opener(request.ProxyHandler({}))
            with opener.open(request.Request(url, data, headers, method=method), timeout=timeout) as response:
                return json.load(response)
        except error.HTTPError as refusal:
            raise ReplayError(json.load(refusal)["error"]) from None

    def state(self, fixture):
        return self.call("GET", "states", fixture)["state"]

    def set_state(self, fixture, state):
        self.call("PUT", "states", fixture, body={"state": state})

    def set_mode(self, listener, mode):
        """open, refused, blackhole, rst or hold; None restores the mode of the fixture."""
        self.call("PUT" if mode else "DELETE", "listeners", listener, body={"mode": mode} if mode else None)

    def set_fault(self, fixture, route, **fault):
        """For example kind="rst-early", requests=[1]; no arguments restore the fault of the fixture."""
        self.call("PUT" if fault else "DELETE", "faults", fixture, route, body=fault or None)

    def requests(self, **query):
        """The received requests; `request="POST /login"`, `since=3` or `unmatched="true"` select some."""
        return self.call("GET", "requests", query=query)["requests"]

    def wait_for(self, text, seconds=10):
        found = self.requests(request=text, wait=seconds)
        assert found, f"no request matched {text} within {seconds} s"
        return found
