// The app's login flow in a replayed hotel: node --test.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Guest } from "./guest.mjs";
import { Replay } from "./probekit-replay.mjs";

const hotel = fileURLToPath(new URL("../hotel", import.meta.url));
let portal, guest;

beforeEach(async () => {
  portal = await Replay.start([hotel], { program: process.env.PROBEKIT ?? "probekit" });
  guest = new Guest(portal.http);
});

afterEach(() => portal.stop());

test("a guest logs in, and the session ends", async () => {
  assert.equal(await guest.status(), "captive");
  assert.ok(await guest.login("12"));
  assert.equal(await portal.state("hotel"), "open");
  assert.equal(await guest.status(), "online");
  // The hotel ends the session.
  await portal.setState("hotel", "captive");
  assert.equal(await guest.status(), "captive");
});

test("the room is sent once", async () => {
  const waited = portal.waitFor("POST http://login.hotel.example/login");
  await guest.login("12");
  assert.deepEqual((await waited).map((request) => request.body), ["room=12"]);
  assert.deepEqual(await portal.requests({ unmatched: true }), []);
});

test("a broken login is retried", async () => {
  await portal.setFault("hotel", "login", { kind: "rst-early", requests: [1, 2] });
  assert.ok(await guest.login("12"));
  assert.equal((await portal.requests({ route: "login" })).length, 3);
  assert.equal(await guest.status(), "online");
});

test("a closed port is offline", async () => {
  await portal.setMode("http", "refused");
  assert.equal(await guest.status(), "offline");
  await portal.setMode("http", null);
  assert.equal(await guest.status(), "captive");
});

test("an error suggests the fix", async () => {
  await assert.rejects(portal.setState("hotel", "opne"), /did you mean open?/);
});
