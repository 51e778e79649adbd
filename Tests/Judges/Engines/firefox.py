"""Firefox, driven by Marionette: the state of its captive portal service after a check."""

import json
import socket
import subprocess
import sys
import time

from engine import Engine

# nsICaptivePortalService: UNKNOWN (after requests without a result), NOT_CAPTIVE and LOCKED_PORTAL.
STATES = {0: "inconclusive", 1: "online", 3: "captivePortal"}
# The default of marionette.port.
PORT = 2828

PREFERENCES = {
    # Checks begin only when a fixture is replayed.
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # The default pause before a retry is 3 s; the duration of a check does not change its result.
    "captivedetect.pollingTime": 1,
    "network.dnsCacheExpiration": 0,
    # Marionette would disable the service under test.
    "remote.prefs.recommended": False,
    "app.update.enabled": False,
    "browser.region.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.enabled": False,
}

# Starts the service, waits until its check ends, and stops the service, which then discards the result.
CHECK = """
const done = arguments[arguments.length - 1];
const service = Cc["@mozilla.org/network/captive-portal-service;1"].getService(Ci.nsICaptivePortalService);
const login = { url: null, observe(subject, topic, data) { this.url = JSON.parse(data).url; } };
Services.dns.clearCache(true);
Services.obs.notifyObservers(null, "net:prune-all-connections");
Services.obs.addObserver(login, "captive-portal-login");
const { setTimeout } = ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs");
const began = Date.now();
Services.prefs.setBoolPref("network.captive-portal-service.enabled", true);
(async () => {
  // lastChecked: the milliseconds since the end of the last check, which may be that of the previous fixture.
  // Six requests of 5 s each, which a bomb or a busy machine prolongs; until then the state is unknown anyway.
  do await new Promise(next => setTimeout(next, 10));
  while (service.lastChecked > Date.now() - began && Date.now() - began < 60_000);
  const state = service.state;
  Services.prefs.setBoolPref("network.captive-portal-service.enabled", false);
  Services.obs.removeObserver(login, "captive-portal-login");
  done([state, login.url]);
})();
"""


class Marionette:
    """A connection to the browser, with the protocol of its own tests: JSON, preceded by its length."""

    def __init__(self, port):
        for _ in range(600):
            try:
                self._socket = socket.create_connection(("127.0.0.1", port))
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        else:
            sys.exit("firefox-esr did not start")
        self._file = self._socket.makefile("rb")
        self._number = 0
        self._read()

    def _read(self):
        length = b""
        while (byte := self._file.read(1)) != b":":
            if not byte:
                sys.exit("firefox-esr has ended")
            length += byte
        return json.loads(self._file.read(int(length)))

    def __call__(self, command, **parameters):
        self._number += 1
        text = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._read()
        if error:
            sys.exit(f"firefox-esr: {command}: {error['message']}")
        return result


# What a release asks for and expects since Firefox 155. The ESR accepts status 200 alone.
RELEASE = {
    "captivedetect.canonicalURL": "http://firefox-portal-detection.com/generate_204",
    "captivedetect.canonicalContent": "",
}


class Firefox(Engine):
    """The ESR, with its own preferences or with those of a release."""

    programs = ["firefox-esr"]

    def __init__(self, profile, preferences):
        self.profile = profile
        self._preferences = preferences

    def version(self):
        text = subprocess.run(["firefox-esr", "--version"], capture_output=True, text=True).stdout.split()
        settings = " with the URL and the text of Firefox 155" if self._preferences else ""
        return f"Firefox {text[-1].removesuffix('esr')} ESR{settings}"

    def start(self, network):
        folder = network.folder / "firefox"
        folder.mkdir()
        (folder / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in (PREFERENCES | self._preferences).items()))
        subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--marionette",
             "--remote-allow-system-access", "about:blank"], env=network.environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._marionette = Marionette(PORT)
        self._marionette("WebDriver:NewSession")
        self._marionette("Marionette:SetContext", value="chrome")
        self._marionette("WebDriver:SetTimeouts", script=180_000)

    def ask(self, fixture, authority):
        """The verdict, and the URL that it opens for a login."""
        state, login = self._marionette("WebDriver:ExecuteAsyncScript", script=CHECK, args=[])["value"]
        return STATES.get(state, f"state {state}"), login


ENGINES = [Firefox("firefox-esr", {}), Firefox("firefox", RELEASE)]
