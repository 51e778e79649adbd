"""What a browser shows of a fixture: the URL it opens, how long it waits, and what is recorded."""

import asyncio
import base64
import contextlib
import dataclasses
import json
import os
import time

from .browser import BrowserError
from .network import Proxy

# The URL that Apple's devices open on a new network.
START = "http://captive.apple.com/hotspot-detect.html"
# How long a loaded page is watched for scripts that navigate.
QUIET = 2.0

# The visible contents of a page: its title, its text, and the number of other elements, including frames.
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
    """The result of opening a URL."""

    requested: str
    url: str | None = None
    status: int | None = None
    # Why there is no page, or why the rest of one is missing.
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
    """Takes the picture of a card's fixture, or records why there is none."""
    try:
        async with Replay(probekit, card.folder) as listeners, Proxy(listeners) as proxy:
            visit = await _visit(browser, proxy, START, patience)
            # If a phone would show no page: the login page.
            if card.target and card.target != START and (
                    not visit.is_page or visit.is_blank or visit.is_operators_answer):
                second = await _visit(browser, proxy, card.target, patience)
                if second.is_page and not second.is_blank or not visit.is_page:
                    card.notes.append(f"{_description(visit)}, so the login page was opened")
                    visit = second
    except asyncio.TimeoutError:
        card.reason = "the browser could not take a picture in time: a script may keep it busy"
        return
    except (BrowserError, OSError, ReplayError) as error:
        card.reason = str(error)
        return
    if not visit.is_page:
        card.reason = _description(visit) + (f" ({proxy.failure})" if proxy.failure else "")
        return
    card.shown, card.title = visit.url, visit.title
    if visit.status and visit.status != 200:
        card.notes.append(f"the page has status {visit.status}")
    if visit.is_blank:
        card.notes.append("the page is blank")
    if visit.failure:
        card.notes.append(f"the page is incomplete, or navigates to an error: {visit.failure}")
    if visit.is_cut:
        card.notes.append(f"the page was not at rest after {patience:g} s")
    card.picture = card.path.replace(os.sep, "/") + ".png"
    file = os.path.join(output, card.picture)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as picture:
        picture.write(visit.picture)


def _description(visit):
    if visit.error:
        return f"{visit.requested} gives no page: {visit.error}"
    if visit.is_operators_answer:
        return f"{visit.requested} returns the operator's own response"
    return f"{visit.requested} leads to a blank page"


async def _visit(browser, proxy, url, patience):
    """Opens a URL, follows it until a page is at rest, and takes a picture of it."""
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
                await _inspect(page, visit)
            except asyncio.TimeoutError:
                # A page that ends early is never painted.
                if not visit.failure:
                    raise
                visit.url = None
    if not visit.is_page and not visit.error:
        visit.error = visit.failure or f"no page within {patience:g} s"
    return visit


async def _inspect(page, visit):
    """Records the contents of the page, and takes its picture."""
    try:
        sight = await asyncio.wait_for(page.evaluate(SIGHT), 5) or {}
        visit.title, visit.text = sight.get("title", ""), sight.get("text", "")
        visit.things = sight.get("things", 0)
    except (asyncio.TimeoutError, BrowserError):
        visit.text = "?"
    shot = await asyncio.wait_for(page.send("Page.captureScreenshot", format="png"), 10)
    visit.picture = base64.b64decode(shot["data"])


async def _open(page, url):
    """Opens a URL, and makes the result an event, which may take as long as the first page."""
    try:
        page.events.put_nowait({"method": "opened", "params": await page.send("Page.navigate", url=url)})
    except BrowserError as error:
        page.events.put_nowait({"method": "opened", "params": {"errorText": str(error)}})


async def _rest(page, visit, end):
    """Watches a page until it has not navigated for a while; returns false if it is not at rest in time."""
    # The time of rest if nothing more happens; None while something is pending.
    rest = None
    # The request for the main frame's page, across redirects.
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
            # No error page follows if a file is to be saved, or if nothing is to change (RFC 9110 §15.3.5).
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
                # Chromium shows its own error page, and does not navigate any further.
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
            visit.error = "the page crashed the browser"
            return True
    return rest is not None and rest <= end


class ReplayError(Exception):
    """A fixture cannot be replayed."""


class Replay:
    """`probekit replay` of a fixture, while it is rendered."""

    def __init__(self, probekit, folder):
        self._command = [probekit, "replay", "--format", "json", folder]

    async def __aenter__(self):
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), 30)
            if not line:
                raise ReplayError("the fixture cannot be replayed: probekit lint reports why")
            return json.loads(line)["listeners"]
        except BaseException:
            await self.__aexit__()
            raise

    async def __aexit__(self, *_):
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()
