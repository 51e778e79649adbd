"""A headless Chromium, controlled over a pipe with the Chrome DevTools Protocol."""

import asyncio
import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile

# Options against requests of Chromium itself, and against destinations other than those of the page.
QUIET = [
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-domain-reliability", "--disable-sync", "--no-first-run", "--no-pings",
    "--metrics-recording-only", "--disable-auto-reload", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,MediaRouter",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
# The size of a page and its picture: that of a small window like those in which phones open portals.
WIDTH, HEIGHT = 400, 500


class BrowserError(Exception):
    """The browser did not start, has ended, or cannot execute a command."""


class Browser:
    """A new browser process with a temporary profile."""

    def __init__(self):
        self._numbers = itertools.count(1)
        self._answers = {}
        self._pages = {}
        self._process = self._writer = self._reading = None
        self._has_ended = False

    async def __aenter__(self):
        self._folder = tempfile.mkdtemp(prefix="probekit-gallery-")
        try:
            await self._start()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_):
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        if self._reading:
            self._reading.cancel()
            self._writer.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _start(self):
        commands, commands_end = os.pipe()
        answers_end, answers = os.pipe()
        arguments = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self._folder}", *QUIET]
        if os.geteuid() == 0:
            # Chromium's own sandbox is not available to root.
            arguments.append("--no-sandbox")
        # Chromium reads from descriptor 3 and writes to 4, whatever their numbers are here.
        script = f'exec 3<&{commands} 4>&{answers}; exec chromium "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "chromium", *arguments, "about:blank"], pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self._folder), start_new_session=True)
        os.close(commands)
        os.close(answers)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=1 << 28)
        protocol = asyncio.StreamReaderProtocol(reader)
        await loop.connect_read_pipe(lambda: protocol, os.fdopen(answers_end, "rb"))
        self._writer = os.fdopen(commands_end, "wb", buffering=0)
        self._reading = asyncio.create_task(self._read(reader))
        try:
            await asyncio.wait_for(self.send("Browser.getVersion"), 60)
        except asyncio.TimeoutError:
            raise BrowserError("chromium does not respond") from None

    async def _read(self, reader):
        try:
            while True:
                message = json.loads((await reader.readuntil(b"\0"))[:-1])
                if "id" in message:
                    answer = self._answers.pop(message["id"], None)
                    # The caller may have stopped waiting.
                    if answer and not answer.done():
                        answer.set_result(message)
                elif page := self._pages.get(message.get("sessionId")):
                    page.put_nowait(message)
        except asyncio.IncompleteReadError:
            pass
        finally:
            self._has_ended = True
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(BrowserError("chromium has ended"))

    async def send(self, method, session=None, **parameters):
        """Sends a command to the browser, or to one of its pages, and returns the result."""
        if self._has_ended:
            raise BrowserError("chromium has ended")
        message = {"id": next(self._numbers), "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        answer = self._answers[message["id"]] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(json.dumps(message).encode() + b"\0")
        except OSError:
            raise BrowserError("chromium has ended") from None
        found = await answer
        if "error" in found:
            raise BrowserError(f"{method}: {found['error'].get('message')}")
        return found["result"]

    @contextlib.asynccontextmanager
    async def page(self, proxy):
        """A page in a separate context without cookies and cache, with a proxy for all requests."""
        context = await self.send(
            "Target.createBrowserContext", proxyServer=proxy, proxyBypassList="<-loopback>")
        context = context["browserContextId"]
        try:
            target = await self.send(
                "Target.createTarget", url="about:blank", browserContextId=context, width=WIDTH,
                height=HEIGHT)
            attached = await self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)
            events = self._pages[attached["sessionId"]] = asyncio.Queue()
            await self.send("Browser.setDownloadBehavior", behavior="deny", browserContextId=context)
            yield Page(self, attached["sessionId"], events, target["targetId"])
        finally:
            if not self._has_ended:
                await self.send("Target.disposeBrowserContext", browserContextId=context)


class Page:
    """A page of a browser: its commands and its events."""

    def __init__(self, browser, session, events, frame):
        self._browser = browser
        self._session = session
        self.events = events
        # Its main frame has the ID of the target.
        self.frame = frame

    async def send(self, method, **parameters):
        return await self._browser.send(method, self._session, **parameters)

    async def evaluate(self, expression):
        """The value of an expression in the page."""
        found = await self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        return found["result"].get("value")
