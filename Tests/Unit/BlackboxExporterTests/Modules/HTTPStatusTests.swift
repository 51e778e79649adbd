import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter

/// The status and the version of the response that an HTTP module accepts.
@Suite struct HTTPStatusTests {
  @Test(arguments: [
    (200, [], true), (201, [], true), (299, [], true), (300, [], false), (404, [], false),
    (404, [200, 404], true), (200, [200, 404], true), (201, [200, 404], false), (404, [404], true),
    (200, [404], false),
  ])
  func theStatusMustBeListedOrSuccessful(_ status: Int, _ accepted: [Int], _ succeeds: Bool) async throws {
    let server = try LoopbackServer.http { _ in .response(status) }
    let report = try await probeHTTP(server.url()) { $0.statusCodes = accepted }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.samples["probe_http_status_code"] == Double(status))
    #expect(report.failure?.reason == (succeeds ? nil : .httpStatus))
  }

  @Test(arguments: [
    ([], true), (["HTTP/1.1"], true), (["HTTP/1.1", "HTTP/2.0"], true), (["HTTP/2.0"], false),
    (["HTTP/3.0"], false),
  ])
  func onlyListedVersionsAreAccepted(_ accepted: [String], _ succeeds: Bool) async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let report = try await probeHTTP(server.url()) { $0.versions = accepted }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.samples["probe_http_version"] == 1.1)
    #expect(report.failure?.reason == (succeeds ? nil : .httpProtocol))
  }

  @Test func allSamplesAreZeroWithoutAResponse() async throws {
    let target = "http://127.0.0.1:\(try LoopbackServer.refusedPort())/"
    let report = try await probeHTTP(target) { $0.statusCodes = [0, 200] }
    #expect(!report.succeeded)
    #expect(report.failure?.reason == .connectRefused)
    for name in [
      "probe_http_status_code", "probe_http_content_length", "probe_http_uncompressed_body_length",
      "probe_http_redirects", "probe_http_ssl", "probe_http_version", "probe_failed_due_to_regex",
    ] {
      #expect(report.samples[name] == 0, "\(name)")
    }
    #expect(report.samples.values(of: "reason", in: "probe_failure_info") == ["connect.refused"])
  }

  @Test func theModificationDateIsReportedIfPresent() async throws {
    let server = try LoopbackServer.http { request in
      request.target == "/"
        ? .response(headers: [(name: "Last-Modified", value: "Thu, 02 Jan 2020 03:04:05 GMT")]) : .response()
    }
    let name = "probe_http_last_modified_timestamp_seconds"
    #expect(try await probeHTTP(server.url()).samples[name] == 1_577_934_245)
    #expect(try await probeHTTP(server.url("/none")).samples[name] == nil)
  }
}
