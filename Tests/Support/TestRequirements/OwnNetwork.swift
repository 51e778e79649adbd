import Foundation
import TestSupport
import Testing

/// An isolated network for a test, which contains only what the test puts there.
package enum OwnNetwork {
  /// The error that a program in the network failed.
  package struct Failed: Error, CustomStringConvertible {
    package let description: String
  }

  /// The start of every program: the loopback interface is up, `replace` replaces a file of the machine, if
  /// it exists, with another text, and `DNS` is a DNS server.
  private static let prelude = #"""
    import collections, os, socket, subprocess, threading, time
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    replaced = set()
    def replace(path, text):
        if not os.path.exists(path): return
        own = __file__ + path.replace("/", ".")
        with open(own, "w") as file: file.write(text)
        if path not in replaced: subprocess.run(["mount", "--bind", own, path], check=True)
        replaced.add(path)

    class DNS:
        """Answers at 127.0.0.1 what answer(name, kind) says, kind being A or AAAA: a list of pairs, such as
        ("CNAME", "other.test"), a response code, or None for silence. The name has no dot at its end."""
        kinds = {1: "A", 28: "AAAA"}
        def __init__(self, answer):
            self.answer, self.asked, self.delay = answer, collections.Counter(), 0
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            self.socket.bind(("127.0.0.1", 53))
            threading.Thread(target=self.serve, daemon=True).start()
        def serve(self):
            while True:
                threading.Thread(target=self.reply, args=self.socket.recvfrom(4096), daemon=True).start()
        def reply(self, query, sender):
            labels, place = [], 12
            while query[place]:
                labels.append(query[place + 1:place + 1 + query[place]].decode())
                place += 1 + query[place]
            name, question = ".".join(labels), query[12:place + 5]
            self.asked[name.lower()] += 1
            found = self.answer(name.lower(), self.kinds.get(query[place + 2]))
            if found is None: return
            code, records = (found, []) if isinstance(found, int) else (0, found)
            parts = []
            for kind, value in records:
                number = {"A": 1, "AAAA": 28, "CNAME": 5}[kind]
                data = self.encoded(value) if kind == "CNAME" else socket.inet_pton(
                    socket.AF_INET if kind == "A" else socket.AF_INET6, value)
                parts.append(self.encoded(name) + bytes([0, number, 0, 1, 0, 0, 1, 44, 0, len(data)]) + data)
                if kind == "CNAME": name = value
            time.sleep(self.delay)
            head = query[:2] + bytes([0x81, 0x80 | code, 0, 1, 0, len(parts), 0, 0, 0, 0])
            self.socket.sendto(head + question + b"".join(parts), sender)
        @staticmethod
        def encoded(name):
            return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"

    """#

  /// Runs a Python program as root of new network and mount namespaces.
  ///
  /// If this machine does not permit that, or lacks a tool, the test is skipped.
  ///
  /// - Parameters:
  ///   - script: The program after ``prelude``; each line that it prints is one JSON value.
  ///   - arguments: Its arguments.
  ///   - tools: The commands that it needs in addition to `ip` and `mount`.
  /// - Returns: Its output.
  /// - Throws: ``Failed`` with its error output if the exit code is not 0.
  package static func run<Line: Decodable & Sendable>(
    _ script: String, _ arguments: [String], tools: [String] = []
  ) async throws -> [Line] {
    let files = try TemporaryFolder(["network.py": prelude + script])
    // With exec, so that there is no shell process between the test and the namespaces.
    let enter = """
      exec >"$0/output" 2>"$0/errors"
      for tool in unshare ip mount python3 \(tools.joined(separator: " ")); do
        command -v $tool >/dev/null || { echo "there is no $tool"; exit 75; }
      done
      for options in "--net --mount" "--user --map-root-user --net --mount"; do
        unshare $options true 2>/dev/null && exec unshare $options python3 "$0/network.py" "$@"
      done
      echo "no network of its own can be made here"
      exit 75
      """
    let code = try await onAThread { try runProgram("sh", ["-c", enter, files.path] + arguments) }
    let text = readText(files.path + "/output")
    guard code != 75 else { try skipTest(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
    guard code == 0 else {
      throw Failed(
        description:
          "exit code \(code.map(String.init) ?? "none"): \(readText(files.path + "/errors"))\(text)")
    }
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }
}
