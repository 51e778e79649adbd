// An imaginary app of a hotel: it finds the captive portal, and logs in with the room number.

import { request } from "node:http";

export class Guest {
  constructor(address) {
    // In production, the app resolves the names; in a test, the replay server responds for all hosts.
    [this.host, this.port] = address.split(":");
  }

  #send(method, host, path, body = "") {
    return new Promise((resolve, reject) => {
      const headers = { Host: host, "Content-Length": Buffer.byteLength(body) };
      const options = { host: this.host, port: this.port, method, path, headers, agent: false, timeout: 5000 };
      const sent = request(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  /** online, captive or offline. */
  async status() {
    try {
      return (await this.#send("GET", "check.example", "/online")) === 204 ? "online" : "captive";
    } catch {
      return "offline";
    }
  }

  /** Logs in, and returns whether that succeeded; retries after a broken connection. */
  async login(room, attempts = 3) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        return (await this.#send("POST", "login.hotel.example", "/login", `room=${room}`)) === 303;
      } catch {
        continue;
      }
    }
    return false;
  }
}
