import LoopbackServer
import ProbeTLS
import ProbeCore
import TestSupport
import Testing

/// Responses that may have been truncated: they count as incomplete, and the received part is kept.
@Suite(.eachClient) struct TruncationTests {
  private static func server(
    _ response: String, notify: Bool = false, versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3
  ) throws -> LoopbackServer {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]), versions: versions)
    return try LoopbackServer(tls: context) { connection in
      _ = try connection.readRequest()
      try connection.send(response)
      connection.shutdownWrite(notify: notify)
    }
  }

  @Test(arguments: [TLSVersion.v1_2, .v1_3], ["", "hello"])
  func aBodyDelimitedByTheConnectionNeedsCloseNotify(_ version: TLSVersion, _ body: String) async throws {
    let text = "HTTP/1.1 200 OK\r\n\r\n\(body)"
    let cut = try Self.server(text, versions: version...version)
    let failure = try await failure(of: try request(cut.secureURL) { $0.trustTestAuthority() })
    #expect(failure?.reason == .bodyShort)
    #expect(failure?.detail == "the connection ended without TLS close_notify")
    #expect(failure?.partial?.status == 200)
    #expect(failure?.partial?.body == Array(body.utf8))
    let whole = try Self.server(text, notify: true, versions: version...version)
    let response = try await transport.probe(try request(whole.secureURL) { $0.trustTestAuthority() })
    #expect(response.body == Array(body.utf8))
  }

  @Test(.ownAlone) func recordedTruncationsAreDetected() async throws {
    for notify in [true, false] {
      let server = try Self.server("HTTP/1.1 200 OK\r\n\r\nhello", notify: notify)
      do {
        let request = try request(server.secureURL) { $0.trustTestAuthority() }
        let response = try await Client.recording.probe(request) { _ in }
        #expect(notify && response.body == Array("hello".utf8))
      } catch let failure as ProbeFailure {
        #expect(!notify && failure.reason == .bodyShort, "\(failure)")
      }
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Length: 5 , 5\r\n\r\nhello",
    // Browsers follow a redirect whatever its body.
    "HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\n\r\n",
  ])
  func aDelimitedResponseNeedsNoCloseNotify(_ response: String) async throws {
    let server = try Self.server(response)
    #expect(try await failure(of: try request(server.secureURL) { $0.trustTestAuthority() }) == nil)
  }

  @Test func aResponseToHEADNeedsNoCloseNotify() async throws {
    let server = try Self.server("HTTP/1.1 200 OK\r\n\r\n")
    let request = try request(server.secureURL) {
      $0.trustTestAuthority()
      $0.http.method = "HEAD"
    }
    #expect(try await failure(of: request) == nil)
  }

  /// Invalid lengths; browsers read such a body to the end of the connection.
  private static let oddLengths = [
    "+3", "0x3", "3abc", "3 3",
  ]

  /// A length that no number here can represent is one all the same (RFC 9110 §8.6), and so are leading zeros and the
  /// same number several times.
  @Test(arguments: [
    "4", "0004", "4, 4", "4\r\nContent-Length: 4", "9223372036854775806", "9223372036854775807",
    "9223372036854775807, 9223372036854775807", "9223372036854775808", "18446744073709551616",
    "18446744073709551619", "99999999999999999999999", "18446744073709551619 , 18446744073709551619",
    "000000000000000000000000000000000000004",
  ])
  func aBodyShorterThanAnyLengthIsTruncated(_ length: String) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nok!".utf8))
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .bodyShort, "\(failure as Any)")
    #expect(failure?.partial?.body == Array("ok!".utf8))
  }

  /// Browsers and curl ignore a length of more than 2^63 - 1, so profiles of browsers do too.
  @Test(.ownAlone) func profilesOfBrowsersIgnoreHugeLengths() async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\nok!".utf8))
    let response = try await transport.probe(
      try request(server.url()) { $0.http.acceptsIncompleteHeads = true })
    #expect(response.body == Array("ok!".utf8) && response.deviations == [.noLength])
  }

  @Test(.ownAlone, arguments: oddLengths)
  func invalidLengthsAreReadAsBrowsersReadThem(_ length: String) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nok!".utf8))
    let response = try await transport.probe(try request(server.url()))
    #expect(response.body == Array("ok!".utf8))
    #expect(response.deviations == [.noLength])
  }

  @Test(.curlAlone, arguments: oddLengths)
  func libcurlRefusesInvalidLengths(_ length: String) async throws {
    let server = try LoopbackServer.responding(
      with: Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nok!".utf8))
    #expect(try await failure(of: try request(server.url()))?.reason == .httpProtocol)
  }

  @Test(arguments: ["2\r\nContent-Length: 3", "3\r\nContent-Length: 2", "2, 3"])
  func conflictingLengthsAreRefused(_ length: String) async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nok!")
    }
    let failure = try await failure(of: try request(server.url()))
    #expect(failure?.reason == .httpProtocol, "\(failure as Any)")
    // It is still evidence.
    #expect(failure?.partial?.status == 200)
  }

  @Test func bytesAfterACompressedBodyAreReportedAsSuch() async throws {
    let packed = ZerosInGzip.bytes
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      let body = packed + Array("behind".utf8)
      try connection.send(
        Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
          + body)
    }
    let request = try request(server.url()) { $0.maxBody = 2 << 20 }
    guard Client.current == .own else {
      let failure = try await failure(of: request)
      return #expect(failure?.reason == .bodyEncoding, "\(failure as Any)")
    }
    // Browsers read it.
    let response = try await transport.probe(request)
    #expect(response.deviations == [.bytesBehindCoding])
    #expect(response.body.allSatisfy { $0 == 0 })
  }
}

/// Servers that break the rules of HTTP/2 (RFC 9113), frame by frame.
@Suite(.curlAlone) struct HTTP2FaultTests {
  /// The bytes that a server sends, and the reason with which a probe ends.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: ReasonCode
    let frames: [UInt8]

    var testDescription: String { name }
  }

  private static func frame(
    _ kind: UInt8, _ flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF), kind, flags]
      + [0, 0, 0, stream] + payload
  }

  private static let settings = frame(4)
  /// `:status: 200`, from the table of HPACK (RFC 7541 appendix A).
  private static let status: [UInt8] = [0x88]

  /// A header field with a one-letter name and a value of 16 000 bytes.
  private static func field(_ name: Character) -> [UInt8] {
    // RFC 7541 §6.2.2: a new name, and a value whose length is 127 + 15 873.
    [0, 1] + Array(String(name).utf8) + [0x7F, 0x81, 0x7C]
      + Array(repeating: UInt8(ascii: "x"), count: 16_000)
  }

  // Few and large frames: nghttp2 limits the number of continuation frames (CVE-2024-28182).
  private static let largeHead =
    frame(1, 0, stream: 1, status + field("a")) + "bcdefghi".flatMap { frame(9, 0, stream: 1, field($0)) }

  static let all = [
    Fault(
      name: "DATA in front of HEADERS", reason: .httpProtocol, frames: settings + frame(0, 1, stream: 1, [1])),
    Fault(name: "a PING of three bytes", reason: .httpProtocol, frames: settings + frame(6, 0, [1, 2, 3])),
    Fault(
      name: "HEADERS in front of SETTINGS", reason: .httpProtocol, frames: frame(1, 5, stream: 1, status)),
    Fault(
      name: "a stream nobody opened", reason: .httpProtocol, frames: settings + frame(1, 5, stream: 3, status)
    ),
    Fault(
      name: "no frames", reason: .httpProtocol,
      frames: Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)),
    Fault(
      name: "a stream that is reset", reason: .httpProtocol,
      frames: settings + frame(1, 4, stream: 1, status) + frame(0, 0, stream: 1, [1])
        + frame(3, 0, stream: 1, [0, 0, 0, 2])),
    Fault(name: "a head without an end to it", reason: .httpHeadTooLarge, frames: settings + largeHead),
    Fault(name: "an end without an answer", reason: .httpNoResponse, frames: settings),
    Fault(
      name: "an end inside of the body", reason: .bodyShort,
      frames: settings + frame(1, 4, stream: 1, status) + frame(0, 0, stream: 1, [1])),
  ]

  @Test(arguments: all)
  func eachFaultHasItsReason(_ fault: Fault) async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]), supportsHTTP2: true)
    let server = try LoopbackServer(tls: context) { connection in
      while try !connection.read().isEmpty {
        try connection.send(fault.frames)
        return
      }
    }
    let failure = try await failure(of: try request(server.secureURL) { $0.trustTestAuthority() })
    #expect(failure?.reason == fault.reason, "\(failure as Any)")
    #expect(failure?.detail.contains("nghttp2") == false)
  }
}
