#!/usr/bin/env python3
"""Tests of the gallery that need no browser: `python3 Examples/gallery/test_gallery.py`."""

import asyncio
import os
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

from gallery import cards, index, visits
from gallery.network import Proxy

FIXTURE = """
version: 1
name: lobby
source: {{ kind: synthetic, reference: "<b>a lobby</b>" }}
expect: {{ verdict: {verdict}, loginURL: "http://10.0.0.1/?a&b" }}
routes: [{{ id: all }}]
"""


class CardTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for path, verdict in [
                ("blocked/page", "intercepted"), ("portals/lobby", "captivePortal"), ("portals/open", "online"),
                ("worlds/hotel", "[captivePortal]"), ("worlds/odd", "[captivePortal, offline]")]:
            os.makedirs(os.path.join(self.root, path))
            with open(os.path.join(self.root, path, "fixture.yaml"), "w") as file:
                file.write(FIXTURE.format(verdict=verdict))

    def paths(self, names=(), everything=False):
        return [card.path for card in cards.select(self.root, names, everything)]

    def test_portals_are_the_default_and_come_first(self):
        portals = ["portals/lobby", "portals/open", "worlds/hotel"]
        self.assertEqual(self.paths(), portals)
        self.assertEqual(self.paths(everything=True), portals + ["blocked/page", "worlds/odd"])

    def test_names_select_fixtures(self):
        self.assertEqual(self.paths(["odd", "portals/"]), ["worlds/odd", "portals/lobby", "portals/open"])
        self.assertEqual(self.paths([os.path.join(self.root, "blocked/page")]), ["blocked/page"])
        with self.assertRaisesRegex(cards.CannotRun, 'no fixture has "nowhere" in its path'):
            self.paths(["nowhere"])

    def test_a_fixture_that_cannot_be_read_has_a_card(self):
        with open(os.path.join(self.root, "blocked/page/fixture.yaml"), "w") as file:
            file.write("- [")
        [card] = cards.select(self.root, ["blocked"], False)
        self.assertIn("fixture.yaml cannot be read", card.notes[0])

    def test_the_page_shows_text_as_text(self):
        [card] = cards.select(self.root, ["hotel"], False)
        card.reason = "<script>\u202e"
        page = index.html([card], os.path.join(self.root, "docs"))
        self.assertIn('<a href="../worlds/hotel/">worlds/hotel</a>', page)
        self.assertIn("synthetic: &lt;b&gt;a lobby&lt;/b&gt;", page)
        self.assertIn("captivePortal, http://10.0.0.1/?a&amp;b", page)
        self.assertIn("No picture: &lt;script&gt;\\u{202e}", page)


class ProxyTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        async def answer(name, reader, writer):
            start = await reader.read(100)
            writer.write(name + b" got " + start)
            writer.close()

        self.listeners, self.servers = {}, []
        for name in ("http", "https"):
            server = await asyncio.start_server(
                lambda reader, writer, name=name.encode(): answer(name, reader, writer), "127.0.0.1", 0)
            self.servers.append(server)
            self.listeners[name] = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def asyncTearDown(self):
        for server in self.servers:
            server.close()

    async def ask(self, proxy, *parts):
        """Sends the parts, and returns the response to each."""
        reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rsplit(":", 1)[1]))
        answers = []
        for part in parts:
            writer.write(part)
            answers.append(await asyncio.wait_for(reader.read(1000), 10))
        writer.close()
        return answers

    async def test_requests_go_to_the_plain_listener(self):
        request = b"GET http://10.0.0.1:2050/a HTTP/1.1\r\nHost: 10.0.0.1:2050\r\n\r\n"
        async with Proxy(self.listeners) as proxy:
            self.assertEqual(await self.ask(proxy, request), [b"http got " + request])

    async def test_tunnels_are_forwarded_by_their_first_byte(self):
        connect = b"CONNECT shop.example:443 HTTP/1.1\r\n\r\n"
        async with Proxy(self.listeners) as proxy:
            connected = b"HTTP/1.1 200 Connected\r\n\r\n"
            self.assertEqual((await self.ask(proxy, connect, b"\x16"))[0], connected)
            self.assertTrue((await self.ask(proxy, connect, b"\x16\x03"))[1].startswith(b"https got \x16"))
            self.assertTrue((await self.ask(proxy, connect, b"GET"))[1].startswith(b"http got G"))

    async def test_a_refused_connection_is_reset_and_reported(self):
        self.servers[0].close()
        async with Proxy(self.listeners) as proxy:
            with self.assertRaises(ConnectionResetError):
                await self.ask(proxy, b"GET http://a.example/ HTTP/1.1\r\n\r\n")
            self.assertEqual(proxy.failure, "http: connection refused")


class Page:
    """A page with the given events, in order."""

    frame = "main"

    def __init__(self, *events):
        self.events = asyncio.Queue()
        for method, parameters in events:
            self.events.put_nowait({"method": method, "params": parameters})


def navigated(url, **more):
    return ("Page.frameNavigated", {"frame": {"id": "main", "url": url, **more}})


LOADED = ("Page.loadEventFired", {})


class RestTests(unittest.IsolatedAsyncioTestCase):
    async def rest(self, *events, seconds=1.0):
        visit = visits.Visit("http://a.example/")
        rested = await visits._rest(Page(*events), visit, time.monotonic() + seconds)
        return rested, visit

    async def asyncSetUp(self):
        quiet = visits.QUIET
        visits.QUIET = 0.05
        self.addCleanup(setattr, visits, "QUIET", quiet)

    async def test_navigations_are_followed(self):
        head = {"frameId": "main", "type": "Document", "response": {"status": 511}}
        rested, visit = await self.rest(
            navigated("http://a.example/"), LOADED, ("Page.frameStartedNavigating", {"frameId": "main"}),
            ("Network.responseReceived", head), navigated("http://b.example/"), LOADED)
        self.assertEqual((rested, visit.url, visit.status, visit.error), (True, "http://b.example/", 511, None))

    async def test_a_page_that_does_not_finish_is_cut(self):
        rested, visit = await self.rest(navigated("http://a.example/"), seconds=0.1)
        self.assertEqual((rested, visit.url), (False, "http://a.example/"))

    async def test_an_error_is_no_page(self):
        sent = {"frameId": "main", "type": "Document", "requestId": "1"}
        rested, visit = await self.rest(
            ("Network.requestWillBeSent", sent),
            ("Network.loadingFailed", {"requestId": "1", "errorText": "net::ERR_EMPTY_RESPONSE"}),
            ("Network.loadingFailed", {"requestId": "2", "errorText": "net::ERR_FAILED"}),
            navigated("chrome-error://chromewebdata/", unreachableUrl="http://a.example/"))
        self.assertTrue(rested)
        self.assertEqual((visit.is_page, visit.error), (False, "net::ERR_EMPTY_RESPONSE"))

    async def test_an_incomplete_page_is_a_page(self):
        sent = {"frameId": "main", "type": "Document", "requestId": "1"}
        rested, visit = await self.rest(
            ("Network.requestWillBeSent", sent), navigated("http://a.example/"),
            ("Network.loadingFailed", {"requestId": "1", "errorText": "net::ERR_CONNECTION_RESET"}), LOADED)
        self.assertEqual((rested, visit.is_page, visit.failure), (True, True, "net::ERR_CONNECTION_RESET"))

    async def test_downloads_and_empty_responses_are_no_pages(self):
        _, saved = await self.rest(("opened", {"errorText": "net::ERR_ABORTED", "isDownload": True}))
        self.assertEqual((saved.is_page, saved.error), (False, "a file to be saved"))
        head = {"frameId": "main", "type": "Document", "response": {"status": 204}}
        _, empty = await self.rest(
            ("Network.responseReceived", head), ("opened", {"errorText": "net::ERR_ABORTED"}))
        self.assertEqual((empty.is_page, empty.error), (False, "status 204"))


if __name__ == "__main__":
    unittest.main()
