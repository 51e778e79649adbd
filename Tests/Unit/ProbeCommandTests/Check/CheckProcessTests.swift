import Foundation
import LoopbackServer
import TestRequirements
import TestSupport
import Testing

/// `probekit check` as a process, with signals and with unwritable output.
@Suite struct CheckProcessTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func anInterruptionEndsItCleanly(_ signal: Int32) async throws {
    let (asked, question) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      question.yield()
      connection.hold()
    }
    let process = try Spawned("exec \"$0\" check --allow-http --timeout 1h --format json \(server.url())")
    for await _ in asked { break }
    process.send(signal)
    // Its probe would not end before it is killed.
    let end = try await process.end()
    #expect(end.signal == signal)
    #expect(end.output.isEmpty)
    #expect(end.errors == "probekit check: interrupted: 0 of 1 probes had finished\n")
  }

  @Test func twoSignalsAlsoEndIt() async throws {
    let (asked, question) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      question.yield()
      connection.hold()
    }
    let process = try Spawned("exec \"$0\" check --allow-http --timeout 1h \(server.url())")
    for await _ in asked { break }
    process.send(SIGINT)
    process.send(SIGINT)
    #expect(try await process.end().signal == SIGINT)
  }

  @Test func anIgnoredSignalStaysIgnored() async throws {
    let (asked, question) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      question.yield()
      // Long enough for the signal to take effect, if it had any.
      try connection.pause(for: .milliseconds(200))
      try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let process = try Spawned("trap '' INT; exec \"$0\" check --allow-http --timeout 1h \(server.url())")
    for await _ in asked { break }
    process.send(SIGINT)
    #expect(try await process.end().code == 0)
  }

  static let outputs: [(redirection: String, error: String)] = [
    (">/dev/full", "No space left on device"), (">&-", "it is closed"),
  ]

  @Test(.heavy, arguments: outputs)
  func anUnwritableReportIsAnError(_ redirection: String, error: String) throws {
    let server = try LoopbackServer.http { _ in .response(204) }
    for format in ["text", "json"] {
      let run = try Shell(
        "\"$0\" check --allow-http --timeout 600s --format \(format) \(server.url()) \(redirection)")
      #expect(run.code == 69)
      #expect(run.errors == "probekit: cannot write to standard output: \(error)\n")
    }
  }
}
