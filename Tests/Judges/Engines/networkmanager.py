"""NetworkManager as Arch Linux, Debian, Fedora and Ubuntu configure its connectivity check."""

import subprocess
import sys
import time
from pathlib import Path

from engine import Engine
from network import ENGINE, GATEWAY, INTERFACE, run

# NMConnectivityState: none, portal, limited, full. Unknown is no result.
STATES = {1: "offline", 2: "captivePortal", 3: "offline", 4: "online"}

BUS = """<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>
"""

CONFIGURATION = """[main]
plugins=keyfile
dns=none
no-auto-default=*
auth-polkit=false
[keyfile]
path={folder}/connections
[connectivity]
enabled=true
interval=86400
uri={uri}
{response}
"""

CONNECTION = f"""[connection]
id=engine
type=ethernet
interface-name={INTERFACE}
[ipv4]
method=manual
address1={ENGINE}/30,{GATEWAY}
dns={GATEWAY};
[ipv6]
method=disabled
"""


def start_bus(folder):
    """Starts a separate system bus, where programs look for it."""
    socket = Path("/run/dbus/system_bus_socket")
    socket.parent.mkdir()
    file = folder / "bus.conf"
    file.write_text(BUS)
    with open(folder / "bus.log", "wb") as log:
        subprocess.Popen(["dbus-daemon", f"--config-file={file}", "--nofork", "--nopidfile", "--nosyslog"], stderr=log)
    for _ in range(100):
        if socket.exists():
            return
        time.sleep(0.1)
    sys.exit(f"dbus-daemon did not start: {(folder / 'bus.log').read_text()}")


def call(destination, path, method, *arguments, seconds=60):
    """The result of a method call on the system bus, or None if it fails."""
    called = subprocess.run(
        ["dbus-send", "--system", "--print-reply=literal", f"--reply-timeout={seconds * 1000}",
         f"--dest={destination}", path, method, *arguments], capture_output=True, text=True)
    return None if called.returncode else called.stdout


class NetworkManager(Engine):
    """One instance with the settings of a distribution."""

    programs = ["NetworkManager", "dbus-daemon", "dbus-send"]

    def __init__(self, profile, uri, response=None):
        self.profile = profile
        self._uri = uri
        self._response = response

    @staticmethod
    def version():
        text = subprocess.run(["NetworkManager", "--version"], capture_output=True, text=True).stdout
        return f"NetworkManager {text.strip()}"

    def start(self, network):
        folder = network.folder
        (folder / "connections").mkdir()
        connection = folder / "connections/engine.nmconnection"
        connection.write_text(CONNECTION)
        connection.chmod(0o600)
        response = f"response={self._response}" if self._response is not None else ""
        (folder / "nm.conf").write_text(CONFIGURATION.format(folder=folder, uri=self._uri, response=response))
        for name in ("state", "none"):
            (folder / name).mkdir()
        start_bus(folder)
        # NetworkManager does not configure an interface that already has an address.
        run("ip", "address", "flush", "dev", INTERFACE)
        run("ip", "link", "set", INTERFACE, "down")
        with open(folder / "nm.log", "wb") as log:
            subprocess.Popen(
                ["NetworkManager", "--debug", f"--config={folder}/nm.conf", f"--config-dir={folder}/none",
                 f"--system-config-dir={folder}/none", f"--intern-config={folder}/state/intern.conf",
                 f"--state-file={folder}/state/state"], stdout=log, stderr=log)
        for _ in range(200):
            # NM_STATE_CONNECTED_SITE and NM_STATE_CONNECTED_GLOBAL: there is a default route.
            state = self._call("state")
            if state and state.split()[-1] in ("60", "70"):
                return
            time.sleep(0.1)
        sys.exit(f"NetworkManager did not connect:\n{(folder / 'nm.log').read_text()[-4000:]}")

    @staticmethod
    def _call(method):
        name = "org.freedesktop.NetworkManager"
        return call(name, "/org/freedesktop/NetworkManager", f"{name}.{method}")

    def ask(self, fixture, authority):
        """The verdict, and the URL that it opens for a login: always that of the check."""
        answer = self._call("CheckConnectivity")
        number = int(answer.split()[-1]) if answer else 0
        verdict = STATES.get(number, f"state {number}")
        return verdict, self._uri if verdict == "captivePortal" else None


ENGINES = [
    NetworkManager("networkmanager-arch", "http://ping.archlinux.org/nm-check.txt"),
    NetworkManager("networkmanager-debian", "http://network-test.debian.org/nm"),
    NetworkManager("networkmanager-fedora", "http://fedoraproject.org/static/hotspot.txt", "OK"),
    NetworkManager("networkmanager-ubuntu", "http://connectivity-check.ubuntu.com/"),
]
