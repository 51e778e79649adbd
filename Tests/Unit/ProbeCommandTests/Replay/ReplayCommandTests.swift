import Foundation
import Glibc
import ProbeCommand
import ProbeCore
import TestRequirements
import TestSupport
import Testing
@testable import CommandKit

@Suite(.patience(minutes: 1)) struct ReplayCommandTests {
  private static func document(status: Int, path: String = "/here") -> String {
    """
    version: 1
    name: small
    source: { kind: synthetic, reference: a test }
    routes:
      - id: only
        when: { path: \(path) }
        respond: { status: \(status) }
    """
  }

  @Test func itServesUntilStoppedAndLeavesNothingBehind() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    let replay = try RunningReplay([folder.path, "--format=json"])
    let announcement = try await replay.announcement()
    #expect(announcement.schema == 1)
    #expect(announcement.fixtures == ["small"])
    #expect(announcement.listeners.keys.sorted() == ["http", "https", "tcp"])
    #expect(announcement.listeners.values.allSatisfy { $0.hasPrefix("127.0.0.1:") })
    #expect(try await announcement.ask("http://www.example/here").status == 204)
    #expect(try await announcement.ask("https://www.example/here").status == 204)
    var facts = stat()
    #expect(unsafe stat(announcement.ca, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
    #expect(!readText(announcement.ca).contains("PRIVATE KEY"))
    #expect(await replay.stop() == .success)
    #expect(unsafe stat(announcement.ca, &facts) == -1)
    let failure = await #expect(throws: ProbeFailure.self) {
      _ = try await announcement.ask("http://www.example/here")
    }
    #expect(failure?.reason == .connectRefused)
  }

  @Test func unmatchedRequestsAndTheNearestRouteAreReported() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    let replay = try RunningReplay([folder.path, "--format=json"])
    let announcement = try await replay.announcement()
    #expect(try await announcement.ask("http://www.example/here").status == 204)
    #expect(try await announcement.ask("http://www.example:8080/there").status == 404)
    #expect(
      await replay.nextError()
        == #"2 http GET www.example:8080 /there → no route matches; nearest: small/only: expected path "/here", found "/there""#
    )
    _ = await replay.stop()
  }

  @Test func verboseLogsEveryRequest() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    let replay = try RunningReplay([folder.path, "--format=json", "-v"])
    let announcement = try await replay.announcement()
    _ = try await announcement.ask("https://www.example/here")
    #expect(await replay.nextError() == "1 https GET www.example:443 /here → small/only")
    _ = await replay.stop()
  }

  @Test func aChangedFixtureIsReloaded() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    let replay = try RunningReplay([folder.path, "--format=json"])
    let announcement = try await replay.announcement()
    try folder.write("fixture.yaml", Self.document(status: 299))
    #expect(await replay.nextError() == "probekit replay: the changed fixtures were reloaded")
    #expect(try await announcement.ask("http://www.example/here").status == 299)

    try folder.write("fixture.yaml", "version: 2\n")
    #expect(
      await replay.nextError()
        == "probekit replay: the changed fixtures are invalid; the previous version stays in use")
    #expect(await replay.nextError()?.hasPrefix("\(folder.path)/fixture.yaml:1:") == true)
    #expect(try await announcement.ask("http://www.example/here").status == 299)

    try folder.write("fixture.yaml", Self.document(status: 200) + "\nlisteners: { http: refused }\n")
    var line: String?
    repeat { line = await replay.nextError() } while line?.hasPrefix("probekit") == false
    #expect(line == "probekit replay: the changed fixtures were reloaded")
    let failure = await #expect(throws: ProbeFailure.self) {
      try await announcement.ask("http://www.example/here")
    }
    #expect(failure?.reason == .connectRefused)
    _ = await replay.stop()
  }

  @Test func anInvalidFixtureIsNotServed() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": "version: 1\nname: x\n"])
    let replay = try RunningReplay([folder.path])
    #expect(await replay.exitCode == .badInput)
    #expect(await replay.nextError()?.hasPrefix("\(folder.path)/fixture.yaml:1:1: ") == true)
  }

  @Test func conflictingFixturesAreRejected() async throws {
    let one = try TemporaryFolder([
      "fixture.yaml": Self.document(status: 204) + "\nlisteners: { http: refused }\n"
    ])
    let two = try TemporaryFolder([
      "fixture.yaml": Self.document(status: 204) + "\nlisteners: { http: hold }\n"
    ])
    let replay = try RunningReplay([one.path, two.path])
    #expect(await replay.exitCode == .badInput)
    #expect(
      await replay.nextError()
        == "probekit replay: the listener http is refused in the fixture small and hold in small: replay them "
        + "separately"
    )
  }

  @Test func theKeyIsWrittenOnlyOnRequest() async throws {
    let folder = try TemporaryFolder([
      "fixture.yaml": Self.document(status: 204), "ca.pem": "was here before",
    ])
    let path = "\(folder.path)/ca.pem"
    // A process that has the old file open must not find the key in it.
    let old = try #require(FileHandle(forReadingAtPath: path))
    let replay = try RunningReplay([folder.path, "--format=json", "--ca-out", path])
    let announcement = try await replay.announcement()
    #expect(announcement.ca == path)
    _ = await replay.stop()
    let text = readText(path)
    #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----"))
    #expect(text.contains("-----BEGIN PRIVATE KEY-----"))
    var facts = stat()
    #expect(unsafe stat(path, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
    #expect(try old.readToEnd() == Data("was here before".utf8))
  }

  @Test func aPortInUseIsReported() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    let first = try RunningReplay([folder.path, "--format=json"])
    let port = try await first.announcement().port("http")
    let second = try RunningReplay([folder.path, "--http-port", "\(port)"])
    #expect(await second.exitCode == .unavailable)
    #expect(
      await second.nextError()
        == "probekit replay: cannot listen on 127.0.0.1:\(port): Address already in use: choose another port, or none for a free one"
    )
    _ = await first.stop()
  }

  @Test func itWarnsWhenOthersCanReachIt() async throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    let replay = try RunningReplay([folder.path, "--listen", "0.0.0.0", "--format=json"])
    #expect(
      await replay.nextError()
        == "probekit replay: listening on 0.0.0.0: other machines can reach the replay server")
    _ = await replay.stop()
  }

  @Test func usageErrorsAreReportedTogether() async throws {
    let replay = try RunningReplay(["--listen", "here", "--http-port", "0"])
    #expect(await replay.exitCode == .usage)
    var lines: [String] = []
    for _ in 0..<3 { lines.append(await replay.nextError() ?? "") }
    #expect(lines.contains { $0.contains(#""here" is not an address"#) })
    #expect(lines.contains { $0.contains(#""0" is not a port from 1 to 65535"#) })
    #expect(lines.contains { $0.contains("FIXTURE") })
  }

  @Test(.heavy) func aSignalEndsTheCommandWithSuccess() throws {
    let folder = try TemporaryFolder(["fixture.yaml": Self.document(status: 204)])
    // The line that the command prints shows that it can be stopped.
    let run = try Shell(
      """
      out=$(mktemp) && mkfifo "$out.line" && trap 'rm -f "$out" "$out.line"' EXIT
      "$0" replay '\(folder.path)' --format=json >"$out.line" & replay=$!
      read -r line <"$out.line"
      kill -TERM $replay; wait $replay; echo "ended with $?"
      """)
    #expect(run.output == "ended with 0\n")
  }
}
