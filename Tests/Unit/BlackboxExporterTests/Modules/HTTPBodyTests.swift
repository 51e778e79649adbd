import FoundationEssentials
import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter

/// The length and the coding of a body.
@Suite struct HTTPBodyTests {
  /// A response, the settings of a module, and the expected samples.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var status = 200
    /// The value of Content-Encoding; nil for none.
    var coding: String?
    var body = HTTPBodyTests.text
    /// The coding that the module expects.
    var compression: String?
    var accepts: String?
    var limit: Int?
    var reason: ReasonCode?
    /// The length of the decoded body; nil for any.
    var length: Int? = HTTPBodyTests.text.count
  }

  private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

  static let text = Array(String(repeating: "twelve bytes", count: 10).utf8)
  // The output of python3 -c 'print(end="twelve bytes" * 10)', compressed with gzip -9n, with raw deflate by
  // zlib, and with Brotli by its library.
  static let gzip = bytes("H4sIAAAAAAAC/yspT80pS1VIqixJLS6hIxsA6D95lXgAAAA=")
  static let deflate = bytes("KylPzSlLVUiqLEktLqEjGwA=")
  static let brotli = bytes("G3cA+B2pU5+7cV1GJ2Y3Qdjm6i4vAowFNNHZDA==")
  /// The letter A, 127 and 129 times, compressed with gzip -9n.
  static let short = bytes("H4sIAAAAAAAC/3N0HFAAAOG7xsx/AAAA")
  static let long = bytes("H4sIAAAAAAAC/3N0HGAAANJ5trKBAAAA")

  private func check(_ given: Case) async throws {
    let server = try LoopbackServer.http { _ in
      .response(
        given.status, headers: given.coding.map { [(name: "Content-Encoding", value: $0)] } ?? [],
        bytes: given.body)
    }
    let report = try await probeHTTP(server.url()) { module in
      module.compression = given.compression
      module.bodySizeLimit = given.limit
      if let accepts = given.accepts { module.headers.append(name: "Accept-Encoding", value: accepts) }
    }
    #expect(report.failure?.reason == given.reason, "\(report.story)")
    #expect(report.succeeded == (given.reason == nil))
    #expect(report.samples["probe_http_content_length"] == Double(given.body.count))
    let length = report.samples["probe_http_uncompressed_body_length"]
    #expect(given.length == nil ? length != nil : length == given.length.map(Double.init), "\(length ?? -1)")
    #expect(server.firstRequest?.header("Accept-Encoding") == given.accepts)
  }

  @Test(arguments: [
    Case(testDescription: "identity", coding: "identity"),
    Case(testDescription: "no coding"),
    Case(testDescription: "an unknown coding", coding: "rot13"),
    Case(testDescription: "a failure", status: 404, reason: .httpStatus),
    Case(testDescription: "brotli", coding: "br", body: brotli, length: brotli.count),
    Case(testDescription: "deflate", coding: "deflate", body: deflate, length: deflate.count),
    Case(testDescription: "gzip", coding: "gzip", body: gzip, length: gzip.count),
  ])
  func theBodyIsNotDecodedWithoutASetting(_ given: Case) async throws {
    try await check(given)
  }

  @Test(arguments: [
    Case(testDescription: "gzip", coding: "gzip", body: gzip, compression: "gzip"),
    Case(testDescription: "brotli", coding: "br", body: brotli, compression: "br"),
    Case(testDescription: "deflate", coding: "deflate", body: deflate, compression: "deflate"),
    Case(testDescription: "identity", coding: "identity", compression: "identity"),
    Case(
      testDescription: "another coding", coding: "gzip", body: gzip, compression: "deflate",
      reason: .bodyEncoding, length: 0),
    Case(
      testDescription: "gzip, requested", coding: "gzip", body: gzip, compression: "gzip", accepts: "gzip"),
    Case(
      testDescription: "one of two, requested", coding: "gzip", body: gzip, compression: "gzip",
      accepts: "br, gzip"),
    Case(testDescription: "any, requested", coding: "gzip", body: gzip, compression: "gzip", accepts: "*"),
    Case(testDescription: "not expected", coding: "gzip", body: gzip, length: gzip.count),
  ])
  func theBodyIsDecodedAsConfigured(_ given: Case) async throws {
    try await check(given)
  }

  @Test(arguments: [
    Case(testDescription: "shorter", body: Array(repeating: 0x41, count: 127), limit: 128, length: 127),
    Case(
      testDescription: "longer", body: Array(repeating: 0x41, count: 129), limit: 128, reason: .bodyTooLarge,
      length: 128),
    Case(testDescription: "as long", body: Array(repeating: 0x41, count: 128), limit: 128, length: 128),
    Case(
      testDescription: "shorter, decoded", coding: "gzip", body: short, compression: "gzip", limit: 128,
      length: 127),
    Case(
      testDescription: "longer, decoded", coding: "gzip", body: long, compression: "gzip", limit: 128,
      reason: .bodyTooLarge, length: 128),
  ])
  func theConfiguredSizeLimitIsEnforced(_ given: Case) async throws {
    try await check(given)
  }

  @Test(arguments: ["gzip", "br", "deflate"])
  func aTruncatedEncodedBodyIsAFailure(_ coding: String) async throws {
    let whole = ["gzip": Self.gzip, "br": Self.brotli, "deflate": Self.deflate][coding] ?? []
    let server = try LoopbackServer.http { _ in .response(bytes: Array(whole.dropLast(2))) }
    let report = try await probeHTTP(server.url()) { $0.compression = coding }
    #expect(report.failure?.reason == .bodyEncoding, "\(report.story)")
  }

  @Test func theContentLengthOfAChunkedBodyIsUnknown() async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8))
    let report = try await probeHTTP(server.url())
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_content_length"] == -1)
    #expect(report.samples["probe_http_uncompressed_body_length"] == 3)
  }
}
