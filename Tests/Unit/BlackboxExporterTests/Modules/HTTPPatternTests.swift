import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter
import ProbePatterns

/// The regular expressions of an HTTP module.
@Suite struct HTTPPatternTests {
  private static func check(
    _ report: ProbeReport, _ succeeds: Bool, length: Int, location: SourceLocation = #_sourceLocation
  ) {
    #expect(report.succeeded == succeeds, "\(report.story)", sourceLocation: location)
    #expect(
      report.samples["probe_failed_due_to_regex"] == (succeeds ? 0 : 1), sourceLocation: location)
    // The lengths are known even if an expression ends the probe.
    #expect(report.samples["probe_http_content_length"] == Double(length), sourceLocation: location)
    #expect(
      report.samples["probe_http_uncompressed_body_length"] == Double(length), sourceLocation: location)
  }

  @Test(arguments: [
    ("503: the queue is full", ["queue is full"], false),
    ("a list of packages", ["queue is full"], true),
    ("panic: nil", ["queue is full", "^panic"], false),
    ("a list of packages", ["queue is full", "^panic"], true),
  ])
  func aBodyMustNotMatchAnyPattern(_ body: String, _ patterns: [String], _ succeeds: Bool) async throws {
    let server = try LoopbackServer.http { _ in .response(body: body) }
    let report = try await probeHTTP(server.url()) {
      $0.failsIfBodyMatches = try patterns.map { try GoPattern($0) }
    }
    Self.check(report, succeeds, length: body.utf8.count)
    #expect(report.failure?.reason == (succeeds ? nil : .bodyMismatch))
  }

  @Test(arguments: [
    ("503: the queue is full", ["a list of [a-z]+"], false),
    ("a list of packages", ["a list of [a-z]+"], true),
    ("a list of packages", ["a list of [a-z]+", "the end$"], false),
    ("a list of packages, and the end", ["a list of [a-z]+", "the end$"], true),
  ])
  func aBodyMustMatchEveryPattern(_ body: String, _ patterns: [String], _ succeeds: Bool) async throws {
    let server = try LoopbackServer.http { _ in .response(body: body) }
    let report = try await probeHTTP(server.url()) {
      $0.failsIfBodyDoesNotMatch = try patterns.map { try GoPattern($0) }
    }
    Self.check(report, succeeds, length: body.utf8.count)
    #expect(report.failure?.reason == (succeeds ? nil : .bodyMismatch))
  }

  @Test func aDecodedBodyIsMatched() async throws {
    let server = try LoopbackServer.http { _ in .response(bytes: HTTPBodyTests.gzip) }
    let report = try await probeHTTP(server.url()) {
      $0.compression = "gzip"
      $0.failsIfBodyDoesNotMatch = [try GoPattern("^twelve bytes")]
    }
    #expect(report.succeeded, "\(report.story)")
  }

  @Test func theBodyOfAFailureIsNotMatched() async throws {
    let server = try LoopbackServer.http { _ in .response(404, body: "missing") }
    let report = try await probeHTTP(server.url()) { $0.failsIfBodyMatches = [try GoPattern("missing")] }
    #expect(report.failure?.reason == .httpStatus)
    #expect(report.samples["probe_failed_due_to_regex"] == 0)
  }

  @Test func anAbandonedSearchIsASeparateFailure() async throws {
    let text = String(repeating: "a", count: 5000) + "b"
    let server = try LoopbackServer.http { _ in
      .response(headers: [(name: "X-Kind", value: text)], body: text)
    }
    let pattern = try GoPattern("^(?:a|a|aa)+$")
    let rule = HTTPModule.HeaderRule(header: "X-Kind", pattern: pattern)
    for adjust in [
      { $0.failsIfBodyMatches = [pattern] }, { $0.failsIfBodyDoesNotMatch = [pattern] },
      { $0.failsIfHeaderMatches = [rule] }, { $0.failsIfHeaderDoesNotMatch = [rule] },
    ] as [(inout HTTPModule) -> Void] {
      let report = try await probeHTTP(server.url(), adjust)
      #expect(report.failure?.reason == .matchLimit, "\(report.failure?.description ?? "")")
      #expect(report.samples["probe_failed_due_to_regex"] == 1)
    }
    let lines = try LoopbackServer { try $0.send(text + "\nthe end\n") }
    let report = try await probeTCP(lines.hostAndPort) { $0.steps = [.expect(pattern), .send("unreached")] }
    #expect(report.failure?.reason == .matchLimit, "\(report.failure?.description ?? "")")
  }

  /// A rule about a field, and the values that the server sends.
  struct FieldCase: Sendable, CustomTestStringConvertible {
    let name: String
    let pattern: String
    var allowsMissing = false
    let values: [String]
    let succeeds: Bool

    var testDescription: String { "\(name) \(pattern) \(allowsMissing) \(values)" }

    func report(_ adjust: (HTTPModule.HeaderRule, inout HTTPModule) -> Void) async throws -> ProbeReport {
      let server = try LoopbackServer.http { [self] _ in
        .response(headers: values.map { (name: "X-" + name.dropFirst(2), value: $0) })
      }
      let rule = HTTPModule.HeaderRule(
        header: name, pattern: try GoPattern(pattern), allowsMissing: allowsMissing)
      return try await probeHTTP(server.url()) { adjust(rule, &$0) }
    }
  }

  @Test(arguments: [
    FieldCase(name: "X-Kind", pattern: "draft", values: ["a draft"], succeeds: false),
    FieldCase(name: "X-Kind", pattern: "draft", values: ["final"], succeeds: true),
    FieldCase(name: "x-Kind", pattern: "draft", values: ["final"], succeeds: true),
    FieldCase(name: "X-Kind", pattern: ".*", values: [""], succeeds: false),
    FieldCase(name: "X-Kind", pattern: ".*", values: [], succeeds: false),
    FieldCase(name: "X-Kind", pattern: ".*", allowsMissing: true, values: [""], succeeds: false),
    FieldCase(name: "X-Kind", pattern: ".*", allowsMissing: true, values: [], succeeds: true),
    FieldCase(name: "X-Kind", pattern: #"id=\d+; final"#, values: ["id=1; final; more"], succeeds: false),
    FieldCase(
      name: "X-Kind", pattern: #"id=\d+; final"#, values: ["id=x; final", "id=1; final"], succeeds: false),
  ])
  func aFieldMustNotMatchThePattern(_ given: FieldCase) async throws {
    let report = try await given.report { $1.failsIfHeaderMatches = [$0] }
    Self.check(report, given.succeeds, length: 0)
    #expect(report.failure?.reason == (given.succeeds ? nil : .httpHeader))
  }

  @Test(arguments: [
    FieldCase(name: "X-Kind", pattern: "draft", values: ["a draft"], succeeds: true),
    FieldCase(name: "x-Kind", pattern: "draft", values: ["a draft"], succeeds: true),
    FieldCase(name: "X-Kind", pattern: "draft", values: ["final"], succeeds: false),
    FieldCase(name: "X-Kind", pattern: ".*", values: [""], succeeds: true),
    FieldCase(name: "X-Kind", pattern: ".*", values: [], succeeds: false),
    FieldCase(name: "X-Kind", pattern: ".*", allowsMissing: true, values: [], succeeds: true),
    FieldCase(name: "X-Kind", pattern: #"id=\d+; final"#, values: ["id=x; final"], succeeds: false),
    FieldCase(
      name: "X-Kind", pattern: #"id=\d+; final"#, values: ["id=x; final", "id=1; final"], succeeds: true),
  ])
  func aFieldMustMatchThePattern(_ given: FieldCase) async throws {
    let report = try await given.report { $1.failsIfHeaderDoesNotMatch = [$0] }
    Self.check(report, given.succeeds, length: 0)
    #expect(report.failure?.reason == (given.succeeds ? nil : .httpHeader))
  }
}
