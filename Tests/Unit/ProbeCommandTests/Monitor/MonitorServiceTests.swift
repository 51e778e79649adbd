import ConnectivityMonitor
import Foundation
import Glibc
import ProbeBase
import ProbeCore
import Testing
import TestRequirements
import TestSupport

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// The notifications to a service manager (sd_notify(3)), over a real socket.
@Suite(.patience(minutes: 1)) struct MonitorServiceTests {
  static let addresses = ["/DIR/notify", "@probekit-test-\(getpid())"]

  @Test(arguments: addresses)
  func messagesAreDatagrams(_ address: String) throws {
    let folder = try TemporaryFolder()
    let address = address.replacing("/DIR", with: folder.path)
    let socket = try DatagramSocket(address)
    let manager = try #require(try ServiceManager(["NOTIFY_SOCKET": address]))
    #expect(manager.send(.ready("online")))
    #expect(manager.send(.reloading(at: .milliseconds(1500))))
    #expect(manager.send(.stopping))
    #expect(manager.send(.watchdog))
    #expect(manager.send(.status("one\ntwo \u{1B}[2J")))
    #expect(
      try (0..<5).map { _ in try socket.receive() } == [
        "READY=1\nSTATUS=online", "RELOADING=1\nMONOTONIC_USEC=1500000", "STOPPING=1", "WATCHDOG=1",
        "STATUS=one\\ntwo \\x1b[2J",
      ])
  }

  @Test func aMissingManagerIsIgnoredAndABadAddressRejected() throws {
    #expect(try ServiceManager([:]) == nil)
    #expect(try ServiceManager(["NOTIFY_SOCKET": ""]) == nil)
    let gone = try #require(try ServiceManager(["NOTIFY_SOCKET": "/nonexistent/notify"]))
    #expect(!gone.send(.stopping))
    for wrong in ["notify", "vsock:2:1234", "/" + String(repeating: "x", count: 107)] {
      #expect(throws: InvalidInput.self, "\(wrong)") { try ServiceManager(["NOTIFY_SOCKET": wrong]) }
    }
  }

  static let watchdogs: [(environment: [String: String], interval: Duration?)] = [
    ([:], nil), (["WATCHDOG_USEC": "3000000"], .milliseconds(1500)),
    (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"], .milliseconds(1500)),
    (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
    (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_USEC": "-1"], nil),
    (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "me"], nil),
    // Too short to leave time for anything else, and too long for any clock.
    (["WATCHDOG_USEC": "1"], .milliseconds(100)), (["WATCHDOG_USEC": "\(Int64.max)"], .seconds(3600)),
    (["WATCHDOG_USEC": "\(UInt64.max)"], nil),
  ]

  @Test(arguments: watchdogs)
  func theWatchdogIsNotifiedAtHalfItsInterval(_ environment: [String: String], interval: Duration?) throws {
    let all = environment.merging(["NOTIFY_SOCKET": "@x"]) { $1 }
    #expect(try ServiceManager(all, process: 7)?.watchdogInterval == interval)
  }

  @Test func aMonitorIsReadyAfterTheFirstResult() async throws {
    let (socket, folder) = try DatagramSocket.inFolder()
    let socketPath = "\(folder.path)/notify"
    let run = try await MonitorRun(environment: ["NOTIFY_SOCKET": socketPath]) { monitor in
      monitor.send(.changed(MonitorSamples.determining))
      monitor.send(.checked(MonitorSamples.check(MonitorSamples.online)))
      monitor.send(.changed(MonitorSamples.online))
      monitor.send(.changed(MonitorSamples.offline))
      await monitor.output(contains: "No Connection")
      monitor.signal(.reload)
      await monitor.errors(contain: "reloaded")
    }
    #expect(run.code == .success)
    var messages: [String] = []
    while messages.last != "STOPPING=1" { messages.append(try socket.receive()) }
    #expect(messages[0] == "READY=1\nSTATUS=Wi-Fi with Internet access; online")
    #expect(messages[1] == "STATUS=Wi-Fi with Internet access; online")
    #expect(messages[2] == "STATUS=No Connection; offline: 1 probes failed: timeout.connect")
    #expect(messages[3].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(messages[4] == "READY=1\nSTATUS=reloaded")
    #expect(messages.count == 6)
  }

  @Test func theEventLoopNotifiesTheWatchdog() async throws {
    let (socket, folder) = try DatagramSocket.inFolder()
    let clock = ManualClock()
    let manager = try ServiceManager([
      "NOTIFY_SOCKET": "\(folder.path)/notify", "WATCHDOG_USEC": "20000000",
    ])
    let fake = FakeMonitor()
    let context = CommandContext(
      of: ToolName(version: probeKitVersion),
      output: fake.written.sink(), errors: fake.errorOutput.sink(), input: InputSource(""), environment: [:])
    let pipeline = MonitoredPipeline(MonitorOptions(), PluginRegistry(), in: context)
    let task = Task {
      var session = MonitorSession(
        fake, pipeline, in: context, formatter: MonitorRecords(reportsChecks: false), commands: nil,
        manager: manager, externalEvents: fake.externalEvents, clock: clock)
      return await session.run()
    }
    for _ in 0..<3 {
      await clock.waitForSleeper()
      clock.advance(by: .seconds(10))
      #expect(try await onAThread { try socket.receive() } == "WATCHDOG=1")
    }
    task.cancel()
    _ = await task.value
    #expect(try socket.receive() == "STOPPING=1")
  }

  /// The text of the unit.
  private static let unit = readText(
    projectFile("packaging/probekit-monitor.service")
      .path)

  @Test func theUnitNotifiesAndReloads() {
    for line in [
      "Type=notify", "ExecReload=/bin/sh -c \"kill -HUP $MAINPID\"", "Restart=on-failure", "DynamicUser=yes",
    ] {
      #expect(Self.unit.contains("\n\(line)\n"), "\(line)")
    }
    #expect(Self.unit.contains("AF_NETLINK"))
  }

  /// systemd itself accepts the unit; /bin/true replaces the command, which is not installed here.
  @Test(.heavy) func theUnitPassesSystemdVerification() throws {
    let folder = try TemporaryFolder([
      "probekit-monitor.service": Self.unit.replacing("/usr/local/bin/probekit", with: "/bin/true")
    ])
    let code = try runProgram(
      "sh",
      [
        "-c",
        "command -v systemd-analyze >/dev/null || exit 77; systemd-analyze verify --man=no \"$0\" >\"$1\" 2>&1",
        "\(folder.path)/probekit-monitor.service", "\(folder.path)/findings",
      ])
    guard code != 77 else { try skipTest("there is no systemd-analyze") }
    #expect(code == 0, "\(readText("\(folder.path)/findings"))")
  }
}

/// A socket on which a service manager would listen.
final class DatagramSocket: Sendable {
  private let descriptor: Int32

  /// A socket in a temporary folder.
  static func inFolder() throws -> (DatagramSocket, TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (try DatagramSocket("\(folder.path)/notify"), folder)
  }

  init(_ name: String) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(name.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in bytes.enumerated() { unsafe path[index] = byte == UInt8(ascii: "@") ? 0 : byte }
    }
    let length = socklen_t(2 + bytes.count + (name.hasPrefix("@") ? 0 : 1))
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  /// All datagrams from now on, read on a thread, up to one with this prefix.
  func messages(until end: String) -> AsyncStream<String> {
    let (messages, continuation) = AsyncStream.makeStream(of: String.self)
    Task { [self] in
      try await onAThread {
        defer { continuation.finish() }
        while let message = try? self.receive() {
          continuation.yield(message)
          if message.hasPrefix(end) { return }
        }
      }
    }
    return messages
  }

  /// The next datagram; waits for it.
  func receive() throws -> String {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&event, 1, 60_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
