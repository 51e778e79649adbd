"""ConnMan, built by `build-connman`: the result of its online check."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import ports
from engine import Engine
from network import ENGINE, GATEWAY, INTERFACE, run
from networkmanager import start_bus

PROGRAM = Path(__file__).resolve().parents[3] / ".build/connman/connmand"

CONFIGURATION = """[General]
OnlineCheckMode=one-shot
AllowHostnameUpdates=false
AllowDomainnameUpdates=false
"""

SERVICE = f"""[service_wire]
Type=ethernet
IPv4={ENGINE}/255.255.255.252/{GATEWAY}
IPv6=off
Nameservers={GATEWAY}
"""

PROBE = "http://ipv4.connman.net/online/status.html"
# In its log: a failed check, which ConnMan repeats, and a status that no other request follows.
FAILED, LAST = "online check to .* failed", r"(?s)status: \d\d\d(?!.*Redirect URL)"
# D-Bus errors after a crash, or while ConnMan does nothing but read.
GONE = [f"org.freedesktop.DBus.Error.{name}" for name in ("NoReply", "ServiceUnknown")]
# The time limit for a check, in seconds; ConnMan itself has none.
LIMIT = 10


def agent(bus, requests):
    """The agent for ConnMan's login requests: an object on the bus that adds each request to a list, and refuses it."""
    import dbus.service

    class Agent(dbus.service.Object):
        def _refuse(self, *request):
            requests.append(request)
            raise dbus.DBusException("no user", name="net.connman.Agent.Error.Canceled")

        @dbus.service.method("net.connman.Agent", in_signature="os", out_signature="")
        def RequestBrowser(self, _, url):
            self._refuse("browser", str(url))

        @dbus.service.method("net.connman.Agent", in_signature="oa{sv}", out_signature="a{sv}")
        def RequestInput(self, _, fields):
            self._refuse("input", None)

        @dbus.service.method("net.connman.Agent", in_signature="os", out_signature="")
        def ReportError(self, _, error):
            pass

        @dbus.service.method("net.connman.Agent", in_signature="", out_signature="")
        def Cancel(self):
            pass

        @dbus.service.method("net.connman.Agent", in_signature="", out_signature="")
        def Release(self):
            pass

    return Agent(bus, "/agent")


class ConnMan(Engine):
    profile = "connman"
    programs = [str(PROGRAM), "dbus-daemon"]

    @staticmethod
    def version():
        text = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout
        return f"ConnMan {text.strip()}"

    def start(self, network):
        import dbus
        import dbus.mainloop.glib
        from gi.repository import GLib

        self._dbus = dbus
        self._loop = GLib.MainContext.default()
        self._folder = network.folder
        self._names = network.names
        self._log = network.folder / "connman.log"
        self._requests = []
        self._process = None
        # ConnMan sends no port in Host.
        ports.start()
        start_bus(network.folder)
        (network.folder / "connman.conf").write_text(CONFIGURATION)
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        self._bus = dbus.SystemBus()
        self._agent = agent(self._bus, self._requests)
        self._start()

    def _start(self):
        # ConnMan would prefer its earlier settings, and does not configure an interface that has an address.
        state = Path("/run/lib/connman")
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir(parents=True)
        (state / "wire.config").write_text(SERVICE)
        run("ip", "address", "flush", "dev", INTERFACE)
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "--nodaemon", "--nodnsproxy", f"--config={self._folder}/connman.conf", "--debug=src/wispr.c"],
                stdout=log, stderr=log)
        for _ in range(300):
            time.sleep(0.1)
            if not self._bus.name_has_owner("net.connman"):
                continue
            manager = self._dbus.Interface(self._bus.get_object("net.connman", "/"), "net.connman.Manager")
            if services := manager.GetServices():
                manager.RegisterAgent("/agent")
                self._service = self._dbus.Interface(
                    self._bus.get_object("net.connman", services[0][0]), "net.connman.Service")
                return
        sys.exit(f"ConnMan has found no network:\n{self._log.read_text()[-4000:]}")

    def ask(self, fixture, authority):
        """The verdict, as far as ConnMan shows it, and the login URL."""
        try:
            return self._ask()
        except self._dbus.DBusException as error:
            if error.get_dbus_name() not in GONE:
                raise
            try:
                self._process.wait(2)
                verdict = "crash"
            except subprocess.TimeoutExpired:
                # ConnMan only reads.
                self._process.kill()
                self._process.wait()
                verdict = "ready"
            # ConnMan connects as soon as it has started, and would fail again.
            self._names.answers = {"*": "nxdomain"}
            self._start()
            return verdict, None

    def _ask(self):
        try:
            self._service.Disconnect()
        except self._dbus.DBusException as error:
            if error.get_dbus_name() != "net.connman.Error.NotConnected":
                raise
        time.sleep(0.1)
        # A check of the previous fixture may have ended with its replay.
        self._dispatch()
        self._requests.clear()
        began = self._log.stat().st_size
        self._service.Connect()
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            self._dispatch()
            log = self._log.read_bytes()[began:].decode("latin-1")
            if self._requests:
                return "captivePortal", self._login(log)
            if self._service.GetProperties()["State"] == "online":
                return "online", None
            if len(re.findall(FAILED, log)) > 1:
                break
            check = log.rpartition("wispr_portal_request_portal")[2]
            if re.search(LAST, check) and not re.search(FAILED, check):
                # A status has its effect at once.
                end = min(end, time.monotonic() + 0.5)
            time.sleep(0.02)
        return "ready", None

    def _dispatch(self):
        while self._loop.iteration(False):
            pass

    def _login(self, log):
        kind, url = self._requests[0]
        if kind == "input":
            # A user name and a password, which are then sent to the URL in the WISPr message.
            found = re.search(r"Login URL: (\S+)", log)
            url = found and found[1]
        return self.login(url or None)

    @staticmethod
    def login(url):
        """Without a redirect, ConnMan requests a browser without a URL, or with the URL of its own request."""
        return None if url == PROBE else url

    @staticmethod
    def verdict(verdict):
        """The state after a check is "ready", unless the result is online or a portal."""
        return verdict if verdict in ("online", "captivePortal") else "ready"


ENGINES = [ConnMan()]
