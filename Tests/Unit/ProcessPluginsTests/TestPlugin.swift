import Glibc
import ProbeCore
import TestRequirements
import TestSupport

/// A plugin in Python that follows the instruction in each message.
struct TestPlugin {
  /// `do` is the action; every received line is appended to the file `seen`.
  private static let script = #"""
    #!/usr/bin/env python3
    import json, os, select, signal, sys

    def send(message):
        os.write(1, (json.dumps(message) + "\n").encode())

    def accept(id, **captures):
        send({"id": id, "accepted": True, "captures": captures})

    example = {"accepts": {"status": 200, "text": "yes"}, "rejects": {"status": 200, "text": "no"}}
    send({"hello": 1, "kind": KIND, "name": "test", "examples": [example]})
    held, rest = {}, b""
    while part := os.read(0, 65536):
        *lines, rest = (rest + part).split(b"\n")
        for index, line in enumerate(lines):
            with open("seen", "ab") as seen:
                seen.write(line + b"\n")
            message = json.loads(line)
            id, options = message.get("id"), message.get("options", message)
            action = options.get("do")
            if action == "accept":
                accept(id, process=str(os.getpid()))
            elif action == "reject":
                send({"id": id, "accepted": False, "reason": "shop.closed", "detail": "until Monday"})
            elif action == "fail":
                send({"id": id, "error": "no idea"})
            elif action == "hold":
                held[id] = options["name"]
            elif action == "release":
                for one in reversed(held):
                    accept(one, name=held[one])
                accept(id)
                held = {}
            elif action == "die":
                print("out of luck", file=sys.stderr)
                sys.exit(3)
            elif action == "stop":
                os.kill(os.getpid(), signal.SIGSTOP)
            elif action == "alone":
                more = index + 1 < len(lines) or rest or select.select([0], [], [], 0)[0]
                accept(id, alone=str(not more))
            elif "request" in message and "good" in message["request"]["url"]:
                send({"id": id, "response": {"status": 200, "headers": {"a": ["b"]}, "text": "ok",
                     "remoteAddress": "192.0.2.1:80", "timings": {"total": 0.1}}})
            elif "request" in message:
                send({"id": id, "failure": {"reason": "connect.refused", "detail": "refused"}})
    with open("seen", "ab") as seen:
        seen.write(b"end of input\n")
    """#

  /// Its folder, with the file `seen`.
  let folder: TemporaryFolder
  /// The plugin.
  var program: PluginProgram

  /// Writes the plugin, or skips the test if there is no Python.
  init(kind: PluginProgram.Kind = .validator, says hello: String? = nil) throws {
    guard unsafe access("/usr/bin/python3", X_OK) == 0 else { try skipTest("there is no /usr/bin/python3") }
    folder = try TemporaryFolder()
    try folder.write(
      program: "plugin.py", Self.script.replacing("KIND", with: "\"\(hello ?? kind.rawValue)\""))
    program = PluginProgram("test", kind, Program(["./plugin.py"], in: folder.path))
  }

  /// The lines received so far.
  var seen: [String] { readText(folder.path(of: "seen")).split(separator: "\n").map(String.init) }

  /// Waits until a line is received.
  func sees(_ text: String) async {
    while !seen.contains(where: { $0.contains(text) }) { await Task.yield() }
  }
}
