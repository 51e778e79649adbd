import LoopbackServer
import ProbeTLS
import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// Hundreds of probes, cancelled at random times, with servers of different behavior.
@Suite(.serialized, .eachClient) struct CancellationStormTests {
  /// The behavior of a server, and the possible result of a probe besides cancellation; nil means a
  /// response.
  struct Mood: Sendable {
    var ending: ReasonCode??
    var script: LoopbackServer.Script
  }

  static let moods: [Mood] = [
    Mood(ending: .none) { $0.hold() },
    Mood(ending: .none) { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      try connection.sendSlowly([UInt8](repeating: 0x78, count: 100_000), every: .milliseconds(3))
    },
    Mood(ending: .some(nil)) { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    },
    Mood(ending: .some(.connectReset)) { connection in
      _ = try connection.readRequest()
      connection.reset()
    },
  ]

  @Test(.patience(minutes: 5), arguments: [false, true], 1...2)
  func everyProbeEndsOnceWithTheRightCode(isSecure: Bool, seed: UInt64) async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]))
    let servers = try Self.moods.map {
      try LoopbackServer(tls: isSecure ? context : nil, script: $0.script)
    }
    var numbers = SeededNumbers(seed: seed)
    var probes: [(mood: Mood, task: Task<ReasonCode?, any Error>)] = []
    for _ in 0..<200 {
      let choice = Int.random(in: servers.indices, using: &numbers)
      let url = isSecure ? servers[choice].secureURL : servers[choice].url()
      let task = Task {
        try await failure(of: try request(url, timeout: .seconds(300)) { $0.trustTestAuthority() })?.reason
      }
      probes.append((Self.moods[choice], task))
      let delay = Duration.microseconds(Int.random(in: 0...40_000, using: &numbers))
      // One in four is cancelled at once.
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        task.cancel()
      } else {
        Task {
          try? await Task.sleep(for: delay)
          task.cancel()
        }
      }
    }
    for probe in probes {
      let reason = try await probe.task.value
      #expect(reason == .cancelled || probe.mood.ending == .some(reason), "\(reason as Any)")
    }
    let responding = try LoopbackServer.http { _ in .response(body: "ok") }
    #expect(try await transport.probe(try request(responding.url())).status == 200)
  }

  @Test(.patience(minutes: 5))
  func manyPendingProbesCanBeCancelled() async throws {
    let server = try LoopbackServer.holding()
    let url = server.url()
    var numbers = SeededNumbers(seed: 7)
    let probes = (0..<60).map { _ in
      Task { () async throws -> ReasonCode? in
        do {
          _ = try await transport.probe(try request(url, timeout: .seconds(300)))
          return nil
        } catch let failure as ProbeFailure {
          return failure.reason
        }
      }
    }
    for probe in probes.shuffled(using: &numbers) {
      probe.cancel()
      #expect(try await probe.value == .cancelled)
    }
  }
}
