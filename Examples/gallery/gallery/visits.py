"""What a browser shows of a fixture: what is opened, how long it is waited for, and what is noted."""

import asyncio
import base64
import contextlib
import dataclasses
import json
import os
import time

from .browser import BrowserError
from .network import Proxy

# What Apple's devices open on a network that is new to them, and what they find on an open one.
START = "http://captive.apple.com/hotspot-detect.html"
# How long a page that has loaded is watched for scripts that lead on.
QUIET = 2.0

# What can be seen of a page: its title and text, and whether there is anything else, frames included.
SIGHT = """(() => {
  const seen = "img, input, button, select, textarea, svg, canvas, video, object, embed, iframe, frame, hr";
  const body = document.body;
  return {
    title: document.title,
    text: (body ? body.innerText : (document.documentElement || {}).textContent || "").trim().slice(0, 200),
    things: document.querySelectorAll(seen).length
  };
})()"""


@dataclasses.dataclass
class Visit:
    """Where the opening of a URL has led."""

    asked: str
    url: str | None = None
    status: int | None = None
    # Why there is no page, or what became of the rest of one.
    error: str | None = None
    failure: str | None = None
    title: str = ""
    text: str = ""
    things: int = 0
    is_cut: bool = False
    picture: bytes = b""

    @property
    def is_page(self):
        return self.error is None and self.url is not None

    @property
    def is_blank(self):
        return self.is_page and not self.text and not self.things

    @property
    def is_operators_answer(self):
        return self.url == START and self.text == "Success" and self.title == "Success"


async def render(card, browser, probekit, output, patience):
    """Takes the picture of a card's fixture, or notes why there is none."""
    try:
        async with Replay(probekit, card.folder) as listeners, Proxy(listeners) as proxy:
            visit = await _visit(browser, proxy, START, patience)
            # The page itself, where a phone would be shown none: the one to log in at.
            if card.target and card.target != START and (
                    not visit.is_page or visit.is_blank or visit.is_operators_answer):
                second = await _visit(browser, proxy, card.target, patience)
                if second.is_page and not second.is_blank or not visit.is_page:
                    card.notes.append(f"{_words(visit)}; so the login page was opened")
                    visit = second
    except asyncio.TimeoutError:
        card.reason = "the browser does not get to taking a picture: a script may keep it busy"
        return
    except (BrowserError, OSError, ReplayError) as error:
        card.reason = str(error)
        return
    if not visit.is_page:
        card.reason = _words(visit) + (f" ({proxy.failure})" if proxy.failure else "")
        return
    card.shown, card.title = visit.url, visit.title
    if visit.status and visit.status != 200:
        card.notes.append(f"the page has status {visit.status}")
    if visit.is_blank:
        card.notes.append("there is nothing to see on the page")
    if visit.failure:
        card.notes.append(f"it breaks off, or leads on to nothing: {visit.failure}")
    if visit.is_cut:
        card.notes.append(f"it had not come to rest after {patience:g} s")
    card.picture = card.path.replace(os.sep, "/") + ".png"
    file = os.path.join(output, card.picture)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as picture:
        picture.write(visit.picture)


def _words(visit):
    if visit.error:
        return f"{visit.asked} leads to no page: {visit.error}"
    if visit.is_operators_answer:
        return f"{visit.asked} gets the operator's own answer"
    return f"{visit.asked} leads to a page with nothing to see"


async def _visit(browser, proxy, url, patience):
    """Opens a URL, follows it to where it rests, and takes a picture of that."""
    visit = Visit(url)
    async with browser.page(proxy.url) as page:
        for domain in ("Page", "Network", "Runtime", "Security"):
            await page.send(f"{domain}.enable")
        await page.send("Security.setIgnoreCertificateErrors", ignore=True)
        end = time.monotonic() + patience
        opening = asyncio.create_task(_open(page, url))
        visit.is_cut = not await _rest(page, visit, end)
        opening.cancel()
        if visit.is_page:
            try:
                await _see(page, visit)
            except asyncio.TimeoutError:
                # Of a page that breaks off early nothing is ever painted.
                if not visit.failure:
                    raise
                visit.url = None
    if not visit.is_page and not visit.error:
        visit.error = visit.failure or f"no page in {patience:g} s"
    return visit


async def _see(page, visit):
    """Notes what is on the page, and takes its picture."""
    try:
        sight = await asyncio.wait_for(page.evaluate(SIGHT), 5) or {}
        visit.title, visit.text = sight.get("title", ""), sight.get("text", "")
        visit.things = sight.get("things", 0)
    except (asyncio.TimeoutError, BrowserError):
        visit.text = "?"
    shot = await asyncio.wait_for(page.send("Page.captureScreenshot", format="png"), 10)
    visit.picture = base64.b64decode(shot["data"])


async def _open(page, url):
    """Opens a URL, and makes what comes of that an event; it may be as long in coming as the first page is."""
    try:
        page.events.put_nowait({"method": "opened", "params": await page.send("Page.navigate", url=url)})
    except BrowserError as error:
        page.events.put_nowait({"method": "opened", "params": {"errorText": str(error)}})


async def _rest(page, visit, end):
    """Watches a page until nothing has led on for a while; false when it has not come to rest in time."""
    # When it rests if nothing more happens; None while something is awaited.
    rest = None
    # The request of the main frame's page, as it goes from redirect to redirect.
    request = None
    while (left := min(rest or end, end) - time.monotonic()) > 0:
        try:
            event = await asyncio.wait_for(page.events.get(), left)
        except asyncio.TimeoutError:
            break
        method, what = event["method"], event["params"]
        frame = what.get("frameId", what.get("frame", {}).get("id"))
        is_main = frame == page.frame
        if method == "Page.javascriptDialogOpening":
            with contextlib.suppress(BrowserError):
                await page.send("Page.handleJavaScriptDialog", accept=True)
        elif method == "Network.requestWillBeSent" and is_main and what.get("type") == "Document":
            request = what["requestId"]
        elif method == "Network.responseReceived" and is_main and what["type"] == "Document":
            visit.status = what["response"]["status"]
        elif method == "opened":
            # No error page follows where a file is to be saved, or nothing is to change (RFC 9110 §15.3.5).
            if what.get("isDownload"):
                visit.error = "a file to be saved"
            elif visit.url is None and what.get("errorText") == "net::ERR_ABORTED":
                visit.error = f"status {visit.status}" if visit.status else "nothing that can be shown"
            if visit.error:
                rest = time.monotonic() + QUIET
        elif method == "Network.loadingFailed" and what["requestId"] == request and not what.get("canceled"):
            visit.failure = what["errorText"]
        elif method == "Page.frameNavigated" and is_main and "parentId" not in what["frame"]:
            if what["frame"].get("unreachableUrl"):
                # Chromium shows a page of its own, and will not go anywhere from there.
                visit.url, visit.error = None, visit.failure or "an error"
                return True
            visit.url, visit.error, visit.failure = what["frame"]["url"], None, None
            rest = None
        elif method == "Page.frameScheduledNavigation" and is_main:
            rest = time.monotonic() + what["delay"] + QUIET
        elif method == "Page.frameStartedNavigating" and is_main:
            rest = None
        elif method in ("Page.loadEventFired", "Page.frameStoppedLoading") and visit.is_page:
            rest = max(rest or 0, time.monotonic() + QUIET)
        elif method == "Inspector.targetCrashed":
            visit.error = "the page made the browser crash"
            return True
    return rest is not None and rest <= end


class ReplayError(Exception):
    """A fixture cannot be replayed."""


class Replay:
    """`probekit replay` of a fixture, as long as it is looked at."""

    def __init__(self, probekit, folder):
        self._command = [probekit, "replay", "--format", "json", folder]

    async def __aenter__(self):
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), 30)
            if not line:
                raise ReplayError("it cannot be replayed: probekit lint tells why")
            return json.loads(line)["listeners"]
        except BaseException:
            await self.__aexit__()
            raise

    async def __aexit__(self, *_):
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()
