internal import FoundationEssentials
internal import ProbeCore

/// A response to validate, and its name in a report.
struct NamedResponse: Sendable {
  let name: String
  let response: ProbeResponse
  /// Whether its validation may take long.
  let isLarge: Bool

  init(name: String, response: ProbeResponse) {
    self.name = name
    self.response = response
    let fields = response.head?.fields ?? [:]
    isLarge =
      response.body.count > 1024 || fields.count > 100 || fields.contains { $0.value.utf8.count > 1024 }
  }

  /// The example's two responses, damaged variants of the accepted one, and responses that no server should
  /// send.
  static func all(for pair: ExamplePair) -> [NamedResponse] {
    let own = [
      NamedResponse(name: "the response it accepts", response: pair.accepts),
      NamedResponse(name: "the response it rejects", response: pair.rejects),
    ]
    return (own + variations(of: pair.accepts) + bodies + heads + facts).map { input in
      NamedResponse(name: "\(pair.label): \(input.name)", response: input.response)
    }
  }

  // Large bodies have several times the maximum length of a report's line; a larger size would prove no more,
  // and take longer in each validation.

  /// Text with terminal escapes and misleading characters.
  private static let escapes = "\u{1B}[2J\u{1B}]0;owned\u{7}\r\n\u{202E}txt.exe\u{0}\u{2028}"

  private static func variations(of response: ProbeResponse) -> [NamedResponse] {
    func variation(_ name: String, _ change: (inout ProbeResponse) -> Void) -> NamedResponse {
      var changed = response
      change(&changed)
      return NamedResponse(name: "the response it accepts, \(name)", response: changed)
    }
    return [
      variation("without a body") { $0.body = [] },
      variation("without a head") { $0.head = nil },
      variation("without TLS, address and timings") {
        ($0.tls, $0.remoteAddress, $0.timings) = (nil, nil, ProbeTimings())
      },
      variation("marked as cut") { $0.bodyIsCut = true },
      variation("cut in the middle") {
        $0.body.removeLast($0.body.count / 2)
        $0.bodyIsCut = true
      },
      variation("cut to nothing") { ($0.body, $0.bodyIsCut) = ([], true) },
      variation("its body repeated up to 16 KiB") { response in
        while !response.body.isEmpty, response.body.count < 1 << 14 { response.body += response.body }
      },
      variation("with status 500") { $0.head?.status = 500 },
      variation("each of its header fields 100 times, with escape sequences") { response in
        let names = response.head?.fields.map(\.name) ?? []
        let fields = names.flatMap { name in
          (0..<100).map { (name: name, value: "\($0)" + escapes + String(repeating: "x", count: 100)) }
        }
        response.head?.fields = HeaderFields(fields)
      },
    ]
  }

  private static let bodies: [NamedResponse] = {
    func body(_ name: String, _ bytes: [UInt8], type: String? = nil) -> NamedResponse {
      var response = ProbeResponse.example(fields: type.map { ["Content-Type": $0] } ?? [:])
      response.body = bytes
      return NamedResponse(name: name, response: response)
    }
    let size = 1 << 14
    // A lone surrogate, an overlong NUL, a code point beyond Unicode, and a truncated character.
    let invalid: [UInt8] = [0xED, 0xA0, 0x80, 0xC0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xFF, 0xFE, 0xE2, 0x82]
    return [
      body("an empty body", []),
      body("every byte value", Array(0...255)),
      body("16 KiB of NUL", [UInt8](repeating: 0, count: size)),
      body("16 KiB of one letter", [UInt8](repeating: UInt8(ascii: "a"), count: size)),
      body("16 KiB of opening brackets", [UInt8](repeating: UInt8(ascii: "["), count: size)),
      body("16 KiB of digits", [UInt8](repeating: UInt8(ascii: "9"), count: size)),
      body("many open elements", Array(String(repeating: "<b>", count: 3000).utf8)),
      body("invalid UTF-8", invalid, type: "text/html; charset=utf-8"),
      body(
        "a lone surrogate in UTF-16", [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x41, 0x00],
        type: "text/html; charset=utf-16"),
      body(
        "an unknown charset", Array("ok".utf8),
        type: "text/html; charset=\(String(repeating: "x", count: 10_000))"),
      body("escape sequences", Array(escapes.utf8)),
    ]
  }()

  private static let heads: [NamedResponse] = {
    func head(_ name: String, _ head: HTTPResponseHead) -> NamedResponse {
      var response = ProbeResponse.example()
      response.head = head
      return NamedResponse(name: name, response: response)
    }
    let many = (0..<500).map { (name: "X-Field-\($0)", value: "\($0)") }
    var headless = ProbeResponse.example()
    headless.head = nil
    return [
      NamedResponse(name: "neither head nor body", response: headless),
      head("status 0", HTTPResponseHead(status: 0)),
      head("a negative status", HTTPResponseHead(status: -204)),
      head("the largest status", HTTPResponseHead(status: .max)),
      head("the smallest status", HTTPResponseHead(status: .min)),
      head("a redirect without a Location", HTTPResponseHead(status: 302)),
      head(
        "escape sequences in the head",
        HTTPResponseHead(status: 302, reasonPhrase: escapes, fields: ["Location": escapes, escapes: escapes])),
      head(
        "a reason phrase of 16 KiB",
        HTTPResponseHead(status: 599, reasonPhrase: String(repeating: "busy ", count: 3300))),
      head("500 header fields", HTTPResponseHead(status: 200, fields: HeaderFields(many))),
      head(
        "a header field of 16 KiB",
        HTTPResponseHead(status: 200, fields: ["Content-Type": String(repeating: "t", count: 1 << 14)])),
      head(
        "header fields without names and values", HTTPResponseHead(status: 200, fields: ["": "", "A": ""])),
    ]
  }()

  private static let facts: [NamedResponse] = {
    var redirected = ProbeResponse.example()
    redirected.redirects = (0..<50).map { _ in
      RedirectHop(url: redirected.url, status: 302, location: escapes, target: nil)
    }
    var strange = ProbeResponse.example()
    strange.timings = ProbeTimings(
      resolve: .seconds(-1), connect: .zero, tls: .zero, firstByte: .seconds(1 << 40), total: .zero)
    var bare = ProbeResponse.example()
    bare.tls = TLSFacts()
    var certified = ProbeResponse.example()
    certified.timings.total = .seconds(1 << 40)
    certified.tls = TLSFacts(
      version: escapes, cipher: escapes,
      chain: [Date.distantPast, .distantFuture].map { date in
        CertificateFacts(
          subject: escapes, issuer: String(repeating: "CN=x,", count: 3300), alternativeNames: [escapes],
          serialNumber: "", notBefore: .distantFuture, notAfter: date, fingerprint: "")
      })
    return [
      NamedResponse(name: "50 redirects to nowhere", response: redirected),
      NamedResponse(name: "timings that cannot be", response: strange),
      NamedResponse(name: "TLS without a certificate", response: bare),
      NamedResponse(name: "certificates with escape sequences and strange dates", response: certified),
    ]
  }()
}
