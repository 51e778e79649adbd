import Foundation
import LoopbackServer
import TestRequirements
import TestSupport
import Testing

/// Replay: clients that send many requests and read no responses.
@Suite struct ReplayAttackTests {
  /// Connects many clients, each of which sends requests as long as it can and reads nothing.
  ///
  /// Meanwhile another client sends requests; it prints the maximum CPU time in seconds that the server used
  /// for one.
  private static let script = #"""
    import os, selectors, socket, sys, threading, time
    server, port, count, room = map(int, sys.argv[1:])
    requests = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n" * 4000
    choice = selectors.DefaultSelector()
    for _ in range(count):
        client = socket.socket()
        if room: client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        client.connect(("127.0.0.1", port))
        client.setblocking(False)
        choice.register(client, selectors.EVENT_WRITE)
    done = threading.Event()
    def flood():
        while not done.wait(0.01):
            for key, _ in choice.select(0.1):
                try: key.fileobj.send(requests)
                except BlockingIOError: pass
                except OSError: choice.unregister(key.fileobj)
    flooding = threading.Thread(target=flood)
    flooding.start()
    def work():
        with open("/proc/%d/stat" % server) as file: fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    longest = 0
    end = time.monotonic() + 3
    while time.monotonic() < end:
        start = work()
        with socket.create_connection(("127.0.0.1", port)) as honest:
            honest.settimeout(60)
            honest.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while honest.recv(65536): pass
        longest = max(longest, work() - start)
    done.set()
    flooding.join()
    print(longest)
    """#

  /// Small responses, of which very many are sent until the client's buffers are full; and large ones to
  /// clients with tiny buffers, so that requests queue up.
  @Test(arguments: [(page: 10, room: 0), (page: 200_000, room: 4096)])
  func clientsThatDoNotReadDoNotDelayOthers(page: Int, room: Int) async throws {
    try requirePlainBuild()
    let fixture = """
      version: 1
      name: crowd
      source: { kind: synthetic, reference: "made by hand" }
      routes:
        - respond: { status: 200, body: page.html }
      """
    let folder = try TemporaryFolder([
      "fixture/fixture.yaml": fixture, "flood.py": Self.script,
      "fixture/page.html": String(repeating: "x", count: page),
    ])
    let server = try Spawned(
      "echo $$ >'\(folder.path)/process'; exec \"$0\" replay '\(folder.path)/fixture' --format json")
    var port: Int?
    while port == nil {
      port = server.output.firstMatch(of: /"http":"[^"]*:([0-9]+)"/).flatMap { Int($0.output.1) }
      try #require(server.errors.isEmpty, "\(server.errors)")
      try await Task.sleep(for: .milliseconds(20))
    }
    async let end = server.end()
    let flood =
      "exec python3 \"$0/flood.py\" $(cat \"$0/process\") \(port ?? 0) 300 \(room) >\"$0/longest\" 2>&1"
    let code = try await onAThread { try runProgram("sh", ["-c", flood, folder.path]) }
    server.send(SIGTERM)
    let used = try await end
    guard code != 127 else { try skipTest("there is no python3") }
    let text = readText(folder.path + "/longest")
    // One turn for each takes a fraction of a second without optimization; a sanitizer takes several times as
    // long.
    let longest = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(text)")
    #expect(longest < 10)
    #expect(
      used.peakMemory < 130 << 20, "\(used.peakMemory >> 20) MiB")
    #expect(used.code == 0, "\(used.errors)")
  }
}
