import Foundation
import TestRequirements
import TestSupport

/// Changes of a real network that the test creates, observed by `path-watcher`.
enum NetworkScript {
  /// The start of every script: `ip` runs a command, `watch` starts a watcher, and `expect` prints, under a
  /// name, the first line of its output for which a condition is true, or the last line if there is none.
  private static let tools = #"""
    import json, os, queue, subprocess, sys, threading, time
    program = sys.argv[1]

    def ip(command): subprocess.run(["ip"] + command.split(), check=True)
    def can(command): return subprocess.run(["ip"] + command.split(), capture_output=True).returncode == 0
    def say(name, **facts): print(json.dumps(dict(name=name, **facts)), flush=True)

    class Watcher:
        def __init__(self, *arguments):
            self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.lines = queue.Queue()
            self.last = {}
            self.count = 0
            threading.Thread(target=self.read, daemon=True).start()
            self.until(lambda line: "path" in line)
        def read(self):
            for line in self.process.stdout: self.lines.put(json.loads(line))
        def until(self, holds, key="path"):
            end = time.monotonic() + 600
            while True:
                if key in self.last and holds(self.last): return True
                try: line = self.lines.get(timeout=max(0.01, end - time.monotonic()))
                except queue.Empty: return False
                if "path" in line: self.count += 1
                self.last.update(line)
        def expect(self, name, holds):
            came = self.until(lambda line: holds(line["path"]))
            say(name, came=came, path=self.last["path"])
        def ask(self, text):
            print(text, file=self.process.stdin, flush=True)
        def route(self, name, address):
            self.last.pop("asked", None); self.last.pop("route", None)
            self.ask("route " + address)
            came = self.until(lambda line: line["asked"] == address, "asked")
            say(name, came=came, route=self.last.get("route"))
        def observe(self, target):
            self.ask("reach " + target)
        def reach(self, name, target, holds):
            came = self.until(lambda line: line["observer"] == target and holds(line["reachability"]), "observer")
            say(name, came=came, reachability=self.last.get("reachability"), status=self.last.get("status"))
        def stop(self):
            self.process.stdin.close()
            self.process.wait(600)

    def link(path, name):
        return next((entry for entry in path["interfaces"] if entry["name"] == name), {})
    def way(path, family="v4"):
        return path["internet"].get(family, {})
    # A cable: our end, and the end of a router that nobody needs.
    def cable(ours, theirs, address=None):
        ip("link add %s type veth peer name %s" % (ours, theirs))
        ip("link set %s up" % ours)
        ip("link set %s up" % theirs)
        if address: ip("address add %s dev %s" % (address, ours))
    def settle(watcher):
        # What is told behind it has been seen, too.
        ip("link add settled type bridge")
        watcher.until(lambda line: link(line["path"], "settled"))
        ip("link delete settled")
        watcher.until(lambda line: not link(line["path"], "settled"))
    # Addresses of IPv6 that links give themselves would come whenever they like.
    for folder in ["default", "all"]:
        with open("/proc/sys/net/ipv6/conf/%s/addr_gen_mode" % folder, "w") as file: file.write("1")
        with open("/proc/sys/net/ipv6/conf/%s/accept_dad" % folder, "w") as file: file.write("0")

    """#

  /// Runs a script in an isolated network.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - arguments: Its arguments in `sys.argv`, after the watcher's path.
  /// - Returns: The observed lines, by name.
  /// - Throws: An error if the script fails.
  static func run(_ script: String, _ arguments: String...) async throws -> [String: Seen] {
    let all: [Seen] = try await OwnNetwork.run(
      tools + script, [try builtProgram("path-watcher")] + arguments)
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }

  /// A line of a watcher's output, under the name that the script gave it.
  struct Seen: Decodable, Sendable {
    var name: String
    /// Whether the condition of `expect` became true.
    var came: Bool?
    var path: Path?
    var route: Way?
    var reachability: String?
    var status: String?
    /// The measured value.
    var number: Double?
  }

  struct Path: Decodable, Sendable {
    var interfaces: [Interface]
    var defaultRoutes: [Way]
    var internet: [String: Way]
    var current: String?

    subscript(name: String) -> Interface? { interfaces.first { $0.name == name } }
  }

  struct Interface: Decodable, Sendable {
    var name: String
    var kind: String
    var isUp: Bool
    var hasCarrier: Bool
    var isRunning: Bool
    var isMetered: Bool?
    var addresses: [String]
  }

  struct Way: Decodable, Sendable, Equatable {
    var interface: String
    var gateway: String?
    var source: String?
    var metric: Int?
  }
}
