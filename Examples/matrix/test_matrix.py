#!/usr/bin/env python3
"""Tests the page of `probekit verify --profile … --format html` in a real browser.

`Examples/matrix/test_matrix.py FOLDER [TEST…]`, with the folder of the built probekit: makes the page of a few
fixtures, opens it in a headless Chromium, and uses mouse and keyboard as a reader does.
"""

import asyncio
import contextlib
import logging
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "Examples/gallery"))

from gallery.browser import Browser

FIXTURES = ["worlds/open", "worlds/captive", "worlds/tls-interception-untrusted", "blocked/block-page"]
# The name of a folder and a key that would run scripts in a page that does not escape them.
HOSTILE = "<img src=x onerror=hacked=1>\"'&amp;\u202edlrow"
WRONG = """version: 1
name: wrong
"<script>hacked=1</script>": 1
"""
GREEN, ORANGE = "rgb(79, 195, 161)", "rgb(230, 159, 0)"
# How long an immediate change may take on a busy machine.
PATIENCE = 20


def make_page(probekit, folder):
    """Verifies the fixtures with probekit, and returns the path of the page."""
    for path in FIXTURES:
        shutil.copytree(os.path.join(ROOT, "fixtures", path), os.path.join(folder, "fixtures", path))
    wrong = os.path.join(folder, "fixtures", HOSTILE)
    os.makedirs(wrong)
    with open(os.path.join(wrong, "fixture.yaml"), "w", encoding="utf-8") as file:
        file.write(WRONG)
    page = os.path.join(folder, "matrix.html")
    with open(page, "wb") as file:
        run = subprocess.run(
            [probekit, "verify", "--profile", "default,apple", "--format", "html", "fixtures"], cwd=folder,
            stdout=file, stderr=subprocess.PIPE, timeout=120)
    # One fixture is invalid.
    assert run.returncode == 65, run.stderr.decode()
    return page


class PageTests(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = make_page(cls.probekit, folder.name)

    async def asyncSetUp(self):
        self.requests, self.messages, self.connections = [], [], 0
        stack = contextlib.AsyncExitStack()
        self.addAsyncCleanup(stack.aclose)
        # All requests of the page to a network would arrive here.
        proxy = await asyncio.start_server(self.connected, "127.0.0.1", 0)
        stack.callback(proxy.close)
        browser = await stack.enter_async_context(Browser())
        port = proxy.sockets[0].getsockname()[1]
        self.page = await stack.enter_async_context(browser.page(f"http://127.0.0.1:{port}"))
        watch = asyncio.create_task(self.watch())
        stack.callback(watch.cancel)
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            await self.page.send(f"{domain}.enable")
        await self.size(1200, 800)
        self.loaded = asyncio.Event()
        await self.page.send("Page.navigate", url=pathlib.Path(self.path).as_uri())
        await asyncio.wait_for(self.loaded.wait(), PATIENCE)

    def connected(self, _, writer):
        self.connections += 1
        writer.close()

    async def watch(self):
        while True:
            event = await self.page.events.get()
            method, parameters = event["method"], event["params"]
            if method == "Page.loadEventFired":
                self.loaded.set()
            elif method == "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            elif method == "Log.entryAdded":
                self.messages.append(parameters["entry"]["text"])
            elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
                self.messages.append(str(parameters))

    async def size(self, width, height):
        await self.page.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    async def value(self, expression):
        return await self.page.evaluate(expression)

    async def until(self, expression):
        """Waits until an expression is true in the page."""
        async def poll():
            while not await self.value(expression):
                await asyncio.sleep(0.02)

        try:
            await asyncio.wait_for(poll(), PATIENCE)
        except asyncio.TimeoutError:
            self.fail(f"never true: {expression}")

    @staticmethod
    def cell(path, profile):
        """The expression of a cell: the row of a fixture, the column of a profile."""
        return (
            f"(() => {{ const row = [...document.querySelectorAll('#matrix tbody tr')]"
            f".find(row => row.cells[0].textContent === {path!r});"
            f"const head = [...document.querySelectorAll('#matrix thead th')]"
            f".findIndex(head => head.textContent === {profile!r}); return row.cells[head] }})()")

    async def point(self, expression):
        """Moves the mouse to the middle of an element."""
        await self.value(
            f"{expression}.scrollIntoView({{ block: 'center' }}); window.isDrawn = false;"
            "requestAnimationFrame(() => requestAnimationFrame(() => { isDrawn = true })); void 0")
        await self.until("isDrawn")
        place = await self.value(
            f"(() => {{ const r = {expression}.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2] })()")
        await self.mouse("mouseMoved", *place)
        return place

    async def click(self, expression):
        place = await self.point(expression)
        for kind in ("mousePressed", "mouseReleased"):
            await self.mouse(kind, *place, button="left", clickCount=1)

    async def mouse(self, kind, x, y, **more):
        await self.page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    async def press(self, key, modifiers=0):
        codes = {"Tab": 9, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}
        for kind in ("rawKeyDown", "keyUp"):
            await self.page.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key],
                modifiers=modifiers)

    async def detail(self):
        """The text shown for a cell, or None."""
        return await self.value(
            "(() => { const d = document.getElementById('detail');"
            "return d.getClientRects().length ? d.innerText : null })()")

    async def visible(self):
        """The paths of the rows that are shown."""
        return await self.value(
            "[...document.querySelectorAll('#matrix tbody tr')].filter(row => row.getClientRects().length)"
            ".map(row => row.cells[0].textContent)")

    async def style(self, expression, name):
        return await self.value(f"getComputedStyle({expression})[{name!r}]")

    async def test_cells_have_letters_and_colors(self):
        for path, profile, letters, color in [
                ("fixtures/worlds/open", "default", "O", GREEN), ("fixtures/worlds/open", "apple", "O", GREEN),
                ("fixtures/worlds/captive", "default", "P", ORANGE),
                ("fixtures/blocked/block-page", "apple", "P!", ORANGE)]:
            with self.subTest(path=path, profile=profile):
                cell = self.cell(path, profile)
                self.assertEqual(await self.value(f"{cell}.textContent.trim()"), letters)
                self.assertEqual(await self.style(cell, "backgroundColor"), color)
                shadow = await self.style(cell, "boxShadow")
                self.assertEqual(shadow != "none", letters.endswith("!"))

    async def test_the_mouse_shows_the_evidence(self):
        self.assertIsNone(await self.detail())
        await self.point(self.cell("fixtures/worlds/captive", "default"))
        await self.until("!document.getElementById('detail').hidden")
        shown = await self.detail()
        self.assertIn("default: captive portal, as expected\n", shown)
        self.assertIn("fixtures/worlds/captive\n", shown)
        self.assertIn("expected: captive portal\n", shown)
        self.assertIn("login URL: http://login.hotel.example/welcome?room=none\n", shown)
        self.assertIn("0 of 4 probes in the set \"http\" received the expected response", shown)
        # The evidence stays while the mouse is over it, and disappears beside it.
        await self.point("document.getElementById('detail')")
        await asyncio.sleep(0.5)
        self.assertEqual(await self.detail(), shown)
        await self.point("document.querySelector('h1')")
        await self.until("document.getElementById('detail').hidden")
        await self.point(self.cell("fixtures/blocked/block-page", "apple"))
        await self.until("!document.getElementById('detail').hidden")
        self.assertIn("apple: captive portal, not the expected verdict", await self.detail())
        await self.point("document.querySelector('h1')")
        await self.until("document.getElementById('detail').hidden")

    async def test_the_evidence_stays_inside_the_window(self):
        for size in [(1200, 800), (420, 500)]:
            await self.size(*size)
            for path in await self.visible():
                if path.startswith("fixtures/<"):
                    continue
                await self.point(self.cell(path, "apple"))
                await self.until("!document.getElementById('detail').hidden")
                box = await self.value(
                    "(() => { const r = document.getElementById('detail').getBoundingClientRect();"
                    "return [r.left, r.top, r.right, r.bottom] })()")
                self.assertTrue(
                    box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1], f"{path} {box}")

    async def test_the_keyboard_moves_through_the_cells(self):
        focused = "document.activeElement"
        await self.value("document.getElementById('filter').focus()")
        for _ in range(3):
            await self.press("Tab")
        first = await self.value("document.querySelector('#matrix tbody th').textContent")
        self.assertEqual(await self.value(f"{focused}.parentNode.cells[0].textContent"), first)
        self.assertEqual(await self.value(f"{focused}.cellIndex"), 2)
        self.assertTrue((await self.detail()).startswith("default: "))
        self.assertEqual(await self.value(f"{focused}.getAttribute('aria-describedby')"), "detail")
        self.assertNotEqual(await self.style(focused, "outlineStyle"), "none")
        await self.press("ArrowRight")
        self.assertTrue((await self.detail()).startswith("apple: "))
        await self.press("ArrowRight")
        self.assertEqual(await self.value(f"{focused}.cellIndex"), 3)
        await self.press("ArrowDown")
        second = await self.value("document.querySelectorAll('#matrix tbody th')[1].textContent")
        self.assertIn(second, await self.detail())
        await self.press("Home")
        self.assertEqual(await self.value(f"{focused}.cellIndex"), 2)
        await self.press("End", modifiers=2)
        last = await self.value("[...document.querySelectorAll('#matrix tbody td')].at(-1) === document.activeElement")
        self.assertTrue(last)
        await self.press("Escape")
        self.assertIsNone(await self.detail())
        await self.press("ArrowUp")
        self.assertIsNotNone(await self.detail())
        # Only one cell is a tab stop, and leaving it hides its evidence.
        self.assertEqual(await self.value("document.querySelectorAll('#matrix [tabindex]').length"), 1)
        await self.press("Tab", modifiers=8)
        self.assertIsNone(await self.detail())

    async def test_rows_are_filtered(self):
        paths = await self.visible()
        self.assertEqual(len(paths), 5)
        await self.click("document.getElementById('filter')")
        await self.page.send("Input.insertText", text="WORLDS/")
        worlds = [path for path in paths if "worlds/" in path]
        self.assertEqual(await self.visible(), worlds)
        self.assertEqual(len(worlds), 3)
        self.assertEqual(await self.value("document.getElementById('shown').textContent"), "3 of 5 shown")
        await self.click("document.getElementById('disputed')")
        self.assertEqual(await self.visible(), ["fixtures/worlds/tls-interception-untrusted"])
        # The tab stop is a visible cell.
        self.assertTrue(await self.value("document.querySelector('#matrix [tabindex]').getClientRects().length > 0"))
        await self.click("document.getElementById('disputed')")
        self.assertEqual(await self.visible(), worlds)
        await self.value("document.getElementById('filter').select()")
        await self.page.send("Input.insertText", text="nothing is called so")
        self.assertEqual(await self.visible(), [])
        self.assertEqual(await self.value("document.getElementById('shown').textContent"), "0 of 5 shown")
        await self.value("document.getElementById('filter').select()")
        await self.page.send("Input.insertText", text=" ")
        self.assertEqual(len(await self.visible()), 1)
        await self.press("Tab")
        await self.click("document.getElementById('unexpected')")
        self.assertEqual(self.messages, [])

    async def test_headers_stay_visible(self):
        await self.size(360, 260)
        await self.value("scrollTo(30, document.querySelector('#matrix tbody').getBoundingClientRect().top + scrollY + 20)")
        self.assertGreater(await self.value("scrollY"), 100)
        head = "document.querySelector('#matrix thead th.profile').getBoundingClientRect().top"
        self.assertAlmostEqual(await self.value(head), 0, delta=1)
        self.assertGreaterEqual(
            await self.value("document.querySelector('#matrix tbody th').getBoundingClientRect().left"), 0)

    async def test_a_screen_reader_gets_words(self):
        tree = (await self.page.send("Accessibility.getFullAXTree"))["nodes"]
        names = {}
        for node in tree:
            role = node.get("role", {}).get("value")
            names.setdefault(role, []).append(node.get("name", {}).get("value"))
        self.assertIn("What each profile says of each network", names["grid"])
        self.assertIn("captive portal, as expected", names["gridcell"])
        self.assertIn("captive portal, not the expected verdict", names["gridcell"])
        self.assertIn("fixtures/worlds/captive", names["rowheader"])
        for name in ("default", "apple"):
            self.assertIn(name, names["columnheader"])
        self.assertIn("Fixtures with in their path", [" ".join(name.split()) for name in names["searchbox"]])

    async def test_there_is_a_light_and_a_dark_page(self):
        pages = {}
        for scheme in ("light", "dark"):
            await self.page.send(
                "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            pages[scheme] = (
                await self.style("document.body", "backgroundColor"), await self.style("document.body", "color"))
            cell = self.cell("fixtures/worlds/open", "default")
            self.assertEqual(await self.style(cell, "backgroundColor"), GREEN)
            self.assertEqual(await self.style(cell, "color"), "rgb(0, 0, 0)")
        self.assertEqual(pages["light"], ("rgb(255, 255, 255)", "rgb(27, 27, 27)"))
        self.assertEqual(pages["dark"], ("rgb(22, 24, 26)", "rgb(232, 232, 230)"))

    async def test_hostile_text_is_text(self):
        [path] = [path for path in await self.visible() if "<" in path]
        self.assertEqual(path, "fixtures/" + HOSTILE.replace("\u202e", "\\u{202e}"))
        cell = "[...document.querySelectorAll('#matrix tbody tr')].find(r => r.cells[0].textContent.includes('<')).cells[2]"
        self.assertEqual(await self.value(f"{cell}.textContent.trim()"), "-")
        await self.point(cell)
        await self.until("!document.getElementById('detail').hidden")
        self.assertIn("<script>hacked=1</script>", await self.detail())
        self.assertEqual(await self.value("typeof hacked"), "undefined")
        self.assertEqual(await self.value("document.querySelectorAll('img, script[src], link, iframe').length"), 0)
        self.assertEqual(await self.value("document.querySelectorAll('script').length"), 1)

    async def test_nothing_is_loaded_and_nothing_is_logged(self):
        for path in await self.visible():
            if "<" not in path:
                await self.point(self.cell(path, "default"))
        self.assertEqual(self.requests, [pathlib.Path(self.path).as_uri()])
        self.assertEqual(self.connections, 0)
        self.assertEqual(self.messages, [])

    async def test_the_policy_blocks_injected_content(self):
        await self.value(
            "window.violations = []; addEventListener('securitypolicyviolation',"
            "event => violations.push(event.effectiveDirective)); void 0")
        await self.value(
            "document.body.insertAdjacentHTML('beforeend', '<img src=http://192.0.2.1/x.png onerror=hacked=1>');"
            "const s = document.createElement('script'); s.textContent = 'hacked = 1'; document.body.append(s);"
            "const t = document.createElement('style'); t.textContent = 'h1 { color: red }'; document.body.append(t);"
            "fetch('http://192.0.2.1/').catch(() => {}); void 0")
        wanted = ["connect-src", "img-src", "script-src-elem", "style-src-elem"]
        await self.until("violations.length >= 4")
        self.assertEqual(sorted(set(await self.value("violations")) & set(wanted)), wanted)
        self.assertEqual(await self.value("typeof hacked"), "undefined")
        self.assertEqual(self.connections, 0)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print("usage: Examples/matrix/test_matrix.py FOLDER-OF-THE-BUILT-PROGRAMS [TEST...]", file=sys.stderr)
        return 64
    if not shutil.which("chromium"):
        print("test_matrix: chromium is not installed: run make matrix-test", file=sys.stderr)
        return 1
    # On a busy machine, asyncio would log slow callbacks.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    PageTests.probekit = os.path.join(os.path.abspath(sys.argv.pop(1)), "probekit")
    unittest.main()


if __name__ == "__main__":
    sys.exit(main())
