import Foundation
import LoopbackServer
import ProbeCommand
import Testing
import TestRequirements
import TestSupport

/// The fixed names of the JSON report.
@Suite struct CheckJSONTests {
  static let fields = """
    duration
    evidence
    evidence[].kind
    evidence[].probes
    evidence[].summary
    interception
    pipeline
    portal
    portal.capport
    portal.confidence
    portal.kind
    portal.loginURL
    portal.source
    portal.wispr
    question
    schema
    sets
    sets[].accepted
    sets[].labels
    sets[].met
    sets[].name
    sets[].probes
    sets[].probes[].attempts
    sets[].probes[].certificate
    sets[].probes[].certificate.issuer
    sets[].probes[].certificate.keyBits
    sets[].probes[].certificate.names
    sets[].probes[].certificate.notAfter
    sets[].probes[].certificate.signature
    sets[].probes[].certificate.subject
    sets[].probes[].detail
    sets[].probes[].finalURL
    sets[].probes[].labels
    sets[].probes[].name
    sets[].probes[].outcome
    sets[].probes[].reason
    sets[].probes[].redirects
    sets[].probes[].redirects[].location
    sets[].probes[].redirects[].status
    sets[].probes[].redirects[].url
    sets[].probes[].remoteAddress
    sets[].probes[].status
    sets[].probes[].timings
    sets[].probes[].timings.connect
    sets[].probes[].timings.firstByte
    sets[].probes[].timings.resolve
    sets[].probes[].timings.tls
    sets[].probes[].timings.total
    sets[].probes[].url
    sets[].threshold
    sets[].total
    time
    verdict
    """

  @Test func theReportHasExactlyTheFixedFields() async throws {
    let world = try World(http: World.always(302, [(name: "Location", value: CheckVerdictTests.login)]))
    let check = try await Check(world.arguments + ["--format=json"])
    #expect(Set(paths(try check.json())).sorted().joined(separator: "\n") == Self.fields)
  }

  @Test func unknownValuesAreNull() async throws {
    let port = try LoopbackServer.refusedPort()
    let check = try await Check(["--format=json", "https://127.0.0.1:\(port)/"])
    #expect(try check.json()["portal"] is NSNull)
    let probe = try #require(try check.probes().first)
    for name in ["status", "finalURL"] { #expect(probe[name] is NSNull, "\(name)") }
    let timings = try #require(probe["timings"] as? [String: Any])
    for name in ["resolve", "tls", "firstByte"] { #expect(timings[name] is NSNull, "\(name)") }
    #expect(timings["total"] is Double)
  }

  @Test func verboseOutputGoesToStandardError() async throws {
    let world = try World()
    let check = try await Check(world.arguments + ["--format=json", "--verbose"])
    #expect(try check.probes().count == 6)
    #expect(check.errors.contains("    < HTTP/1.1 204 No Content\n"))
    #expect(check.errors.contains("body         22 bytes: \"Microsoft Connect Test\"\n"), "\(check.errors)")
  }

  @Test(.heavy) func anotherProgramCanReadTheReport() async throws {
    let world = try World()
    let check = try await Check(world.arguments + ["--format=json"])
    let file = FileManager.default.temporaryDirectory.appending(
      path: "probekit-\(UInt64.random(in: 0 ... .max)).json")
    try check.output.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let program =
      "import json,sys; sys.exit(json.load(open(sys.argv[1], encoding='utf-8'))['verdict'] != 'online')"
    guard let code = try runProgram("python3", ["-c", program, file.path]) else {
      try skipTest("there is no python3")
    }
    #expect(code == 0)
  }

  /// The paths of all fields.
  private func paths(_ value: Any, at path: String = "") -> [String] {
    switch value {
    case let object as [String: Any]:
      object.flatMap { name, value in
        let here = path.isEmpty ? name : "\(path).\(name)"
        return [here] + paths(value, at: here)
      }
    case let list as [Any]: list.flatMap { paths($0, at: "\(path)[]") }
    default: []
    }
  }
}
