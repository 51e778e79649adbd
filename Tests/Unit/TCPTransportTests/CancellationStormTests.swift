import LoopbackServer
import ProbeCore
import Transports
import TestRequirements
import TestSupport
import Testing

/// Hundreds of TCP probes, cancelled at random times, with servers of different behavior.
@Suite(.serialized) struct CancellationStormTests {
  /// The behavior of a server, and the possible result of a probe besides cancellation; nil means a
  /// response.
  struct Mood: Sendable {
    var ending: ReasonCode??
    var script: LoopbackServer.Script
  }

  static let moods: [Mood] = [
    Mood(ending: .none) { $0.hold() },
    Mood(ending: .none) {
      try $0.sendSlowly([UInt8](repeating: 0x78, count: 100_000), every: .milliseconds(3))
    },
    Mood(ending: .some(nil)) { try $0.send("a banner\n") },
    Mood(ending: .some(nil)) { _ in },
    Mood(ending: .some(.connectReset)) { connection in
      try connection.pause(for: .milliseconds(2))
      connection.reset()
    },
  ]

  @Test(.patience(minutes: 5), arguments: 1...2)
  func everyProbeEndsOnceWithTheRightCode(seed: UInt64) async throws {
    let servers = try Self.moods.map { try LoopbackServer(script: $0.script) }
    var numbers = SeededNumbers(seed: seed)
    let transport = TCPTransport()
    var probes: [(mood: Mood, task: Task<ReasonCode?, any Error>)] = []
    for _ in 0..<200 {
      let choice = Int.random(in: servers.indices, using: &numbers)
      var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(servers[choice].port)"))
      request.timeout = .seconds(300)
      request.expectation = ClosureValidator { response in
        response.body.contains(UInt8(ascii: "\n"))
          ? .accepted : .rejected(.bodyMismatch, expected: "a line", found: "none")
      }
      let task = Task { [request] () async throws -> ReasonCode? in
        do {
          _ = try await transport.probe(request)
          return nil
        } catch let failure as ProbeFailure {
          return failure.reason
        }
      }
      probes.append((Self.moods[choice], task))
      let delay = Duration.microseconds(Int.random(in: 0...40_000, using: &numbers))
      Task {
        try? await Task.sleep(for: delay)
        task.cancel()
      }
    }
    for probe in probes {
      let reason = try await probe.task.value
      #expect(reason == .cancelled || probe.mood.ending == .some(reason), "\(reason as Any)")
    }
  }

  /// libcurl closes connections that look unused and finished when another one starts.
  @Test(.patience(minutes: 5))
  func aConnectionWhosePeerHasFinishedIsReadToItsEnd() async throws {
    let transport = TCPTransport()
    let finishing = try LoopbackServer { connection in
      try connection.pause(for: .milliseconds(1200))
      try connection.send("not it")
    }
    let holding = try LoopbackServer { $0.hold() }
    let never = ClosureValidator { _ in .rejected(.bodyMismatch, expected: "more", found: "less") }
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<20 {
        group.addTask {
          var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(finishing.port)"))
          request.timeout = .seconds(300)
          request.expectation = never
          return try await transport.probe(request).body
        }
      }
      // Meanwhile, others start continuously.
      let others = Task {
        var request = ProbeRequest(try ProbeURL("tcp://127.0.0.1:\(holding.port)"))
        request.timeout = .seconds(300)
        while !Task.isCancelled { _ = try? await transport.probe(request) }
      }
      defer { others.cancel() }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies == Array(repeating: Array("not it".utf8), count: 20))
  }
}
