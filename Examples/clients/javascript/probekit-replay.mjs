// Starts `probekit replay`, controls it, and stops it: captive portals for tests. Needs only Node.js.
//
//   const portal = await Replay.start(["fixtures/portals/coova-chilli"]);
//   await portal.setState("coova-chilli", "open");
//   await portal.waitFor("POST /login");
//   await portal.stop();

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export class Replay {
  /** Starts a replay; `http`, `https` and `tcp` are its addresses, `ca` is the file of its authority. */
  static async start(fixtures, { program = "probekit" } = {}) {
    const options = ["replay", "--format", "json", "--control", "127.0.0.1:0"];
    const child = spawn(program, [...options, ...fixtures], { stdio: ["ignore", "pipe", "inherit"] });
    const started = once(createInterface({ input: child.stdout }), "line").then(([line]) => line);
    const failed = new Promise((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`probekit replay ended with exit code ${code}`)));
    });
    failed.catch(() => {});
    return new Replay(child, JSON.parse(await Promise.race([started, failed])));
  }

  constructor(child, announced) {
    this.child = child;
    this.token = announced.control.token;
    this.base = `http://${announced.control.address}/v1`;
    Object.assign(this, announced.listeners, { ca: announced.ca });
  }

  async stop() {
    const ended = once(this.child, "exit");
    this.child.kill();
    await ended;
  }

  /** Sends a request to an endpoint, such as call("GET", ["states"]). */
  async call(method, path, { body, query = {} } = {}) {
    const url = new URL([this.base, ...path.map(encodeURIComponent)].join("/"));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" };
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const result = await response.json();
    if (!response.ok) throw new Error([result.error.message, result.error.fix].filter(Boolean).join(": "));
    return result;
  }

  async state(fixture) {
    return (await this.call("GET", ["states", fixture])).state;
  }

  setState(fixture, state) {
    return this.call("PUT", ["states", fixture], { body: { state } });
  }

  /** open, refused, blackhole, rst or hold; null restores the mode of the fixture. */
  setMode(listener, mode) {
    return this.call(mode ? "PUT" : "DELETE", ["listeners", listener], { body: mode && { mode } });
  }

  /** For example { kind: "rst-early", requests: [1] }; null restores the fault of the fixture. */
  setFault(fixture, route, fault) {
    return this.call(fault ? "PUT" : "DELETE", ["faults", fixture, route], { body: fault });
  }

  /** The received requests; { request: "POST /login" }, { since: 3 } or { unmatched: true } selects some. */
  async requests(query) {
    return (await this.call("GET", ["requests"], { query })).requests;
  }

  async waitFor(request, seconds = 10) {
    const found = await this.requests({ request, wait: seconds });
    if (found.length === 0) throw new Error(`no request matched ${request} within ${seconds} s`);
    return found;
  }
}
