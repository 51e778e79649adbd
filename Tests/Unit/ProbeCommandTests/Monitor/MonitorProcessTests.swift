import Foundation
import Glibc
import TestRequirements
import TestSupport
import Testing

/// `probekit monitor` as a process, over a replay server on loopback.
@Suite(.patience(minutes: 2)) struct MonitorProcessTests {
  private static let pipeline = """
    version: 1
    name: NAME
    policy: { https: optional }
    request: { timeout: 1h }
    sets: [{ name: s, validate: { status: CODE }, urls: [http://h.example/here] }]

    """

  /// Runs a script in which `watch` starts a monitor over the server in the background; the monitor's lines
  /// can be read from descriptor 3.
  private static func shell(_ script: String, in folder: TemporaryFolder, _ replay: RunningReplay)
    async throws
    -> Shell
  {
    let announcement = try await replay.announcement()
    let http = try announcement.port("http")
    let whole = """
      cd '\(folder.path)'
      watch() {
        mkfifo lines
        "$0" monitor --allow-no-route --interval 100ms --jitter 0% --cacert '\(announcement.ca)' \
          --connect-to ':80:127.0.0.1:\(http)' "$@" >lines & monitor=$!
        exec 3<lines
      }
      until_line() { while read -r line <&3; do case "$line" in *"$1"*) return;; esac; done; return 1; }
      \(script)
      """
    return try await onAThread { try Shell(whole) }
  }

  private static func world(_ extra: [String: String] = [:]) throws -> (TemporaryFolder, RunningReplay) {
    let fixture = """
      version: 1
      name: small
      source: { kind: synthetic, reference: a test }
      routes: [{ id: only, when: { path: /here }, respond: { status: 204 } }]

      """
    let folder = try TemporaryFolder(
      ["fixture/fixture.yaml": fixture, "p.yaml": named("one", code: 204)].merging(extra) { $1 })
    return (folder, try RunningReplay(["\(folder.path)/fixture", "--format=json"]))
  }

  private static func named(_ name: String, code: Int) -> String {
    pipeline.replacing("NAME", with: name).replacing("CODE", with: "\(code)")
  }

  @Test func changesArePrintedAndPassedToTheCommand() async throws {
    let (folder, replay) = try Self.world()
    let run = try await Self.shell(
      """
      watch --on-change 'echo "$PROBEKIT_PREVIOUS_STATUS -> $PROBEKIT_CONNECTED $PROBEKIT_VERDICT" >>changes' p.yaml
      until_line online
      until [ -s changes ]; do :; done
      kill -TERM $monitor; wait $monitor; echo "ended with $?"
      cat changes
      """, in: folder, replay)
    #expect(run.output == "ended with 0\ndetermining -> 1 online\n")
    #expect(run.errors.isEmpty)
  }

  @Test func aHangupReloadsThePipeline() async throws {
    let (folder, replay) = try Self.world([
      "wrong.yaml": "version: 2\n", "other.yaml": Self.named("two", code: 200),
    ])
    let run = try await Self.shell(
      """
      watch -v --format ndjson p.yaml 2>errors
      until_line '"verdict":"online"'
      mv wrong.yaml p.yaml; kill -HUP $monitor
      until grep -q 'p.yaml:1:' errors; do :; done
      until_line '"verdict":"online"' && echo 'goes on'
      mv other.yaml p.yaml; kill -HUP $monitor
      until grep -q 'reloaded' errors; do :; done
      until_line '"isConnected":false' && echo 'the new one counts'
      kill -TERM $monitor; wait $monitor; echo "ended with $?"
      cat errors >&2
      """, in: folder, replay)
    #expect(run.output == "goes on\nthe new one counts\nended with 0\n")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first == "probekit monitor: p.yaml: is invalid; the previous version stays in use")
    #expect(lines.dropFirst().first?.hasPrefix("p.yaml:1:") == true, "\(run.errors)")
    #expect(lines.last == "probekit monitor: p.yaml: reloaded")
  }

  @Test func anIgnoredHangupStaysIgnored() async throws {
    let (folder, replay) = try Self.world()
    let run = try await Self.shell(
      """
      trap '' HUP
      watch -v p.yaml
      until_line online
      kill -HUP $monitor
      until_line check && until_line check && kill -TERM $monitor; wait $monitor; echo "ended with $?"
      """, in: folder, replay)
    #expect(run.output == "ended with 0\n")
    #expect(run.errors.isEmpty)
  }

  /// A monitor that runs alongside the test.
  private static func monitor(
    _ options: String, in folder: TemporaryFolder, _ replay: RunningReplay
  ) async throws -> Spawned {
    let http = try await replay.announcement().port("http")
    return try Spawned(
      """
      cd '\(folder.path)'
      export NOTIFY_SOCKET="$PWD/notify" WATCHDOG_USEC=200000
      exec "$0" monitor --allow-no-route --interval 100ms --connect-to ':80:127.0.0.1:\(http)' \(options) p.yaml
      """)
  }

  /// Neither the probe nor the command would end on its own.
  @Test func aSignalEndsTheMonitorImmediately() async throws {
    let (folder, _) = try Self.world()
    try folder.write(
      "slow/fixture.yaml",
      """
      version: 1
      name: slow
      source: { kind: synthetic, reference: a test }
      routes:
        - id: only
          when: { path: /here }
          respond: { status: 204 }
          fault: { kind: stall-headers, requests: [2] }

      """)
    let replay = try RunningReplay(["\(folder.path)/slow", "--format=json", "-v"])
    let run = try await Self.monitor("--on-change 'echo $$ >child; exec sleep 1000'", in: folder, replay)
    #expect(await replay.nextError()?.contains("/here") == true)
    #expect(await replay.nextError()?.contains("/here") == true)
    while !readText("\(folder.path)/child").hasSuffix("\n") { await Task.yield() }
    let start = ContinuousClock.now
    run.send(SIGTERM)
    // Within a second, unless the machine is busy; the pending work would not end before it is killed.
    let end = try await run.end()
    print("monitor, from SIGTERM to its end: \(ContinuousClock.now - start)")
    #expect(end.code == 0)
    #expect(end.errors.isEmpty, "\(end.errors)")
    let child = try #require(pid_t(readText("\(folder.path)/child").dropLast()))
    while kill(child, 0) == 0, !readText("/proc/\(child)/stat").contains(") Z ") { await Task.yield() }
    _ = await replay.stop()
  }

  @Test func theCommandEndsWithAMonitorThatIsKilled() async throws {
    let (folder, replay) = try Self.world()
    let run = try await Self.monitor(
      "--on-change 'sleep 1000 & echo $! $$ >new; mv new children; exec sleep 1000'", in: folder, replay)
    try await run.waits { unsafe access("\(folder.path)/children", F_OK) == 0 }
    run.send(SIGKILL)
    #expect(try await run.end().signal == SIGKILL)
    let children = readText("\(folder.path)/children").split(whereSeparator: \.isWhitespace).compactMap {
      pid_t($0)
    }
    #expect(children.count == 2)
    try await run.waits {
      children.allSatisfy { kill($0, 0) != 0 || readText("/proc/\($0)/stat").contains(") Z ") }
    }
  }

  @Test func aClosedOutputPipeEndsTheMonitor() async throws {
    let (folder, replay) = try Self.world()
    let run = try await Self.shell(
      """
      watch -v p.yaml
      until_line online
      exec 3<&-
      wait $monitor; echo "ended with $?"
      """, in: folder, replay)
    #expect(run.output == "ended with 141\n")
    #expect(run.errors == "")
  }

  /// The next message with this prefix.
  private static func next(
    _ start: String, of messages: inout AsyncStream<String>.Iterator
  ) async throws -> String {
    while let message = await messages.next(isolation: #isolation) {
      if message.hasPrefix(start) { return message }
    }
    throw POSIXError(.ETIMEDOUT)
  }

  @Test func theServiceManagerIsNotified() async throws {
    let (folder, replay) = try Self.world()
    let socket = try DatagramSocket("\(folder.path)/notify")
    let run = try await Self.monitor("", in: folder, replay)
    // Reads the messages immediately: the sender does not wait for a reader, and the buffer is small.
    var messages = socket.messages(until: "STOPPING=1").makeAsyncIterator()
    #expect(try await Self.next("READY=1", of: &messages).hasSuffix("Internet access; online"))
    _ = try await Self.next("WATCHDOG=1", of: &messages)
    run.send(SIGHUP)
    #expect(try await Self.next("RELOADING=1", of: &messages).contains("MONOTONIC_USEC="))
    #expect(try await Self.next("READY=1", of: &messages) == "READY=1\nSTATUS=reloaded")
    _ = try await Self.next("WATCHDOG=1", of: &messages)
    run.send(SIGTERM)
    _ = try await Self.next("STOPPING=1", of: &messages)
    let end = try await run.end()
    #expect(end.code == 0)
  }
}
