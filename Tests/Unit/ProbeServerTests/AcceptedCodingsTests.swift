import ProbeCodecs
import TestRequirements
import TestSupport
import Testing

@testable import ProbeServer

/// The compression of responses.
@Suite(.patience(minutes: 1)) struct AcceptedCodingsTests {
  @Test(arguments: [
    (["gzip"], true), (["GZIP"], true), (["x-gzip"], true), (["deflate, gzip;q=1.0, *;q=0.5"], true),
    (["br", "gzip ; q=0.1"], true), (["*"], true), (["gzip;q=0.001"], true), (["\tgzip\t"], true),
    (["gzip;q=0.5, identity;q=0.5"], true), (["gzip, identity;q=0"], true),
    ([], false), ([""], false), (["deflate, br, zstd"], false), (["gzip;q=0"], false),
    (["gzip;q=0.000, *"], false), (["*;q=0"], false), (["identity"], false),
    (["gzip;q=0.5, identity"], false), (["gzip;q=0.5, identity;q=0.6"], false),
    // Malformed elements are ignored.
    (["gzip;q=2"], false), (["gzip;q=-1"], false), (["gzip;q=nan"], false), (["gzip;q="], false),
    (["gzip;level=9"], false), (["gzip;q=0.12345"], false), (["gzip;q=1e-9"], false), (["gzips"], false),
  ])
  func gzipIsUsedIfTheClientPrefersIt(_ fields: [String], _ isPreferred: Bool) throws {
    let lines = fields.map { "Accept-Encoding: \($0)\r\n" }.joined()
    let request = try HTTPRoutesTests.request("GET / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n")
    #expect(AcceptedCodings(request).prefersGzip == isPreferred)
  }

  private static let text = Array(String(repeating: "probe_success 1\n", count: 400).utf8)

  private static func response(
    to fields: String, method: String = "GET", size: Int = 6400, mayBeCompressed: Bool = true
  ) async throws -> String {
    let service = try HTTPService(on: ServiceClient.loopback) { _ throws(HTTPServiceFailure) in
      var response = HTTPServiceResponse(contentType: "text/plain", body: Array(text.prefix(size)))
      response.mayBeCompressed = mayBeCompressed
      return response
    }
    defer { service.stop() }
    let folder = try TemporaryFolder()
    let port = try ServiceClient.port(of: service.address)
    let script = """
      exec >\(folder.path(of: "out")) 2>&1
      curl -sS -D- \(method == "HEAD" ? "-I" : "") \(fields) http://127.0.0.1:\(port)/
      """
    _ = try await onAThread { try runProgram("sh", ["-c", script]) }
    return readText(folder.path(of: "out"))
  }

  @Test func aClientDecompressesTheResponse() async throws {
    let response = ServiceResponse(try await Self.response(to: "--compressed"))
    #expect(response.has("Content-Encoding: gzip") && response.has("Vary: Accept-Encoding"))
    #expect(response.body.utf8.elementsEqual(Self.text))
    let length = response.text.firstMatch(of: /Content-Length: ([0-9]+)/).flatMap { Int($0.1) }
    #expect(length.map { $0 < 400 } == true)
    let head = ServiceResponse(try await Self.response(to: "--compressed", method: "HEAD"))
    #expect(head.text.contains("Content-Length: \(length ?? 0)\r\n") && head.has("Content-Encoding: gzip"))
  }

  @Test func otherResponsesAreSentUncompressed() async throws {
    let plain = ServiceResponse(try await Self.response(to: ""))
    #expect(!plain.text.contains("Content-Encoding") && plain.has("Vary: Accept-Encoding"))
    #expect(plain.body.utf8.elementsEqual(Self.text))
    let small = ServiceResponse(try await Self.response(to: "--compressed", size: 1023))
    #expect(!small.text.contains("Content-Encoding") && !small.text.contains("Vary"))
    #expect(
      ServiceResponse(try await Self.response(to: "--compressed", size: 1024)).has("Content-Encoding: gzip"))
    let other = ServiceResponse(try await Self.response(to: "--compressed", mayBeCompressed: false))
    #expect(!other.text.contains("Content-Encoding") && !other.text.contains("Vary"))
  }
}
